// One call from the window, from unchecked input to an answer that is always data, never a thrown error. No Electron.
import type { ZodType, z } from 'zod'
import { CALLS, type CallName, type CallOutput, type IpcAnswer, type IpcError } from '../core/contract/ipc'
import { GatewayError } from '../core/errors'
import type { Logger } from '../core/host'

export type CallHandlers = {
  readonly [N in CallName]: (input: z.output<(typeof CALLS)[N]['input']>) => Promise<CallOutput<N>>
}

export interface AnswerDeps {
  readonly handlers: CallHandlers
  readonly log: Logger
  readonly redact: (text: string) => string
  /** During development what goes out is checked too, so that the contract stays true. */
  readonly checkOutput: boolean
}

type AnyHandler = (input: unknown) => Promise<unknown>

export async function answerCall(
  name: CallName,
  raw: unknown,
  { handlers, log, redact, checkOutput }: AnswerDeps,
): Promise<IpcAnswer<unknown>> {
  const { input, output } = CALLS[name] as { input: ZodType; output: ZodType }
  const parsed = input.safeParse(raw)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    const field = issue?.path.join('.') ?? ''
    const message = issue?.message ?? 'is not valid'
    return fail({ code: 'bad_input', message: field === '' ? message : `${field}: ${message}`, field: field || null })
  }
  try {
    const value = await (handlers[name] as AnyHandler)(parsed.data)
    return { ok: true, value: checkOutput ? output.parse(value) : value }
  } catch (error) {
    if (error instanceof GatewayError)
      return fail({ code: error.code, message: redact(error.message), field: error.details.field ?? null })
    log.error({ call: name, error: error instanceof Error ? error.stack : String(error) }, 'a call failed')
    return fail({
      code: 'internal',
      message: `Breakwater could not do this because of a fault of its own (${name}). The log file has the details.`,
      field: null,
    })
  }
}

const fail = (error: IpcError): IpcAnswer<never> => ({ ok: false, error })
