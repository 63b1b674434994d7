// How often a device sign-in asks whether the person has agreed, and when it stops (RFC 8628 3.5). Pure.
import type { TokenGrant } from './login'
import type { TokenAnswer } from './token-answer'

export interface DeviceState {
  readonly intervalMs: number
  /** When the user code ends, epoch milliseconds. */
  readonly deadline: number
}

export type DeviceStep =
  | { readonly kind: 'ask-again'; readonly state: DeviceState; readonly afterMs: number }
  | { readonly kind: 'done'; readonly grant: TokenGrant }
  | { readonly kind: 'failed'; readonly message: string }

/** What `slow_down` adds for this and all further questions. */
const SLOWER_MS = 5_000
const LONGEST_INTERVAL_MS = 60_000

export const EXPIRED = 'The code has expired before it was confirmed. Start the sign-in again.'

export function afterDeviceAnswer(state: DeviceState, answer: TokenAnswer, now: number): DeviceStep {
  if (answer.kind === 'granted') return { kind: 'done', grant: answer.grant }
  if (answer.kind === 'failed') {
    // Not overrun a server in trouble: twice as long after each failure.
    const intervalMs = Math.max(state.intervalMs, Math.min(state.intervalMs * 2, LONGEST_INTERVAL_MS))
    return again({ ...state, intervalMs }, now, answer.retryAfterMs ?? 0)
  }
  switch (answer.code) {
    case 'authorization_pending':
      return again(state, now, 0)
    case 'slow_down':
      return again({ ...state, intervalMs: state.intervalMs + SLOWER_MS }, now, 0)
    case 'access_denied':
    case 'authorization_declined':
      return { kind: 'failed', message: 'The sign-in was declined.' }
    case 'expired_token':
      return { kind: 'failed', message: EXPIRED }
    default:
      return { kind: 'failed', message: `The provider refused the sign-in: ${answer.why}.` }
  }
}

function again(state: DeviceState, now: number, atLeastMs: number): DeviceStep {
  const afterMs = Math.max(state.intervalMs, atLeastMs)
  return now + afterMs >= state.deadline ? { kind: 'failed', message: EXPIRED } : { kind: 'ask-again', state, afterMs }
}
