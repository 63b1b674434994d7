// The gateway's state in words: the fact, what follows from it, and the way out.
import type { ListenerState } from '../../core/contract/views'
import type { Shape, Tone } from '../ui/state-shape'

export type WayOut =
  | { readonly kind: 'retry' }
  | { readonly kind: 'use-port'; readonly port: number }
  | { readonly kind: 'change-port' }
  | { readonly kind: 'open-data-folder' }
  | { readonly kind: 'quit' }

export interface ListenerWords {
  readonly tone: Tone
  readonly shape: Shape
  readonly title: string
  readonly fact: string
  readonly wayOut: string
  readonly actions: readonly WayOut[]
}

const retry: WayOut = { kind: 'retry' }
const changePort: WayOut = { kind: 'change-port' }
const toPort = (port: number | null): WayOut[] => (port === null ? [] : [{ kind: 'use-port', port }])

/** Null while it listens: then there is nothing to say but the address. */
export function describeListener(listener: ListenerState): ListenerWords | null {
  const down = { tone: 'down', shape: 'cross' } as const
  switch (listener.kind) {
    case 'listening':
      return null
    case 'starting':
      return {
        tone: 'idle',
        shape: 'dashed',
        title: 'The gateway is starting',
        fact: 'It opens its databases and its port. Tools can connect in a moment.',
        wayOut: '',
        actions: [],
      }
    case 'port-in-use': {
      const byBreakwater = listener.holder === 'breakwater'
      return {
        ...down,
        title: `Port ${listener.port} is in use`,
        fact: byBreakwater
          ? `Another Breakwater answers on port ${listener.port}. Tools reach that one, not this one.`
          : `Another program holds port ${listener.port}. Tools cannot reach the gateway.`,
        wayOut: `${byBreakwater ? 'Quit the other one' : 'End that program'} and try again, or use another port. Tools you have already set up must then be pointed at it.`,
        actions: [retry, ...toPort(listener.freePort), changePort],
      }
    }
    case 'port-forbidden':
      return {
        ...down,
        title: `Port ${listener.port} is not allowed`,
        fact: `The system does not let this user listen on port ${listener.port}. Tools cannot reach the gateway.`,
        wayOut: 'Use a port above 1023 that the system does not reserve.',
        actions: [...toPort(listener.freePort), changePort, retry],
      }
    case 'listen-failed':
      return {
        ...down,
        title: `The gateway cannot listen on port ${listener.port}`,
        fact: `${listener.message} Tools cannot reach the gateway.`,
        wayOut: 'Remove the cause and try again, or use another port.',
        actions: [retry, changePort],
      }
    case 'database-refused':
      return {
        ...down,
        title: 'The database could not be opened',
        fact: `${listener.message} Nothing in ${listener.file} was changed. The gateway does not run until it can be opened.`,
        wayOut: listener.wayOut,
        actions: [retry, { kind: 'open-data-folder' }, { kind: 'quit' }],
      }
    case 'data-folder-in-use':
      return {
        ...down,
        title: 'The data folder is in use',
        fact: `Another Breakwater${listener.pid === null ? '' : ` (process ${listener.pid})`} uses ${listener.folder}. Two at once would damage the data, so this one does not run.`,
        wayOut: 'Quit the other one and try again.',
        actions: [retry, { kind: 'quit' }],
      }
    case 'stopped':
      return {
        tone: 'idle',
        shape: 'hollow',
        title: 'The gateway is stopped',
        fact: 'Nothing listens. Tools cannot reach it.',
        wayOut: 'Start it again, or quit.',
        actions: [retry, { kind: 'quit' }],
      }
  }
}

/** The address tools use, where there is one. */
export const addressOf = (listener: ListenerState): string | null =>
  listener.kind === 'listening' ? listener.url : null

/** The address without its scheme, for narrow places. */
export const shortAddress = (url: string): string => url.replace(/^https?:\/\//, '').replace(/\/$/, '')

/** Whether there is nothing behind the window but this state: no settings, no connections. */
export const hidesEverything = (listener: ListenerState): boolean =>
  listener.kind === 'database-refused' || listener.kind === 'data-folder-in-use'
