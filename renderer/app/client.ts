// The one way from the window to the core. Never throws: a missing bridge or a broken call is an answer too.
import type {
  AnyPushData,
  AnyPushName,
  BreakwaterApi,
  CallInput,
  CallName,
  CallOutput,
  IpcAnswer,
} from '../../core/contract/ipc'

declare global {
  interface Window {
    /** Put there by the preload; missing when the page runs outside the app. */
    breakwater?: BreakwaterApi
  }
}

type Input<N extends CallName> = CallInput<N> extends undefined ? [] : [CallInput<N>]

const failure = (code: string, message: string): IpcAnswer<never> => ({
  ok: false,
  error: { code, message, field: null },
})

export async function call<N extends CallName>(name: N, ...input: Input<N>): Promise<IpcAnswer<CallOutput<N>>> {
  const api = window.breakwater
  if (api === undefined)
    return failure('no_bridge', 'This window has no connection to the gateway: its preload script did not run.')
  try {
    return await api.call(name, ...input)
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error)
    return failure('call_failed', `The gateway's process did not answer "${name}": ${detail}`)
  }
}

export function onPush<N extends AnyPushName>(name: N, listener: (data: AnyPushData<N>) => void): () => void {
  return window.breakwater?.on(name, listener) ?? (() => {})
}
