// Why a provider or a model is kept out, in words: what breakers, window gates and locks look like to those who ask.
import type { BreakerKind } from '../contract/health-words'
import type { Reason } from '../contract/kinds'
import type { BreakerStatus } from './circuit-breaker'
import type { Gate } from './health-events'
import type { Lock } from './lockout'
import type { Cooling } from './provider-cooldown'

const KIND_REASONS: Readonly<Record<BreakerKind, Reason>> = {
  transient: 'server_error',
  rate_limit: 'rate_limit_exceeded',
  quota_exhausted: 'quota_exhausted',
}

/** Of a breaker that lets nothing through. */
export function breakerGate(status: BreakerStatus, now: number): Gate {
  const { state, failureCount, lastFailureKind, retryAfterMs, since } = status
  const isProbing = state === 'HALF_OPEN'
  return {
    kind: 'closed',
    gate: 'breaker',
    reason: KIND_REASONS[lastFailureKind ?? 'transient'],
    since: Math.min(since ?? now, now),
    until: now + retryAfterMs,
    why: isProbing
      ? 'The provider was down; one request is trying whether it is back.'
      : `The provider failed ${failureCount === 1 ? 'once' : `${failureCount} times`}: requests are held back until it is tried again.`,
    endsBy: 'probe',
  }
}

export function coolingGate(
  { since, until, failures }: Cooling,
  gate: 'provider-cooldown' | 'connection-window',
): Gate {
  const who = gate === 'provider-cooldown' ? 'The provider' : 'The connection'
  const why = `${who} failed ${failures === 1 ? 'a moment ago' : `${failures} times of late`}: combos pass it over.`
  return { kind: 'closed', gate, reason: 'server_error', since, until, why, endsBy: 'time' }
}

export function lockGate({ reason, since, until, message, model }: Lock): Gate {
  const why = message === '' ? `${model} rests on this connection.` : message
  return { kind: 'closed', gate: 'lockout', reason, since, until, why, endsBy: 'time' }
}
