// Which connections the cooldown manager lists, and which of them can be cleared. Pure.
import type { CooldownRow, LockoutView } from '../../../core/contract/health-views'

export const SHOWN = ['out', 'cooling_down', 'model_locked', 'terminal', 'all'] as const
export type Shown = (typeof SHOWN)[number]

export interface CooldownFilter {
  /** A provider's id; empty: all. */
  readonly provider: string
  readonly shown: Shown
}

const isOut = ({ status }: CooldownRow): boolean =>
  status === 'terminal' || status === 'cooling_down' || status === 'model_locked'

export function shownRows(rows: readonly CooldownRow[], { provider, shown }: CooldownFilter): readonly CooldownRow[] {
  return rows
    .filter((row) => provider === '' || row.provider === provider)
    .filter((row) => shown === 'all' || (shown === 'out' ? isOut(row) : row.status === shown))
}

/** Terminal ones are listed and never cleared: what they need is a new key or a reset of their own. */
export const canClear = (row: CooldownRow): boolean =>
  row.status === 'cooling_down' ||
  row.status === 'model_locked' ||
  (row.status !== 'terminal' && row.lockouts.length > 0)

/** Those of the selection that are still shown and can still be cleared. */
export const selectedRows = (rows: readonly CooldownRow[], selected: ReadonlySet<string>): readonly CooldownRow[] =>
  rows.filter((row) => selected.has(row.id) && canClear(row))

/** All that can be cleared, or none where all of them are selected already. */
export function toggleAll(rows: readonly CooldownRow[], selected: ReadonlySet<string>): ReadonlySet<string> {
  const all = rows.filter(canClear).map(({ id }) => id)
  return all.every((id) => selected.has(id)) ? new Set() : new Set(all)
}

export function toggleOne(selected: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(selected)
  if (!next.delete(id)) next.add(id)
  return next
}

/** Those of a provider that a filter is set to. */
export const shownLockouts = (lockouts: readonly LockoutView[], provider: string): readonly LockoutView[] =>
  lockouts.filter((lockout) => provider === '' || lockout.provider === provider)

/** When the last model of a connection returns; null where none rests. */
export function lastReturn(lockouts: readonly LockoutView[], connectionId: string): number | null {
  const ends = lockouts.flatMap((each) => (each.connectionId === connectionId ? [Date.parse(each.expiresAt)] : []))
  return ends.length === 0 ? null : Math.max(...ends)
}
