// What is known of one connection's allowances: the last word of each family of headers, for each model where they are
// a model's, and the last word of the provider's own page. Headers are kept as they came and read when somebody asks:
// far more answers come than questions.
import type { QuotaSourceName } from '../contract/quota-words'
import type { HeaderFamily } from './header-families'
import type { Headers } from './header-values'
import { type AnsweredCall, refusedUntil, windowsIn } from './read-headers'
import { FRESH_MS, isRate, type ReadWindow } from './windows'

export interface Money {
  readonly amount: number
  /** "USD", "CNY". */
  readonly currency: string
}

/** What a provider's page says of an account. */
export interface AccountReading {
  readonly windows: readonly ReadWindow[]
  readonly money: Money | null
  /** It says that nothing can be asked for now. */
  readonly refused: boolean
}

export interface KnownWindow extends ReadWindow {
  readonly readAt: number
  readonly from: QuotaSourceName
}

export interface Failure {
  /** In words for a person, without a key. */
  readonly why: string
  readonly at: number
  /** The page tells of quotas, not only of money: without it nobody knows whether anything is left. */
  readonly hidesQuota: boolean
}

interface Told {
  readonly family: HeaderFamily
  readonly headers: Headers
  readonly call: AnsweredCall
  readonly at: number
  windows: readonly KnownWindow[] | null
}

/** Of so many models and families at most; the one that was told of longest ago is given up. */
const MOST_TOLD = 64

export class Account {
  private readonly told = new Map<string, Told>()
  private page: {
    readonly reading: AccountReading
    readonly windows: readonly KnownWindow[]
    readonly at: number
  } | null = null
  /** When the page was tried last, and why that failed; null: it did not, or was never tried. */
  private failure: Failure | null = null

  tell(family: HeaderFamily, headers: Headers, call: AnsweredCall, at: number): void {
    const key = family.perModel ? `${family.id}\n${call.model}` : family.id
    this.told.delete(key)
    this.told.set(key, { family, headers, call, at, windows: null })
    for (const oldest of this.told.keys()) if (this.told.size > MOST_TOLD) this.told.delete(oldest)
  }

  read(reading: AccountReading, at: number): void {
    const windows = reading.windows.map((window) => ({ ...window, readAt: at, from: 'provider' as const }))
    this.page = { reading, windows, at }
    this.failure = null
  }

  failed(failure: Failure): void {
    this.failure = failure
  }

  /** What the provider's page said, and when; null: it was never read. */
  get reading(): { readonly reading: AccountReading; readonly at: number } | null {
    return this.page
  }

  get lastFailure(): Failure | null {
    return this.failure
  }

  /**
   * As they are now: a quota that has begun anew is as good as unused, a rate that has is not known any more.
   * @param model only the account's and its; null: all
   */
  windows(model: string | null, now: number): KnownWindow[] {
    const known: KnownWindow[] = []
    const add = (window: KnownWindow): void => {
      if (model !== null && window.model !== null && window.model !== model) return
      const present = isRate(window.span) ? rateNow(window, now) : quotaNow(window, now)
      if (present !== null) known.push(present)
    }
    for (const told of this.told.values()) {
      told.windows ??= windowsIn(told.family, told.headers, told.call, told.at).map((window) => ({
        ...window,
        readAt: told.at,
        from: 'headers',
      }))
      told.windows.forEach(add)
    }
    this.page?.windows.forEach(add)
    return known
  }

  /** By the word of its page: nobody asks it any more, so that only the page can tell when that is over. */
  get isSpentByPage(): boolean {
    if (this.page === null) return false
    const { reading, windows } = this.page
    return reading.refused || windows.some(({ usedPercent }) => usedPercent !== null && usedPercent >= 100)
  }

  /** The provider refuses for now, whatever the windows say. */
  isRefused(now: number): boolean {
    if (this.page?.reading.refused === true && now - this.page.at < FRESH_MS) return true
    for (const { family, headers, at } of this.told.values()) {
      const until = refusedUntil(family, headers, at)
      if (until !== null && now < until) return true
    }
    return false
  }
}

const quotaNow = (window: KnownWindow, now: number): KnownWindow =>
  window.resetAt !== null && window.resetAt <= now ? { ...window, usedPercent: 0, resetAt: null } : window

/** Without a reset it lasts as long as its span says. */
function rateNow(window: KnownWindow, now: number): KnownWindow | null {
  const end = window.resetAt ?? window.readAt + (window.span === 'minute' ? 60_000 : 3_600_000)
  return end <= now ? null : window
}
