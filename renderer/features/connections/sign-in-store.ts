// The sign-in under way. It goes on while the person is in the browser, or on another page of this window.
import { create } from 'zustand'
import type { CallInput, CallOutput, IpcError } from '../../../core/contract/ipc'
import type { ConnectionView } from '../../../core/contract/views'
import { call } from '../../app/client'
import { showToast } from '../../ui/toast-store'
import { adoptConnection } from './save'

type Begun = Exclude<CallOutput<'oauth:begin'>, { readonly kind: 'done' }>

/** Which form began it: the one that adds, or that of a connection. */
export type Subject = 'add' | ConnectionView['id']

export type SignIn =
  | { readonly at: 'idle' }
  | { readonly at: 'waiting'; readonly subject: Subject; readonly label: string; readonly begun: Begun }
  | { readonly at: 'done'; readonly subject: Subject; readonly connectionId: string }
  | { readonly at: 'failed'; readonly subject: Subject; readonly message: string }

const ASK_EVERY_MS = 1000

export const useSignIn = create<{ readonly signIn: SignIn }>()(() => ({ signIn: { at: 'idle' } }))
const set = (signIn: SignIn): void => useSignIn.setState({ signIn })
const current = (): SignIn => useSignIn.getState().signIn

/** What is known of the sign-in of one form. A hook. */
export const useSignInOf = (subject: Subject): SignIn =>
  useSignIn(({ signIn }) => (signIn.at !== 'idle' && signIn.subject === subject ? signIn : IDLE))
const IDLE: SignIn = { at: 'idle' }

/** Begins, and opens the browser where it is needed. Gives what was refused, to be shown at its field. */
export async function beginSignIn(
  subject: Subject,
  label: string,
  input: CallInput<'oauth:begin'>,
): Promise<IpcError | null> {
  await cancelSignIn()
  const answer = await call('oauth:begin', input)
  if (!answer.ok) return answer.error
  const begun = answer.value
  if (begun.kind === 'done') {
    adoptConnection(begun.connection)
    finish(subject, label, begun.connection.id)
    return null
  }
  set({ at: 'waiting', subject, label, begun })
  follow(begun.signInId)
  if (begun.kind === 'code') openPage(begun.url)
  return null
}

export function openPage(url: string): void {
  void call('app:open-external', { url }).then((answer) => {
    if (!answer.ok) showToast({ text: answer.error.message, bad: true })
  })
}

/** Without effect where none is under way. */
export async function cancelSignIn(): Promise<void> {
  const before = current()
  set({ at: 'idle' })
  if (before.at === 'waiting') await call('oauth:cancel', { signInId: before.begun.signInId })
}

export const forgetSignIn = (): void => set({ at: 'idle' })

function follow(signInId: string): void {
  setTimeout(() => void look(signInId), ASK_EVERY_MS)
}

async function look(signInId: string): Promise<void> {
  const isCurrent = (signIn: SignIn): signIn is Extract<SignIn, { at: 'waiting' }> =>
    signIn.at === 'waiting' && signIn.begun.signInId === signInId
  if (!isCurrent(current())) return
  const answer = await call('oauth:state', { signInId })
  const now = current()
  if (!isCurrent(now)) return
  const { subject, label } = now
  if (!answer.ok) return set({ at: 'failed', subject, message: answer.error.message })
  switch (answer.value.kind) {
    case 'pending':
      return follow(signInId)
    case 'done':
      return finish(subject, label, answer.value.connectionId)
    case 'failed':
      return set({ at: 'failed', subject, message: answer.value.message })
  }
}

function finish(subject: Subject, label: string, connectionId: string): void {
  set({ at: 'done', subject, connectionId })
  showToast({ text: `Signed in to ${label}.` })
}
