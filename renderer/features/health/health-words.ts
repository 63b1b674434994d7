// How breakers, rests and what ends them are said. Pure.
import type { BreakerView, CooldownRow, CooldownsCleared, GateView } from '../../../core/contract/health-views'
import type { BreakerKind, BreakerState } from '../../../core/contract/health-words'
import { STATE_WORDS } from '../../../core/contract/texts'
import { counted } from '../../ui/numbers'
import type { StateLook } from '../../ui/state-shape'
import { duration } from '../../ui/time'

export const BREAKER_LOOKS: Readonly<Record<BreakerState, StateLook>> = {
  CLOSED: { shape: 'check', tone: 'ok', word: STATE_WORDS.healthy },
  DEGRADED: { shape: 'triangle', tone: 'warn', word: STATE_WORDS.strained },
  OPEN: { shape: 'clock', tone: 'warn', word: STATE_WORDS.resting },
  HALF_OPEN: { shape: 'triangle', tone: 'warn', word: 'Trying' },
}

/** What the state means for requests, in one sentence. */
export const BREAKER_SENTENCES: Readonly<Record<BreakerState, string>> = {
  CLOSED: 'Requests go through.',
  DEGRADED: 'Its answers have failed of late; requests still go through.',
  OPEN: 'It failed too often: nothing is sent to it until one request tries whether it is back.',
  HALF_OPEN: 'One request is trying whether it is back; the others wait or go elsewhere.',
}

const KIND_WORDS: Readonly<Record<BreakerKind, string>> = {
  transient: 'a fault of the service',
  rate_limit: 'a rate limit',
  quota_exhausted: 'a spent quota',
}

/** "3 of 12 failures, the last a fault of the service". @param threshold null: not known */
export function failureWords(
  { failureCount, lastFailureKind }: Pick<BreakerView, 'failureCount' | 'lastFailureKind'>,
  threshold: number | null,
): string {
  const of =
    threshold === null ? counted(failureCount, 'failure') : `${failureCount} of ${counted(threshold, 'failure')}`
  return failureCount === 0 || lastFailureKind === null ? of : `${of}, the last ${KIND_WORDS[lastFailureKind]}`
}

/** What the moment in `until` brings; null where no moment does. */
export const breakerUntilWords: Readonly<Record<BreakerState, string | null>> = {
  CLOSED: null,
  DEGRADED: 'healthy again without further failures',
  OPEN: 'one request tries it',
  HALF_OPEN: null,
}

const CHANGE_REASONS: Readonly<Record<string, string>> = {
  'degradation-threshold': 'failures added up',
  'failure-threshold': 'too many failures',
  'rate_limit failures': 'too many requests',
  'quota_exhausted failures': 'a quota was spent',
  'transient failures': 'too many faults of the service',
  'cooldown-over': 'the wait was over',
  'probe-success': 'the trial request was answered',
  'late-success': 'an answer came after all',
  'quiet-window': 'no failure for a while',
  successes: 'it answers again',
  'test-passed': 'your test passed',
  reset: 'you reset it',
}
const PROBE_FAILED = /^probe-failed \(cycle (\d+)\)$/

/** Why a breaker changed; a word that came later is shown as it is. */
export function changeReason(reason: string): string {
  const [, cycle] = PROBE_FAILED.exec(reason) ?? []
  if (cycle !== undefined) return cycle === '1' ? 'the trial request failed' : `the trial request failed, time ${cycle}`
  return CHANGE_REASONS[reason] ?? reason.replaceAll('-', ' ')
}

export type RowStatus = CooldownRow['status']

export const STATUS_LOOKS: Readonly<Record<RowStatus, StateLook>> = {
  terminal: { shape: 'square', tone: 'down', word: STATE_WORDS['needs-you'] },
  cooling_down: { shape: 'clock', tone: 'warn', word: STATE_WORDS.resting },
  model_locked: { shape: 'triangle', tone: 'warn', word: STATE_WORDS.strained },
  unavailable: { shape: 'hollow', tone: 'idle', word: 'Not usable' },
  healthy: { shape: 'check', tone: 'ok', word: STATE_WORDS.healthy },
}

export const TERMINAL_WORDS: Readonly<Record<string, string>> = {
  banned: 'The provider has banned the account.',
  expired: 'The key or sign-in is no longer accepted.',
  credits_exhausted: 'No credit is left on the account.',
}

/** What ends it, in one sentence. */
export function endingWords({ endsBy, reason }: Pick<GateView, 'endsBy' | 'reason'>, byAccount = false): string {
  switch (endsBy) {
    case 'time':
      return 'Time: it is used again by itself.'
    case 'probe':
      return 'One request tries it then.'
    case 'retry':
      return byAccount ? 'The sign-in is renewed and tried again then.' : 'The same key is tried again then.'
    case 'person':
      if (reason === 'credits_exhausted') return 'You: buy credit and reset it, or enter the key of another account.'
      return byAccount
        ? 'You: sign in again, reset it, or test it with success.'
        : 'You: enter a new key, reset it, or test it with success.'
  }
}

/** Of a connection: of its own rest, else of its models’; empty where nothing rests. */
export function rowEnding({ gate, lockouts, authType }: Pick<CooldownRow, 'gate' | 'lockouts' | 'authType'>): string {
  if (gate !== null) return endingWords(gate, authType === 'oauth')
  const [first] = lockouts
  return first === undefined ? '' : endingWords({ endsBy: 'time', reason: first.reason })
}

/** "glm-5 and 2 more models rest."; empty where none does. */
export function locksWords({ lockouts }: Pick<CooldownRow, 'lockouts'>): string {
  const [first, ...more] = lockouts
  if (first === undefined) return ''
  return more.length === 0 ? `${first.model} rests.` : `${first.model} and ${counted(more.length, 'more model')} rest.`
}

/** What clearing did, in one or two sentences. */
export function clearedWords({ cleared, skippedTerminal, lockoutsCleared }: CooldownsCleared): string {
  const parts = [
    ...(cleared === 0 ? [] : [`${counted(cleared, 'connection')} ${cleared === 1 ? 'is' : 'are'} in use again`]),
    ...(lockoutsCleared === 0 ? [] : [`${counted(lockoutsCleared, 'model')} re-enabled`]),
  ]
  const done = parts.length === 0 ? 'Nothing rested.' : `${parts.join(', ')}.`
  if (skippedTerminal === 0) return done
  const left =
    skippedTerminal === 1 ? 'One connection needs you and was' : `${skippedTerminal} connections need you and were`
  return `${done} ${left} left as ${skippedTerminal === 1 ? 'it is' : 'they are'}.`
}

/** "open for 12 min, trying for 3 s"; for those who do not see the bar. */
export function spanWords(spans: Readonly<Partial<Record<BreakerState, number>>>): string {
  const out = (['OPEN', 'HALF_OPEN', 'DEGRADED'] as const).flatMap((state) => {
    const ms = spans[state] ?? 0
    return ms === 0 ? [] : [`${BREAKER_LOOKS[state].word.toLowerCase()} for ${duration(ms)}`]
  })
  return out.length === 0 ? 'healthy all the time' : out.join(', ')
}
