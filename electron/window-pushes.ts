// Brings the core's events to the window.
import type { WebContents } from 'electron'
import type { Clock } from '../core/clock'
import { PUSHES, type PushName } from '../core/contract/events'
import type { Gateway } from '../core/gateway'
import type { Logger } from '../core/host'
import { sendPush } from './ipc'
import { PushQueue } from './push-queue'

export interface WindowPushesDeps {
  readonly gateway: Pick<Gateway, 'pushes'>
  readonly clock: Clock
  readonly log: Logger
  readonly contents: () => WebContents | null
  /** During development what goes out is checked, so that the contract stays true. */
  readonly check: boolean
}

/** Returns what to call when the window is shown or hidden. */
export function forwardPushes({ gateway, clock, log, contents, check }: WindowPushesDeps): (visible: boolean) => void {
  const queue = new PushQueue(clock, (name, data) => {
    if (check) {
      const parsed = PUSHES[name].safeParse(data)
      if (!parsed.success) log.error({ push: name, error: parsed.error.message }, 'a push does not keep the contract')
    }
    sendPush(contents(), name, data)
  })
  for (const name of Object.keys(PUSHES) as PushName[]) gateway.pushes.on(name, (data) => queue.add(name, data))
  return (visible) => queue.setVisible(visible)
}
