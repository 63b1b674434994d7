// The only file that touches ipcMain: every call of the contract is registered here by one loop, with the sender
// checked, the input parsed, and errors turned into data.
import { type IpcMainInvokeEvent, ipcMain } from 'electron'
import { CALLS, type CallName, type CallOutput, type IpcAnswer } from '../core/contract/ipc'
import { GatewayError } from '../core/errors'
import type { Logger } from '../core/host'

export type CallHandlers = { readonly [N in CallName]: (input: never) => Promise<CallOutput<N>> }

export const CALL_CHANNEL = 'call:'

export function registerCalls(
  handlers: CallHandlers,
  isOurPage: (event: IpcMainInvokeEvent) => boolean,
  log: Logger,
): void {
  for (const name of Object.keys(CALLS) as CallName[]) {
    ipcMain.handle(CALL_CHANNEL + name, async (event, raw: unknown) => {
      // Rejecting, not answering: a page that is not ours learns nothing.
      if (!isOurPage(event)) throw new Error(`${name}: refused, unknown sender`)
      return answer(name, raw, handlers[name] as (input: unknown) => Promise<unknown>, log)
    })
  }
}

/** Runs one call on unchecked input. Never throws. */
export async function answer(
  name: CallName,
  raw: unknown,
  run: (input: unknown) => Promise<unknown>,
  log: Logger,
): Promise<IpcAnswer<unknown>> {
  const parsed = CALLS[name].input.safeParse(raw)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    const field = issue?.path.join('.') ?? ''
    return {
      ok: false,
      error: {
        code: 'bad_input',
        message: `${field === '' ? name : field} ${issue?.message ?? 'is not valid'}`,
        field,
      },
    }
  }
  try {
    return { ok: true, value: await run(parsed.data) }
  } catch (error) {
    if (error instanceof GatewayError) {
      return { ok: false, error: { code: error.code, message: error.message, field: error.details.field ?? null } }
    }
    log.error(
      { call: name, error: error instanceof Error ? error.stack : String(error) },
      'a call of the window failed',
    )
    return {
      ok: false,
      error: { code: 'internal', message: 'This failed inside Breakwater; the log says why.', field: null },
    }
  }
}
