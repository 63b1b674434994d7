// Carries pushes to the window: at most ten times a second, the latest of each kind, nothing while it is hidden.

import { PUSHES, type PushData, type PushName } from '../core/contract/events'
import type { AnyPushData, AnyPushName } from '../core/contract/ipc'
import type { Pushes } from '../core/telemetry/pushes'

export const PUSH_CHANNEL = 'push:'
const EVERY_MS = 100
/** While hidden, log rows are not kept: the page reads them again when it is shown. */
const MAX_ROWS = 500

export interface PushTarget {
  isVisible(): boolean
  send<N extends AnyPushName>(name: N, data: AnyPushData<N>): void
}

/** How two pushes of the same kind become one; without an entry the later replaces the earlier. */
const merge: { [N in PushName]?: (earlier: PushData<N>, later: PushData<N>) => PushData<N> } = {
  'log:appended': (earlier, later) => [...earlier, ...later].slice(-MAX_ROWS),
}

export function relayPushes(pushes: Pushes, target: PushTarget): { flush(): void; stop(): void } {
  const waiting = new Map<PushName, unknown>()
  const stops = (Object.keys(PUSHES) as PushName[]).map((name) =>
    pushes.on(name, (data) => {
      // Every piece of a try-out counts, and they come one after another: they are passed on as they are.
      if (name === 'try:chunk') return target.send(name, data as PushData<'try:chunk'>)
      const join = merge[name] as ((earlier: unknown, later: unknown) => unknown) | undefined
      waiting.set(name, join !== undefined && waiting.has(name) ? join(waiting.get(name), data) : data)
    }),
  )
  const flush = (): void => {
    if (!target.isVisible()) return
    for (const [name, data] of waiting) target.send(name, data as AnyPushData<typeof name>)
    waiting.clear()
  }
  const timer = setInterval(flush, EVERY_MS)
  return {
    flush,
    stop() {
      clearInterval(timer)
      for (const stop of stops) stop()
    },
  }
}
