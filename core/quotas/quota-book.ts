// How much of its allowances each account has used, as headers of its answers and its provider's own pages say
// (docs/resilience.md, "Allowances"). In memory only.
import type { QuotaView, QuotaWindow } from '../routing/target-view'
import { Account, type AccountReading, type Failure, type KnownWindow } from './account'
import type { Headers } from './header-values'
import { type AnsweredCall, familiesIn } from './read-headers'
import { FRESH_MS, isRate } from './windows'

/** What was asked, and of whom. */
export interface Asked {
  readonly model: string
  readonly provider: { readonly row: Pick<AnsweredCall, 'requestLimitSpan'> }
}

const NONE: QuotaView = { kind: 'none' }

export class QuotaBook {
  private readonly accounts = new Map<string, Account>()

  /** Cheap where there is nothing to read: called with every answer. */
  note(connectionId: string, { model, provider }: Asked, headers: Headers, now: number): void {
    for (const family of familiesIn(headers)) {
      this.of(connectionId).tell(family, headers, { model, requestLimitSpan: provider.row.requestLimitSpan }, now)
    }
  }

  read(connectionId: string, reading: AccountReading, now: number): void {
    this.of(connectionId).read(reading, now)
  }

  /** The provider's page could not be read. */
  failed(connectionId: string, failure: Failure): void {
    this.of(connectionId).failed(failure)
  }

  find(connectionId: string): Account | null {
    return this.accounts.get(connectionId) ?? null
  }

  /** Another key, another account. */
  forget(connectionId: string): void {
    this.accounts.delete(connectionId)
  }

  /** @param model what is another model's alone is left out */
  view(connectionId: string, model: string, now: number): QuotaView {
    const account = this.accounts.get(connectionId)
    if (account === undefined) return NONE
    const windows = account.windows(model, now).flatMap((window) => (isRate(window.span) ? [] : reliable(window, now)))
    const refused = account.isRefused(now)
    if (windows.length === 0 && !refused) return withoutWindows(account)
    const used = windows.flatMap(({ usedPercent }) => usedPercent ?? [])
    const resets = windows.flatMap(({ resetAt }) => resetAt ?? [])
    const readAt = Math.max(account.reading?.at ?? 0, ...windows.map((window) => window.readAt))
    return {
      kind: 'known',
      windows: byName(windows),
      usedPercent: used.length === 0 ? null : Math.max(...used),
      resetAt: resets.length === 0 ? null : Math.min(...resets),
      limitReached: refused || used.some((percent) => percent >= 100),
      fresh: now - readAt < FRESH_MS,
    }
  }

  private of(connectionId: string): Account {
    const known = this.accounts.get(connectionId)
    if (known !== undefined) return known
    const account = new Account()
    this.accounts.set(connectionId, account)
    return account
  }
}

/** Money that is there is no quota: nothing of it comes back, and nobody says what is much. */
const withoutWindows = ({ reading, lastFailure }: Account): QuotaView =>
  reading === null && lastFailure?.hidesQuota === true ? { kind: 'unreadable' } : NONE

/** What no moment renews is believed only while it is fresh: an account that is never asked would be spent for ever. */
const reliable = (window: KnownWindow, now: number): KnownWindow =>
  window.resetAt === null && now - window.readAt >= FRESH_MS && window.usedPercent !== 0
    ? { ...window, usedPercent: null }
    : window

/** Of several that count different things over the same time, the one that is used most. */
function byName(windows: readonly KnownWindow[]): QuotaWindow[] {
  const named = new Map<string, QuotaWindow>()
  for (const { span, model, usedPercent, resetAt } of windows) {
    if (isRate(span)) continue
    const name = (model === null ? span : `${span}:${model}`) as QuotaWindow['name']
    const known = named.get(name)
    if (known === undefined || (usedPercent ?? -1) > (known.usedPercent ?? -1)) {
      named.set(name, { name, usedPercent, resetAt })
    }
  }
  return [...named.values()]
}
