// What a client is told when no target of a combo could answer (docs/resilience.md, "Final answers"). Pure.
import type { Reason } from '../contract/kinds'
import { GatewayError } from '../errors'
import { modelString, type ResolvedCombo } from '../routing/combo'
import { autoVariant } from '../routing/strategies/auto/names'
import type { TargetReason } from '../routing/strategies/order-targets'
import { attemptOrder } from './combo-limits'
import type { ComboEnd } from './combo-run'
import { asGate } from './combo-scene'
import type { FailedAttempt } from './final-error'

type Excluded = Extract<TargetReason, { kind: 'excluded' }>

/** Why nobody is left; where attempts were made and somebody could be asked again all the same, the last one's own error. */
export function comboEnd(
  combo: ResolvedCombo,
  reasons: readonly TargetReason[],
  failed: readonly FailedAttempt[],
  now: number,
): ComboEnd {
  const excluded = reasons.filter((reason): reason is Excluded => reason.kind === 'excluded')
  const error = whyNobody(combo, reasons, excluded, failed, now)
  const isOut = excluded.length === reasons.length && error?.code === 'ALL_TARGETS_SKIPPED'
  if (failed.length > 0 && !isOut && (error === null || !isTimed(error))) return { relay: true }
  return { error: error ?? nowhere(combo, reasons, excluded, failed) }
}

const isTimed = ({ details }: GatewayError): boolean => details.retryAfterS !== undefined

const LIMITS: ReadonlySet<Reason> = new Set<Reason>(['rate_limit_exceeded', 'concurrency_limited'])
const FINAL: ReadonlySet<Reason> = new Set<Reason>([
  'quota_exhausted',
  'auth_error',
  'not_found',
  'forbidden',
  'credits_exhausted',
])
const isFinal = (reason: Reason | null): boolean => reason !== null && FINAL.has(reason)

function whyNobody(
  combo: ResolvedCombo,
  reasons: readonly TargetReason[],
  excluded: readonly Excluded[],
  failed: readonly FailedAttempt[],
  now: number,
): GatewayError | null {
  const misfit = capabilityError(combo, reasons, excluded)
  if (misfit !== null) return misfit
  const gates = excluded.flatMap(({ exclusion }) => asGate(exclusion) ?? [])
  const timed = gates.filter(({ until, endsBy }) => until !== null && endsBy !== 'person')
  const passing = timed.filter(({ reason }) => !isFinal(reason))
  if (passing.length === 0) {
    // A strategy's own word that nothing is left of a quota is as final as health's.
    if (!excluded.some(({ exclusion }) => asGate(exclusion) !== null || isFinal(exclusion.reason))) return null
    return new GatewayError('ALL_TARGETS_SKIPPED', 503, `Every target of "${combo.name}" is out: ${words(excluded)}.`, {
      diagnostics: diagnosticsOf(reasons, excluded, failed, 'all_targets_skipped'),
    })
  }
  const until = Math.min(...passing.map((gate) => gate.until ?? now))
  const retryAfterS = Math.max(1, Math.ceil((until - now) / 1000))
  const resetAt = new Date(until).toISOString()
  const isLimited = passing.every(({ reason, gate }) => LIMITS.has(reason) && gate !== 'breaker')
  if (isLimited && combo.strategy !== 'weighted') {
    return new GatewayError(
      'rate_limit_error',
      429,
      `Every target of "${combo.name}" is rate limited; the first returns in ${retryAfterS} s.`,
      {
        ...{ retryAfterS, resetAt },
        diagnostics: diagnosticsOf(reasons, excluded, failed, 'rate_limited'),
      },
    )
  }
  return coolingDown(combo, reasons, excluded, failed, retryAfterS, resetAt)
}

function coolingDown(
  combo: ResolvedCombo,
  reasons: readonly TargetReason[],
  excluded: readonly Excluded[],
  failed: readonly FailedAttempt[],
  retryAfterS: number,
  resetAt: string,
): GatewayError {
  const diagnostics = diagnosticsOf(reasons, excluded, failed, 'all_targets_cooling_down')
  const next = `Wait ${retryAfterS} s and send the request again.`
  return new GatewayError(
    'all_targets_cooling_down',
    503,
    `Every target of "${combo.name}" is out for now; the first returns in ${retryAfterS} s.`,
    {
      ...{ retryAfterS, resetAt, diagnostics },
      members: { recovery_hint: { action: 'wait', next_step: next, retry_after_seconds: retryAfterS } },
      headers: [
        ...recoveryHeaders(diagnostics, 'wait', next),
        ...['x-omniroute-retry-after-seconds', String(retryAfterS)],
      ],
    },
  )
}

function recoveryHeaders({ poolSize, attempted, excluded, terminalReason }: Diagnostics, action: string, next: string) {
  return [
    ...['x-omniroute-combo-pool-size', String(poolSize)],
    ...['x-omniroute-combo-attempted', String(attempted)],
    ...['x-omniroute-combo-excluded', String(excluded.length)],
    ...['x-omniroute-combo-terminal-reason', terminalReason],
    ...['x-omniroute-recovery-action', action],
    ...['x-omniroute-recovery-next-step', next],
  ]
}

/** No timer is involved, or there is no account at all. */
function nowhere(
  combo: ResolvedCombo,
  reasons: readonly TargetReason[],
  excluded: readonly Excluded[],
  failed: readonly FailedAttempt[],
): GatewayError {
  const diagnostics = diagnosticsOf(reasons, excluded, failed, 'no_executable_targets')
  const next = 'Ask for another combo or model.'
  return new GatewayError('no_executable_targets', 404, nowhereWords(combo, excluded), {
    diagnostics,
    members: { recovery_hint: { action: 'switch-combo', next_step: next } },
    headers: recoveryHeaders(diagnostics, 'switch-combo', next),
  })
}

function nowhereWords({ name, dropped }: ResolvedCombo, excluded: readonly Excluded[]): string {
  if (excluded.length > 0) return `The combo "${name}" has no target that can be asked: ${words(excluded)}.`
  if (autoVariant(name) !== null)
    return `"${name}" has no model to choose among: no connection has listed one yet. Add a connection; practice models are used only where they are named.`
  const named = dropped.slice(0, SHOWN).map((step) => `"${step.name}"`)
  return `The combo "${name}" has no step that leads to a model: ${named.join(', ')}. Change its steps, or connect the provider they need.`
}

/** All that is usable otherwise cannot take this request. */
function capabilityError(
  combo: ResolvedCombo,
  reasons: readonly TargetReason[],
  excluded: readonly Excluded[],
): GatewayError | null {
  if (reasons.length === 0 || excluded.length < reasons.length) return null
  const isOf = (gate: string): boolean => excluded.every(({ exclusion }) => exclusion.gate === gate)
  if (isOf('capability'))
    return new GatewayError(
      'capability_mismatch',
      400,
      `No model of "${combo.name}" can do what the request needs: ${words(excluded)}.`,
    )
  if (isOf('context'))
    return new GatewayError(
      'context_length_exceeded',
      400,
      `The request is too long for every model of "${combo.name}": ${words(excluded)}.`,
    )
  return null
}

/** So many targets or steps are named. */
const SHOWN = 5

const words = (excluded: readonly Excluded[]): string =>
  excluded
    .slice(0, SHOWN)
    .map(({ target, exclusion }) => `${modelString(target)}: ${exclusion.why.replace(/\.$/, '')}`)
    .join('; ')

function diagnosticsOf(
  reasons: readonly TargetReason[],
  excluded: readonly Excluded[],
  failed: readonly FailedAttempt[],
  terminalReason: string,
) {
  return {
    poolSize: reasons.length,
    attempted: failed.length,
    excluded: excluded.map(({ target, exclusion }) => ({
      provider: target.provider,
      model: target.model,
      reason: REASON_WORDS[exclusion.gate] ?? exclusion.gate,
      why: exclusion.why,
      until: exclusion.until === null ? null : new Date(exclusion.until).toISOString(),
    })),
    attemptOrder: attemptOrder(failed),
    terminalReason,
  }
}

type Diagnostics = ReturnType<typeof diagnosticsOf>

/** The words of the wire. */
const REASON_WORDS: Readonly<Record<string, string>> = {
  lockout: 'model_lockout',
  breaker: 'circuit_open',
  'provider-cooldown': 'provider_cooldown',
  'connection-window': 'connection_cooldown',
  cooldown: 'connection_cooldown',
  terminal: 'unavailable',
  'sign-in-retry': 'unavailable',
  connection: 'unavailable',
}
