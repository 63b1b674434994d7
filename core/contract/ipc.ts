// Every call and every push between window and main process. Main registers by looping over CALLS, the preload
// builds its functions from the same names, the renderer's types are inferred: a renamed call breaks the build.
import { z } from 'zod'
import { PUSHES } from './events'
import { OPERATIONS } from './operations'

/** What only the desktop shell can do: windows, clipboard, quitting. */
export const APP_CALLS = {
  /** Text with a key in it goes from main to the clipboard; the window never holds it. */
  'clipboard:copy': {
    input: z.discriminatedUnion('what', [
      z.object({ what: z.literal('address') }),
      z.object({ what: z.literal('client-key'), keyId: z.string() }),
      z.object({ what: z.literal('snippet'), tool: z.string(), keyId: z.string().optional(), model: z.string() }),
      z.object({ what: z.literal('text'), text: z.string().max(100_000) }),
    ]),
    output: z.object({ copied: z.boolean(), why: z.string() }),
  },
  /** https addresses of the provider catalogue, and the pages of sign-ins under way, only. */
  'app:open-external': { input: z.object({ url: z.string() }), output: z.null() },
  'app:open-data-folder': { input: z.undefined(), output: z.null() },
  /** Whether a tray icon can be seen on this desktop. */
  'app:surroundings': {
    input: z.undefined(),
    output: z.object({
      trayVisible: z.boolean(),
      platform: z.string(),
      electron: z.string(),
      developmentRuntime: z.boolean(),
    }),
  },
  /** The answer to `window:close-asked`. */
  'window:close': { input: z.object({ choice: z.enum(['keep', 'quit', 'cancel']) }), output: z.null() },
  'app:quit': { input: z.undefined(), output: z.null() },
} as const satisfies Record<string, { input: z.ZodType; output: z.ZodType }>

export const APP_PUSHES = {
  /** The tray or a second launch asks the window for a page. */
  'window:navigate': z.object({ page: z.string() }),
  /** The window was closed where no tray is visible: ask what to do. */
  'window:close-asked': z.null(),
  /** Said once when the window closes to the tray for the first time. */
  'window:tray-hint': z.null(),
} as const satisfies Record<string, z.ZodType>

export const CALLS = { ...OPERATIONS, ...APP_CALLS } as const
export const ALL_PUSHES = { ...PUSHES, ...APP_PUSHES } as const

export type CallName = keyof typeof CALLS
/** What the caller writes (defaults may be left out). */
export type CallInput<N extends CallName> = z.input<(typeof CALLS)[N]['input']>
export type CallOutput<N extends CallName> = z.output<(typeof CALLS)[N]['output']>
export type AnyPushName = keyof typeof ALL_PUSHES
export type AnyPushData<N extends AnyPushName> = z.output<(typeof ALL_PUSHES)[N]>

/** Errors cross the boundary as data: a code for the program, a sentence for the person, the field it is about. */
export interface IpcError {
  readonly code: string
  readonly message: string
  readonly field: string | null
}
export type IpcAnswer<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: IpcError }

/** What the preload puts on `window.breakwater`. */
export interface BreakwaterApi {
  call<N extends CallName>(
    name: N,
    ...input: CallInput<N> extends undefined ? [] : [CallInput<N>]
  ): Promise<IpcAnswer<CallOutput<N>>>
  /** Returns its own unsubscribe. */
  on<N extends AnyPushName>(name: N, listener: (data: AnyPushData<N>) => void): () => void
}
