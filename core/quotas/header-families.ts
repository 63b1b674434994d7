// The headers by which providers tell of limits, one row a family. What a row says is all that is known of it: which
// headers it has, how long its windows last, and whether they are the account's or one model's. A minute's window is
// never taken for a quota (docs/resilience.md, "Allowances").
import type { QuotaCount, QuotaSpan } from '../contract/quota-words'
import type { Headers } from './header-values'
import { ratelimitFields } from './ratelimit-fields'
import type { ReadWindow } from './windows'

/** How long a window lasts. `of the provider`: as its row in the catalogue says; `by its reset`: as far as that is. */
export type SpanRule =
  | QuotaSpan
  | 'of the provider'
  | 'by its reset'
  /** A header says so, in minutes. */
  | { readonly minutes: string; readonly otherwise: QuotaSpan }

export interface WindowRow {
  readonly span: SpanRule
  readonly counts: QuotaCount | null
  /** The used share, and what it is of: 1 or 100. */
  readonly used?: { readonly header: string; readonly of: 1 | 100 }
  readonly limit?: string
  readonly remaining?: string
  /** The first of them that is there; none: nobody says. */
  readonly reset: readonly string[]
}

export interface HeaderFamily {
  readonly id: string
  /** At least one of them is there where the family is. */
  readonly signs: readonly string[]
  /** Its limits are those of the model that was asked. */
  readonly perModel: boolean
  readonly windows: readonly WindowRow[] | ((headers: Headers, at: number) => readonly Omit<ReadWindow, 'model'>[])
  /** The provider refuses for now, whatever the windows say. */
  readonly refusal?: { readonly header: string; readonly word: string; readonly until: string }
}

const unified = (span: '5h' | '7d'): WindowRow => ({
  span,
  counts: null,
  used: { header: `anthropic-ratelimit-unified-${span}-utilization`, of: 1 },
  reset: [`anthropic-ratelimit-unified-${span}-reset`],
})

const codex = (which: 'primary' | 'secondary', otherwise: QuotaSpan): WindowRow => ({
  span: { minutes: `x-codex-${which}-window-minutes`, otherwise },
  counts: null,
  used: { header: `x-codex-${which}-used-percent`, of: 100 },
  reset: [`x-codex-${which}-reset-after-seconds`, `x-codex-${which}-reset-at`],
})

const anthropic = (counts: QuotaCount): WindowRow => {
  const name = `anthropic-ratelimit-${counts.replace(' ', '-')}`
  return { span: 'minute', counts, limit: `${name}-limit`, remaining: `${name}-remaining`, reset: [`${name}-reset`] }
}

/** `x-ratelimit-limit-<what>` and its like. `told`: whether its reset is when the window is whole again. */
const counted = (what: string, span: SpanRule, counts: QuotaCount, told = true): WindowRow => ({
  span,
  counts,
  limit: `x-ratelimit-limit-${what}`,
  remaining: `x-ratelimit-remaining-${what}`,
  reset: told ? [`x-ratelimit-reset-${what}`] : [],
})

export const HEADER_FAMILIES: readonly HeaderFamily[] = [
  {
    id: 'Claude subscriptions',
    signs: ['anthropic-ratelimit-unified-5h-utilization', 'anthropic-ratelimit-unified-7d-utilization'],
    perModel: false,
    windows: [unified('5h'), unified('7d')],
    refusal: {
      header: 'anthropic-ratelimit-unified-status',
      word: 'rejected',
      until: 'anthropic-ratelimit-unified-reset',
    },
  },
  {
    id: 'Codex',
    signs: ['x-codex-primary-used-percent'],
    perModel: false,
    windows: [codex('primary', '5h'), codex('secondary', '7d')],
  },
  {
    id: 'Anthropic',
    signs: [
      'anthropic-ratelimit-requests-limit',
      'anthropic-ratelimit-tokens-limit',
      'anthropic-ratelimit-input-tokens-limit',
    ],
    perModel: true,
    windows: [anthropic('requests'), anthropic('tokens'), anthropic('input tokens'), anthropic('output tokens')],
  },
  {
    // OpenAI, Azure, xAI, Together, Fireworks, DeepInfra, SambaNova …; Groq, whose requests are a day's.
    id: 'OpenAI',
    signs: ['x-ratelimit-limit-requests', 'x-ratelimit-limit-tokens'],
    perModel: true,
    windows: [counted('requests', 'of the provider', 'requests'), counted('tokens', 'minute', 'tokens')],
  },
  {
    // Cerebras and SambaNova (day), Mistral (req, month), DigitalOcean (per-day: a bucket that fills all the while).
    id: 'by the name of the window',
    signs: [
      'x-ratelimit-limit-requests-day',
      'x-ratelimit-limit-tokens-day',
      'x-ratelimit-limit-tokens-minute',
      'x-ratelimit-limit-tokens-month',
      'x-ratelimit-limit-req-minute',
      'x-ratelimit-limit-tokens-per-day',
      'x-ratelimit-limit-tokens-per-minute',
    ],
    perModel: true,
    windows: [
      counted('requests-minute', 'minute', 'requests'),
      counted('requests-hour', 'hour', 'requests'),
      counted('requests-day', 'daily', 'requests'),
      counted('tokens-minute', 'minute', 'tokens'),
      counted('tokens-hour', 'hour', 'tokens'),
      counted('tokens-day', 'daily', 'tokens'),
      counted('tokens-month', 'monthly', 'tokens'),
      counted('req-minute', 'minute', 'requests'),
      counted('req-month', 'monthly', 'requests'),
      counted('tokens-per-minute', 'minute', 'tokens', false),
      counted('tokens-per-day', 'daily', 'tokens', false),
    ],
  },
  {
    // OpenRouter's free models, GitHub Models and many small servers: one window, of which only the reset is said.
    id: 'one window',
    signs: ['x-ratelimit-limit'],
    perModel: true,
    windows: [
      {
        span: 'by its reset',
        counts: 'requests',
        limit: 'x-ratelimit-limit',
        remaining: 'x-ratelimit-remaining',
        reset: ['x-ratelimit-reset'],
      },
    ],
  },
  {
    id: 'RateLimit',
    signs: ['ratelimit', 'ratelimit-limit'],
    perModel: true,
    windows: ratelimitFields,
  },
]
