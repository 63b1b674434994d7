// Where a combo gives up by itself, and what the client is told then.
import { GatewayError } from '../errors'
import type { ResolvedCombo } from '../routing/combo'

/** Attempts of one request over all its targets and rounds (docs/resilience.md, "Combos"). */
export const MAX_GLOBAL_ATTEMPTS = 30

export const timedOut = ({ name, config }: ResolvedCombo): GatewayError =>
  new GatewayError(
    'COMBO_TIMEOUT',
    504,
    `The combo "${name}" had no answer within its ${config.comboTimeoutMs / 1000} s.`,
  )

export const tooMany = ({ name }: ResolvedCombo): GatewayError =>
  new GatewayError(
    'service_unavailable',
    503,
    `The combo "${name}" was given up after ${MAX_GLOBAL_ATTEMPTS} attempts.`,
  )

export const allBusy = ({ name }: ResolvedCombo): GatewayError =>
  new GatewayError('RATE_LIMIT_QUEUE_TIMEOUT', 503, `Every target of "${name}" is busy. Try again in a moment.`, {
    retryAfterS: 1,
  })
