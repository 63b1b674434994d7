// What the pipeline tells the health of an attempt, in the words of the state machines: plain orders, already decided.
// Whoever classifies an answer translates its verdict into these; nothing here knows of statuses and texts.
import type { Ending, GateName, TerminalState } from '../contract/health-words'
import type { ProviderClass, Reason } from '../contract/kinds'
import type { Ticket } from './breaker'
import type { CircuitBreaker } from './circuit-breaker'

/** What the machines must know of a provider: columns of its row. */
export interface ProviderFacts {
  readonly id: string
  readonly class: ProviderClass
  /** Models that share one quota, first match wins. */
  readonly quotaFamilies: readonly { readonly family: string; readonly models: RegExp }[]
  /** Never counted: the breaker lets everything through. */
  readonly breakerExempt?: boolean
}

/** Whom a request is about to be sent to. */
export interface Subject {
  readonly providerId: string
  readonly connectionId: string
  /** The bare upstream id. */
  readonly model: string
}

/** The token of one attempt: it is given back exactly once, with what came of it. */
export interface Admission extends Subject {
  readonly kind: 'admitted'
  /** Order of all admissions and marks: tells what was known when the request was let through. */
  readonly seq: number
  /** null: the provider is exempt. */
  readonly breaker: CircuitBreaker | null
  readonly ticket: Ticket
}

/** Why a target is kept out: asked of a provider, a connection or a model; null there means "nothing does". */
export interface Gate {
  readonly kind: 'closed'
  readonly gate: GateName
  readonly reason: Reason
  readonly since: number
  /** null: no time ends it. */
  readonly until: number | null
  /** One sentence. */
  readonly why: string
  readonly endsBy: Ending
}

/** What an attempt says of the provider as a whole (docs/resilience.md, "Circuit breaker: what counts"). */
export type Evidence =
  /** 408, 500, 502, 503, 504, a timeout, a network error (`network`: nothing but the network failed). */
  | { readonly kind: 'against'; readonly network: boolean }
  /** 429: counts only where the hints are on, else it is a sign of life. */
  | { readonly kind: 'limited'; readonly as: 'rate_limit' | 'quota_exhausted' }
  /** Another status: the provider answers. Settles a probe well, and changes nothing else. */
  | { readonly kind: 'life' }
  /** 529, aborts, local errors, our own watchdogs: a probe's slot goes back. */
  | { readonly kind: 'none' }

/** How long the connection rests. Waits in milliseconds; `statedMs` only what the upstream itself said, null: nothing. */
export type RestOrder =
  /** A short limit or a fault: the ladder, or the stated wait where hints are on (`beyondQueue`: believed up to 24 h). */
  | { readonly kind: 'ladder'; readonly statedMs: number | null; readonly beyondQueue?: boolean }
  /** A spent allowance: until its stated reset, else for `usualMs`, else the ladder. */
  | { readonly kind: 'quota'; readonly statedMs: number | null; readonly usualMs: number | null }
  /** Too many at once: one second or the stated wait; the level stays. */
  | { readonly kind: 'concurrency'; readonly statedMs: number | null }
  /** A time that a rule gives, exact; the level stays. */
  | { readonly kind: 'flat'; readonly ms: number }
  /** A stalled stream: the ladder where `streamStallCooldown.enabled`, else nothing. */
  | { readonly kind: 'stall' }

/** What a lock is about: `quota`: 402, 403, 429; `not-found`: 404; `exact`: everything else, and where a rule says so. */
export type LockScope = 'quota' | 'not-found' | 'exact'

export interface LockOrder {
  readonly scope: LockScope
  /** What the upstream or a rule says; null: the ladder. */
  readonly ms: number | null
  /** `ms` is the upstream's own reset, or a person's rule: believed beyond `maxCooldownMs`. */
  readonly isReset: boolean
  /** How long it may be; 24 h for a wait, 30 days for a quota's reset. Only with `isReset`. */
  readonly longestMs?: number
}

/** Marks against the account itself. */
export type AccountOrder =
  /** A ban phrase. */
  | 'banned'
  /** Money: a person must pay. */
  | 'credits'
  /** 401: retried a few times before it is `expired`. */
  | 'unauthorized'
  /** Nothing to retry with: expired at once. */
  | 'expired'
  /** "Request not allowed", or a 403 of a sign-in without a ban phrase: the third in a row is a ban. */
  | 'rejected'

export interface Failure {
  readonly reason: Reason
  /** The upstream's words, keys removed; shown, and kept shortened. */
  readonly message: string
  /** HTTP status; null: none came. */
  readonly status: number | null
  readonly evidence: Evidence
  /** The next target is the same provider again, so it is not counted yet. A probe settles all the same. */
  readonly sameProviderNext?: boolean
  readonly rest: RestOrder | null
  readonly lock: LockOrder | null
  readonly account: AccountOrder | null
  /** The limit is counted by address: all that leave by the same one rest with it. */
  readonly egress?: boolean
}

/** What a failure led to, for the log. */
export interface Consequence {
  /** When the connection is back; null: it does not rest. */
  readonly restsUntil: number | null
  readonly lock: { readonly key: string; readonly until: number } | null
  readonly terminal: TerminalState | null
}
