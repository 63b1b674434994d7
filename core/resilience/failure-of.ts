// A verdict and its consequences → the orders that the state machines of health take. The machines know their own
// ladders and levels; here it is only said what rests, and whose word counts for how long. Pure.
import type { AccountOrder, Evidence, Failure, LockOrder, RestOrder } from './health-events'
import type { Consequences } from './verdict/consequences'
import type { Lasting, Verdict } from './verdict/verdict'

const DAY_MS = 86_400_000

/** `queueMs`: how long the queue would hold a request; a typed wait beyond it is believed up to a day. */
export function failureOf(verdict: Verdict, consequences: Consequences, queueMs: number): Failure {
  const { reason, message, status, statedWait } = verdict
  const isTyped = statedWait?.source === 'retry-info' && statedWait.ms > queueMs
  return {
    ...{ reason, message, status },
    evidence: evidenceOf(verdict),
    rest: consequences.cooldown === null ? null : restOrder(verdict, consequences, isTyped),
    lock: consequences.lockout === null ? null : lockOrder(verdict, consequences.lockout.rest, isTyped),
    account: ACCOUNT_ORDERS[verdict.lasting] ?? null,
    egress: consequences.egress,
  }
}

const ACCOUNT_ORDERS: Readonly<Partial<Record<Lasting, AccountOrder>>> = {
  money: 'credits',
  banned: 'banned',
  credential: 'unauthorized',
  rejection: 'rejected',
}

function evidenceOf({ breakerKind, reason, status }: Verdict): Evidence {
  switch (breakerKind) {
    case 'transient':
      return { kind: 'against', network: reason === 'network_error' }
    case 'rate_limit':
    case 'quota_exhausted':
      return { kind: 'limited', as: breakerKind }
    case null:
      return { kind: SILENT.has(reason) || status === 529 ? 'none' : 'life' }
  }
}

/** They prove nothing about the provider, not even that it lives. */
const SILENT: ReadonlySet<Verdict['reason']> = new Set<Verdict['reason']>([
  'aborted',
  'local',
  'empty_answer',
  'stream_stall',
  'throughput_too_low',
  'network_error',
])

function restOrder(
  { lasting, statedWait, ruleRest }: Verdict,
  { cooldown }: Consequences,
  beyondQueue: boolean,
): RestOrder | null {
  const statedMs = statedWait?.ms ?? null
  if (ruleRest !== null && cooldown?.from === 'rule') return { kind: 'flat', ms: cooldown.ms }
  switch (lasting) {
    case 'passing':
    case 'absent':
      return { kind: 'ladder', statedMs, beyondQueue }
    case 'concurrency':
      return { kind: 'concurrency', statedMs }
    case 'usage':
    case 'session':
    case 'day':
    case 'week':
    case 'month':
    case 'quota':
      return { kind: 'quota', statedMs, usualMs: cooldown === null || cooldown.from === 'ladder' ? null : cooldown.ms }
    case 'place':
      return { kind: 'flat', ms: cooldown?.ms ?? DAY_MS }
    case 'stall':
      return { kind: 'stall' }
    // These rest by what is held against the account, or not at all.
    case 'credential':
    case 'rejection':
    case 'money':
    case 'banned':
    case 'nothing':
      return null
  }
}

function lockOrder(
  { reason, status, lasting, statedWait, ruleRest }: Verdict,
  rest: NonNullable<Consequences['lockout']>['rest'],
  isTyped: boolean,
): LockOrder {
  const scope =
    reason === 'not_found' ? 'not-found' : status === 402 || status === 403 || status === 429 ? 'quota' : 'exact'
  const isQuota = reason === 'quota_exhausted'
  const isComputed = rest.from === 'ladder' || (rest.from === 'flat' && !FIXED.has(lasting))
  return {
    scope,
    // "At once" is told as it came: it rests a second and climbs all the same.
    ms: isComputed ? null : rest.from === 'stated' && statedWait?.ms === 0 ? 0 : rest.ms,
    isReset: isQuota || rest.from === 'stated' || (rest.from === 'rule' && ruleRest?.capped === false),
    ...(isQuota ? {} : isTyped ? { longestMs: DAY_MS } : {}),
  }
}

/** Allowances that rest a fixed time where none is stated. */
const FIXED: ReadonlySet<Lasting> = new Set<Lasting>([
  'usage',
  'session',
  'day',
  'week',
  'month',
  'concurrency',
  'place',
])
