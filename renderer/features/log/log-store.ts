// The rows of the log page. They come newest first in pages; what is pushed later waits in `pending` while the list is
// held still, and joins the rows when it is let go.
import { create } from 'zustand'
import type { IpcError } from '../../../core/contract/ipc'
import type { RequestView } from '../../../core/contract/views'
import { call } from '../../app/client'
import { mergeRequests } from '../../app/rows'
import { type LogFilter, matches } from './filter'

const PAGE_SIZE = 200
const MOST_ROWS = 20_000

interface LogState {
  readonly filter: LogFilter
  readonly rows: readonly RequestView[]
  readonly pending: readonly RequestView[]
  readonly held: boolean
  readonly busy: boolean
  readonly loaded: boolean
  /** There is nothing older. */
  readonly atEnd: boolean
  readonly error: IpcError | null
}

export const useLog = create<LogState>()(() => ({
  filter: { search: '', outcome: 'all' },
  rows: [],
  pending: [],
  held: false,
  busy: false,
  loaded: false,
  atEnd: false,
  error: null,
}))

const { getState: get, setState: set } = useLog
let generation = 0

const asked = ({ search, outcome }: LogFilter) => ({
  ...(search === '' ? {} : { search }),
  ...(outcome === 'all' ? {} : { outcome }),
})

/** Asks for the newest page again, as the filter says. An older answer that comes late is dropped. */
export async function loadNewest(): Promise<void> {
  generation += 1
  const mine = generation
  set({ busy: true, error: null })
  const answer = await call('log:list', { limit: PAGE_SIZE, ...asked(get().filter) })
  if (mine !== generation) return
  if (answer.ok)
    set({ rows: answer.value, pending: [], busy: false, loaded: true, atEnd: answer.value.length < PAGE_SIZE })
  else set({ busy: false, loaded: true, error: answer.error })
}

export async function loadOlder(): Promise<void> {
  const { busy, atEnd, rows, filter } = get()
  const last = rows.at(-1)
  if (busy || atEnd || last === undefined || rows.length >= MOST_ROWS) return
  const mine = generation
  set({ busy: true })
  const answer = await call('log:list', { limit: PAGE_SIZE, before: { at: last.at, id: last.id }, ...asked(filter) })
  if (mine !== generation) return
  if (answer.ok)
    set((state) => ({
      rows: mergeRequests(state.rows, answer.value, MOST_ROWS),
      busy: false,
      atEnd: answer.value.length < PAGE_SIZE,
    }))
  else set({ busy: false, error: answer.error })
}

export function setFilter(change: Partial<LogFilter>): void {
  set({ filter: { ...get().filter, ...change } })
  void loadNewest()
}

/** New requests, as pushed. */
export function append(requests: readonly RequestView[]): void {
  const { filter, held, rows, pending } = get()
  const fitting = requests.filter((request) => matches(request, filter))
  if (fitting.length === 0) return
  if (held) set({ pending: mergeRequests(pending, fitting, MOST_ROWS) })
  else set({ rows: mergeRequests(rows, fitting, MOST_ROWS) })
}

/** Holds the list still, or lets it go and shows what came meanwhile. */
export function hold(held: boolean): void {
  const { rows, pending } = get()
  if (held) set({ held })
  else set({ held, rows: mergeRequests(rows, pending, MOST_ROWS), pending: [] })
}
