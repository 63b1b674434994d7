// What follows from a verdict: one table by how long the trouble lasts, and where it rests by whom it is about. Pure; the
// shells apply it (docs/resilience.md, "What follows from a failure").
import type { BreakerKind, TerminalState } from '../../contract/health-words'
import type { ResilienceSettings } from '../../contract/resilience-settings'
import type { ProviderRow } from '../../providers/provider-row'
import { CONCURRENCY_LIMIT_COOLDOWN_MS } from '../connection-cooldown'
import { lockKey, lockScope } from '../lockout'
import { DAY_MS } from '../rest'
import { EXPIRED_RETRY_MAX, FIRST_RETRY_MS, REJECTED_REST_MS } from '../terminal'
import { connectionLadder, flat, lockoutLadder, type Rest, statedPause, statedReset } from './rest'
import type { Lasting, NextStep, Verdict } from './verdict'
import { nextMidnight } from './wait/zones'

export interface Situation {
  readonly row: ProviderRow
  readonly connection: string
  /** What was asked for, as the provider calls it. */
  readonly model: string
  readonly settings: ResilienceSettings
  /** How long the queue would hold a request: a typed wait beyond it rests the model longer. */
  readonly queueMs: number
  /** The connection's `backoffLevel`. */
  readonly level: number
  /** Failures of the lock before this one, within the window in which they add up. */
  readonly modelFailures: number
  /** Rejections in a row before this one. */
  readonly rejections: number
  /** Retries of a refused credential so far. */
  readonly credentialRetries: number
  /** The connection's own switch: no rests but terminal states. */
  readonly disableCooling: boolean
  readonly now: number
  /** The user's; the provider's own comes first. */
  readonly timeZone: string
}

export interface Consequences {
  /** What it counts as against the provider's breaker; null: nothing. */
  readonly breaker: BreakerKind | null
  /** The connection rests; null: it does not. */
  readonly cooldown: Rest | null
  /** A model of the connection rests. */
  readonly lockout: { readonly key: string; readonly rest: Rest } | null
  /** Only a person ends it. */
  readonly terminal: TerminalState | null
  /** The credential is to be tried again when the cooldown ends. */
  readonly retryCredential: boolean
  /** Joins the streak of rejections. */
  readonly rejected: boolean
  /** Every connection that leaves by the same address rests as long. */
  readonly egress: boolean
  readonly next: NextStep
}

interface Row {
  /** `none`: no rest. `quota`: the ladder for a connection, midnight for a model. */
  readonly rest: 'none' | 'ladder' | 'quota' | 'midnight' | 'streak' | 'retries' | { readonly ms: number }
  /** How a stated wait is believed. */
  readonly stated: 'never' | 'hint' | 'always'
  readonly terminal?: TerminalState
}

const HOUR_MS = 3_600_000

const TABLE: Readonly<Record<Lasting, Row>> = {
  nothing: { rest: 'none', stated: 'never' },
  passing: { rest: 'ladder', stated: 'hint' },
  concurrency: { rest: { ms: CONCURRENCY_LIMIT_COOLDOWN_MS }, stated: 'hint' },
  usage: { rest: { ms: HOUR_MS }, stated: 'always' },
  session: { rest: { ms: 5 * HOUR_MS }, stated: 'always' },
  day: { rest: 'midnight', stated: 'always' },
  week: { rest: { ms: DAY_MS }, stated: 'always' },
  month: { rest: { ms: DAY_MS }, stated: 'always' },
  quota: { rest: 'quota', stated: 'always' },
  absent: { rest: 'ladder', stated: 'never' },
  place: { rest: { ms: DAY_MS }, stated: 'never' },
  stall: { rest: 'none', stated: 'never' },
  rejection: { rest: 'streak', stated: 'never' },
  credential: { rest: 'retries', stated: 'never' },
  money: { rest: 'none', stated: 'never', terminal: 'credits_exhausted' },
  banned: { rest: 'none', stated: 'never', terminal: 'banned' },
}

export function consequencesOf(verdict: Verdict, situation: Situation): Consequences {
  const { settings, row, disableCooling } = situation
  const rule = TABLE[verdict.lasting]
  const profile = settings.connectionCooldown[row.class === 'oauth' ? 'oauth' : 'apikey']
  const terminal = rule.terminal ?? endOfStreak(verdict.lasting, situation)
  const place = terminal === null ? placeOf(verdict, situation) : 'nowhere'
  const isRetry = verdict.lasting === 'credential'
  return {
    breaker:
      verdict.breakerKind === 'transient' || profile.useUpstream429BreakerHints === true ? verdict.breakerKind : null,
    cooldown: place === 'connection' && (!disableCooling || isRetry) ? restOf(verdict, situation, false) : null,
    lockout: place === 'model' ? withRest(lockName(verdict, situation), restOf(verdict, situation, true)) : null,
    terminal,
    retryCredential: isRetry && terminal === null,
    rejected: verdict.lasting === 'rejection',
    egress: place === 'connection' && verdict.scope === 'egress' && row.egressLimited && !disableCooling,
    next: verdict.next,
  }
}

const lockName = ({ reason, status }: Verdict, { row, connection, model }: Situation): string =>
  lockKey(
    row,
    { providerId: row.id, connectionId: connection, model },
    reason === 'not_found' ? 'not-found' : lockScope(status),
  )

const withRest = (key: string, rest: Rest | null) => (rest === null ? null : { key, rest })

function endOfStreak(lasting: Lasting, { rejections, credentialRetries }: Situation): TerminalState | null {
  if (lasting === 'rejection') return rejections >= REJECTED_REST_MS.length ? 'banned' : null
  if (lasting === 'credential') return credentialRetries >= EXPIRED_RETRY_MAX ? 'expired' : null
  return null
}

/** Where it rests (docs/resilience.md, "The smallest scope"). */
function placeOf(verdict: Verdict, { row, settings, disableCooling }: Situation): 'connection' | 'model' | 'nowhere' {
  const { scope, scopeByRule, status, reason, lasting } = verdict
  if (lasting === 'stall') return settings.streamStallCooldown.enabled ? 'connection' : 'nowhere'
  const { enabled, errorCodes } = settings.modelLockout
  const bySetting = enabled && errorCodes.includes(status)
  switch (scope) {
    case 'request':
    case 'nobody':
      return 'nowhere'
    case 'model': {
      const always = row.perModelQuota || scopeByRule || status === 429 || reason === 'not_found'
      if (always || bySetting) return 'model'
      return 'nowhere'
    }
    case 'connection':
    case 'provider':
      if (scopeByRule)
        return disableCooling && reason === 'quota_exhausted' && row.perModelQuota ? 'model' : 'connection'
      return bySetting && MAY_BE_MODEL.has(lasting) ? 'model' : reason === 'not_found' ? 'nowhere' : 'connection'
    case 'egress':
      return disableCooling && row.perModelQuota && status === 429 ? 'model' : 'connection'
  }
}

/** What a setting may charge to the model: not the account's money, rights or parallel requests. */
const MAY_BE_MODEL: ReadonlySet<Lasting> = new Set([
  ...(['passing', 'usage', 'session', 'day', 'week', 'month', 'quota', 'absent'] as const),
])

function restOf(verdict: Verdict, situation: Situation, ofModel: boolean): Rest | null {
  const { settings, row, level, modelFailures, queueMs, now, timeZone } = situation
  const { lasting, ruleRest, statedWait } = verdict
  const { rest, stated } = TABLE[lasting]
  const profile = settings.connectionCooldown[row.class === 'oauth' ? 'oauth' : 'apikey']
  if (ruleRest !== null && !ruleRest.capped) return flat(ruleRest.ms, 'rule')
  if (statedWait !== null && (stated === 'always' || (stated === 'hint' && profile.useUpstreamRetryHints))) {
    return isQuota(verdict) ? statedReset(statedWait) : statedPause(statedWait, queueMs)
  }
  if (ruleRest !== null) return flat(Math.min(ruleRest.ms, settings.modelLockout.maxCooldownMs), 'rule')
  const midnight = (): Rest => flat(nextMidnight(now, row.quotaTimeZone ?? timeZone) - now, 'midnight')
  const ladder = (): Rest =>
    ofModel
      ? lockoutLadder(settings.modelLockout, modelFailures)
      : connectionLadder(profile, settings.modelLockout, level)
  switch (rest) {
    case 'none':
      // A stall rests only where the setting says so, and then like any other failure.
      return lasting === 'stall' ? ladder() : null
    case 'ladder':
      return ladder()
    case 'quota':
      return ofModel ? midnight() : ladder()
    case 'midnight':
      return midnight()
    case 'streak':
      return flat(REJECTED_REST_MS[situation.rejections] ?? 0)
    case 'retries':
      return flat(FIRST_RETRY_MS * 2 ** situation.credentialRetries)
    default:
      return flat(rest.ms)
  }
}

const isQuota = ({ reason }: Verdict): boolean => reason === 'quota_exhausted'
