// What the page gets: two functions that know a closed list of names, and nothing of Electron.
import type { BreakwaterApi } from '../core/contract/ipc'
import { CALL_NAMES, PUSH_NAMES } from '../core/contract/ipc-names'
import { callChannel, pushChannel } from './channels'

type Listener = (event: unknown, data: unknown) => void

/** The part of ipcRenderer that is used. */
export interface Channel {
  invoke(channel: string, ...input: unknown[]): Promise<unknown>
  on(channel: string, listener: Listener): unknown
  removeListener(channel: string, listener: Listener): unknown
}

const calls = new Set<string>(CALL_NAMES)
const pushes = new Set<string>(PUSH_NAMES)

export function createPreloadApi(channel: Channel): BreakwaterApi {
  const api = {
    call: async (name: string, ...input: unknown[]): Promise<unknown> =>
      calls.has(name)
        ? channel.invoke(callChannel(name as never), input[0])
        : { ok: false, error: { code: 'unknown_call', message: `There is no call "${name}".`, field: null } },
    on(name: string, listener: (data: unknown) => void): () => void {
      if (!pushes.has(name)) throw new Error(`There is no push "${name}".`)
      // The event object would hand the page a way to the sender: only the data goes through.
      const receive: Listener = (_event, data) => listener(data)
      const at = pushChannel(name as never)
      channel.on(at, receive)
      return () => void channel.removeListener(at, receive)
    },
  }
  return Object.freeze(api) as BreakwaterApi
}
