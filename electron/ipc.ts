// Registers every call of the contract, and sends pushes. Only the page of our own window, in its main frame, is heard.
import type { IpcMain, WebContents } from 'electron'
import { type AnyPushName, CALLS, type CallName } from '../core/contract/ipc'
import { callChannel, pushChannel } from './channels'
import { type AnswerDeps, answerCall } from './ipc-answer'

/** The part of an invoke event that tells who asks. */
export interface Asking {
  readonly sender: { readonly id: number }
  readonly senderFrame: { readonly url: string; readonly parent: unknown } | null
}

export interface SenderRule {
  /** The window's web contents, while there is one. */
  readonly windowId: () => number | null
  /** Where our page comes from: `app://breakwater`, or the development server. */
  readonly origin: string
}

/** A frame that has gone, a frame inside the page, another window or another origin is not heard. */
export function isTrusted({ sender, senderFrame }: Asking, { windowId, origin }: SenderRule): boolean {
  if (senderFrame === null || senderFrame.parent !== null || sender.id !== windowId()) return false
  return originOf(senderFrame.url) === origin
}

/** URL.origin is "null" for schemes that Node does not know. */
export function originOf(url: string): string | null {
  try {
    const { protocol, host } = new URL(url)
    return host === '' ? null : `${protocol}//${host}`
  } catch {
    return null
  }
}

export interface IpcDeps extends AnswerDeps {
  readonly ipcMain: Pick<IpcMain, 'handle'>
  readonly senders: SenderRule
}

export function registerCalls({ ipcMain, senders, ...deps }: IpcDeps): void {
  for (const name of Object.keys(CALLS) as CallName[]) {
    ipcMain.handle(callChannel(name), async (event, raw: unknown) => {
      if (isTrusted(event as Asking, senders)) return answerCall(name, raw, deps)
      deps.log.warn({ call: name, from: event.senderFrame?.url ?? 'a frame that has gone' }, 'refused a call')
      return { ok: false, error: { code: 'forbidden', message: 'Only the window may call this.', field: null } }
    })
  }
}

/** A page that is going away cannot be sent to: that is no error. */
export function sendPush(contents: WebContents | null, name: AnyPushName, data: unknown): void {
  if (contents === null || contents.isDestroyed() || contents.isCrashed()) return
  contents.send(pushChannel(name), data)
}
