// What the window gets of the main process: two functions that know the names of the contract, and nothing else.
import { contextBridge, ipcRenderer } from 'electron'
import { CALL_NAMES, PUSH_NAMES } from '../core/contract/ipc-names'

const calls: ReadonlySet<string> = new Set(CALL_NAMES)
const pushes: ReadonlySet<string> = new Set(PUSH_NAMES)

contextBridge.exposeInMainWorld(
  'breakwater',
  Object.freeze({
    call: (name: string, input?: unknown) =>
      calls.has(name) ? ipcRenderer.invoke(`call:${name}`, input) : Promise.reject(new Error(`unknown call ${name}`)),
    on: (name: string, listener: (data: unknown) => void) => {
      if (!pushes.has(name)) throw new Error(`unknown push ${name}`)
      const relay = (_event: unknown, data: unknown): void => listener(data)
      ipcRenderer.on(`push:${name}`, relay)
      return () => {
        ipcRenderer.off(`push:${name}`, relay)
      }
    },
  }),
)
