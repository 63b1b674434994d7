import type { IpcAnswer, IpcError } from '../../core/contract/ipc'

/** Something the core has and the window shows: not here yet, here, or refused with a reason. */
export type Loadable<T> =
  | { readonly at: 'loading' }
  | { readonly at: 'ready'; readonly value: T }
  | { readonly at: 'failed'; readonly error: IpcError }

export const loading: Loadable<never> = { at: 'loading' }
export const ready = <T>(value: T): Loadable<T> => ({ at: 'ready', value })

export const fromAnswer = <T>(answer: IpcAnswer<T>): Loadable<T> =>
  answer.ok ? ready(answer.value) : { at: 'failed', error: answer.error }

export const valueOr = <T, F>(loadable: Loadable<T>, otherwise: F): T | F =>
  loadable.at === 'ready' ? loadable.value : otherwise

/** The same empty list each time: a selector that made a new one would never be at rest. */
export const NONE: readonly never[] = []
