// The combos as the core has them, and what is being edited. Edits that are not saved stay until they are thrown away:
// closing the panel or looking at another combo loses nothing.
import { create } from 'zustand'
import type { ComboView } from '../../../core/contract/combo-views'
import { call, onPush } from '../../app/client'
import { fromAnswer, type Loadable, loading, NONE, ready, valueOr } from '../../app/loadable'
import { showToast } from '../../ui/toast-store'
import { type ComboDraft, EMPTY_COMBO, isTouched } from './combo-draft'
import { moved } from './step-draft'

const UNDO_MS = 8000
/** In place of an id: the combo that is being made. */
export const NEW = 'new'

export interface Edit {
  readonly draft: ComboDraft
  /** As it was when editing began; null: it is new. */
  readonly base: ComboView | null
}

interface CombosState {
  readonly combos: Loadable<readonly ComboView[]>
  /** A combo's id, or `NEW`; null: no panel. */
  readonly open: string | null
  readonly edits: Readonly<Record<string, Edit>>
  /** Counts changes of any combo: what was shown of their order is old then. */
  readonly changes: number
}

export const useCombos = create<CombosState>()(() => ({ combos: loading, open: null, edits: {}, changes: 0 }))

const { getState: get, setState: set } = useCombos
const list = (): readonly ComboView[] => valueOr(get().combos, NONE)
const setList = (combos: readonly ComboView[]): void => set({ combos: ready(combos), changes: get().changes + 1 })

export async function loadCombos(): Promise<void> {
  set({ combos: fromAnswer(await call('combos:list')) })
}

/** Asks for all and follows what changes. Returns how it stops. */
export function followCombos(): () => void {
  const stop = onPush('combos:changed', setList)
  void loadCombos()
  return stop
}

export const openCombo = (open: string | null): void => set({ open })

export function openNewCombo(draft?: ComboDraft): void {
  const { edits } = get()
  const kept = draft === undefined ? edits[NEW] : { draft, base: null }
  set({ open: NEW, edits: kept === undefined ? edits : { ...edits, [NEW]: kept } })
}

export const dropEdit = (id: string): void =>
  set(({ edits }) => ({ edits: Object.fromEntries(Object.entries(edits).filter(([key]) => key !== id)) }))

/** A draft that is as the combo was is none. */
export function keepEdit(id: string, edit: Edit): void {
  if (isTouched(edit.draft, edit.base)) set(({ edits }) => ({ edits: { ...edits, [id]: edit } }))
  else dropEdit(id)
}

/** Thrown away at once; can be taken back for eight seconds. */
export function discard(id: string, edit: Edit, name: string): void {
  dropEdit(id)
  if (id === NEW) openCombo(null)
  const undo = () => {
    keepEdit(id, edit)
    openCombo(id)
  }
  showToast({ text: `Discarded the edits of ${name}.`, forMs: UNDO_MS, action: { label: 'Undo', run: undo } })
}

export const NEW_EDIT: Edit = { draft: EMPTY_COMBO, base: null }

/** Before the push arrives. */
export function adoptCombo(combo: ComboView): void {
  const known = list().some(({ id }) => id === combo.id)
  setList(known ? list().map((each) => (each.id === combo.id ? combo : each)) : [...list(), combo])
}

export async function duplicateCombo({ id }: ComboView): Promise<void> {
  const answer = await call('combos:duplicate', { id })
  if (!answer.ok) return showToast({ text: answer.error.message, bad: true })
  adoptCombo(answer.value)
  openCombo(answer.value.id)
}

/** Gone at once; can be taken back for eight seconds. */
export async function removeCombo({ id, name }: ComboView): Promise<void> {
  const answer = await call('combos:remove', { id })
  if (!answer.ok) return showToast({ text: answer.error.message, bad: true })
  if (get().open === id) openCombo(null)
  dropEdit(id)
  setList(list().filter((each) => each.id !== id))
  showToast({
    text: `Deleted combo ${name}.`,
    forMs: UNDO_MS,
    action: { label: 'Undo', run: () => void restoreCombo(id) },
  })
}

async function restoreCombo(id: string): Promise<void> {
  const answer = await call('combos:restore', { id })
  if (answer.ok) adoptCombo(answer.value)
  else showToast({ text: answer.error.message, bad: true })
}

/** Shown at once; put back where the core refuses. */
export async function moveCombo(from: number, to: number): Promise<void> {
  const before = list()
  const after = moved(before, from, to)
  if (after === before) return
  setList(after)
  const answer = await call('combos:reorder', { ids: after.map(({ id }) => id) })
  setList(answer.ok ? answer.value : before)
  if (!answer.ok) showToast({ text: answer.error.message, bad: true })
}
