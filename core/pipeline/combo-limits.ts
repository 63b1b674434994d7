// Where a combo gives up by itself, and what the client is told then.
import { GatewayError } from '../errors'
import type { ResolvedCombo } from '../routing/combo'
import type { FailedAttempt } from './final-error'

/** Attempts of one request over all its targets and rounds (docs/resilience.md, "Combos"). */
export const MAX_GLOBAL_ATTEMPTS = 30

/** What has failed on the way, for machines. */
export const attemptOrder = (failed: readonly FailedAttempt[]) =>
  failed.map(({ connection, verdict: { reason, message } }) => ({ connection, reason, message }))

const givenUp = ({ members }: ResolvedCombo, failed: readonly FailedAttempt[], terminalReason: string) => ({
  diagnostics: {
    poolSize: members.length,
    attempted: failed.length,
    attemptOrder: attemptOrder(failed),
    terminalReason,
  },
})

export const timedOut = (combo: ResolvedCombo, failed: readonly FailedAttempt[]): GatewayError =>
  new GatewayError(
    'COMBO_TIMEOUT',
    504,
    `The combo "${combo.name}" had no answer within its ${combo.config.comboTimeoutMs / 1000} s.`,
    givenUp(combo, failed, 'combo_timeout'),
  )

export const tooMany = (combo: ResolvedCombo, failed: readonly FailedAttempt[]): GatewayError =>
  new GatewayError(
    'service_unavailable',
    503,
    `The combo "${combo.name}" was given up after ${MAX_GLOBAL_ATTEMPTS} attempts.`,
    givenUp(combo, failed, 'max_attempts'),
  )

export const allBusy = ({ name }: ResolvedCombo): GatewayError =>
  new GatewayError('RATE_LIMIT_QUEUE_TIMEOUT', 503, `Every target of "${name}" is busy. Try again in a moment.`, {
    retryAfterS: 1,
  })

/** @param why each member did not answer */
export const nobodyAnswered = (
  combo: ResolvedCombo,
  failed: readonly FailedAttempt[],
  why: readonly string[],
): GatewayError =>
  new GatewayError(
    'service_unavailable',
    503,
    `No member of the fusion "${combo.name}" answered: ${why.map((text) => text.replace(/\.$/, '')).join('; ')}.`,
    givenUp(combo, failed, 'no_answer'),
  )
