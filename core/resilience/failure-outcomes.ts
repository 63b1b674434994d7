// What a failed attempt means for provider, connection and model: each is told its own part.
import type { TerminalState } from '../contract/health-words'
import type { ConnectionEntry, MarkContext } from './connection-book'
import type { Admission, Consequence, Failure, LockOrder, ProviderFacts } from './health-events'
import type { HealthParts } from './health-parts'
import type { Lock } from './lockout'
import { breakerHintsOn, cooldownProfile } from './provider-breakers'
import { isRunning } from './rest'

/** Nothing rests because of it. */
export const NO_CONSEQUENCE: Consequence = { restsUntil: null, lock: null, terminal: null }

export function applyFailure(
  parts: HealthParts,
  admission: Admission,
  failure: Failure,
  facts: ProviderFacts,
  now: number,
): Consequence {
  countForProvider(parts, admission, failure, facts, now)
  if (parts.connections.wasClearedSince(admission)) return NO_CONSEQUENCE
  const entry = markConnection(parts, admission, failure, facts, now)
  const isTerminal = entry?.account.kind === 'terminal'
  const order = isTerminal ? null : lockOrder(parts, admission, failure)
  const lock = order === null ? null : recordLock(parts, admission, failure, order, facts, now)
  const rest = entry?.cooldown.rest ?? null
  return {
    restsUntil: rest !== null && isRunning(rest, now) ? rest.until : null,
    lock: lock === null ? null : { key: lock.key, until: lock.until },
    terminal: entry?.account.kind === 'terminal' ? entry.account.state : null,
  }
}

/** A probe is settled by every outcome; others count only as evidence against the provider, once for one fault. */
function countForProvider(
  { deps, dedup, windows }: HealthParts,
  { providerId, connectionId, breaker, ticket }: Admission,
  { evidence, sameProviderNext }: Failure,
  facts: ProviderFacts,
  now: number,
): void {
  if (breaker === null) return
  const limited = evidence.kind === 'limited'
  const against = evidence.kind === 'against' || (limited && breakerHintsOn(deps.settings(), facts.class))
  const isProbe = breaker.isProbing(ticket, now)
  if (!against) {
    if (isProbe && evidence.kind !== 'none') breaker.succeeded(ticket, now)
    else breaker.release(ticket)
    return
  }
  const network = evidence.kind === 'against' && evidence.network
  const isCounted =
    isProbe ||
    (sameProviderNext !== true && breaker.counts(ticket, now) && dedup.counts(providerId, connectionId, network, now))
  if (!isCounted) return
  breaker.failed(ticket, limited ? evidence.as : 'transient', now)
  const window = deps.settings().providerCooldown
  if (window.enabled) windows.failed(providerId, connectionId, window[facts.class], now)
}

/** undefined: nothing is known against the connection, and this failure is not about it. */
function markConnection(
  parts: HealthParts,
  admission: Admission,
  failure: Failure,
  facts: ProviderFacts,
  now: number,
): ConnectionEntry | undefined {
  const { deps, connections } = parts
  const { connectionId } = admission
  if (failure.rest === null && failure.account === null && failure.lock === null)
    return connections.entry(connectionId, now)
  const coolingDisabled = deps.coolingDisabled?.(connectionId) ?? false
  const before = terminalOf(parts, connectionId, now)
  const context = markContext(parts, facts, coolingDisabled, now)
  const entry = connections.failed(admission, failure, context)
  tellTerminal(parts, connectionId, before, now)
  const { rest } = entry.cooldown
  const restsTogether = failure.egress === true && !coolingDisabled && entry.account.kind !== 'terminal'
  if (restsTogether && rest !== null && isRunning(rest, now)) {
    for (const sibling of deps.egressSiblings?.(connectionId, now) ?? [])
      connections.restAlong(sibling, rest, context.seq, now)
  }
  return entry
}

function markContext(
  { deps, nextSeq }: HealthParts,
  facts: ProviderFacts,
  coolingDisabled: boolean,
  now: number,
): MarkContext {
  const settings = deps.settings()
  const { baseCooldownMs, maxBackoffSteps, useUpstreamRetryHints } = cooldownProfile(settings, facts.class)
  const { maxCooldownMs } = settings.modelLockout
  const stallRests = settings.streamStallCooldown.enabled
  const limits = { baseCooldownMs, maxBackoffSteps, useUpstreamRetryHints, maxCooldownMs, stallRests }
  return { seq: nextSeq(), limits, coolingDisabled, now, random: deps.random }
}

/** A spent quota of a connection that does not rest locks the model instead. */
function lockOrder({ deps }: HealthParts, { connectionId }: Admission, { lock, rest }: Failure): LockOrder | null {
  if (lock !== null || rest?.kind !== 'quota' || deps.coolingDisabled?.(connectionId) !== true) return lock
  return { scope: 'quota', ms: rest.statedMs ?? rest.usualMs, isReset: rest.statedMs !== null }
}

function recordLock(
  { deps, breakers, locks, changed, nextSeq }: HealthParts,
  admission: Admission,
  { reason, message }: Failure,
  order: LockOrder,
  facts: ProviderFacts,
  now: number,
): Lock | null {
  const { resetTimeoutMs } = breakers.optionsOf(facts.class)
  const mark = { reason, message, seq: nextSeq(), resetTimeoutMs }
  const lock = locks.record(facts, admission, order, mark, deps.settings().modelLockout, now)
  changed()
  return lock
}

export function terminalOf({ connections }: HealthParts, connectionId: string, now: number): TerminalState | null {
  const account = connections.entry(connectionId, now)?.account
  return account?.kind === 'terminal' ? account.state : null
}

/** Once for each connection that has become terminal. */
export function tellTerminal(
  parts: HealthParts,
  connectionId: string,
  before: TerminalState | null,
  now: number,
): void {
  const after = terminalOf(parts, connectionId, now)
  if (after !== null && before === null) parts.deps.becameTerminal?.(connectionId, after)
}
