// What an explained error means, in sentences a person can act on. Pure.
import type { ExplainedFailure } from '../../../core/contract/explain'
import { REASON_WORDS } from '../../app/request-words'
import { duration } from '../../ui/time'

const SCOPE_SENTENCES: Readonly<Record<ExplainedFailure['scope'], string>> = {
  model: 'It is about one model of this connection; its other models go on.',
  connection: 'It is about this one connection: its account or key.',
  provider: 'It is about the provider, whichever key asks.',
  egress: 'It is about the address that requests leave from: every connection that leaves there is meant.',
  request: 'It is about the request itself: it would fail everywhere.',
  nobody: 'It says nothing about anyone: nobody is blamed.',
}

const NEXT_SENTENCES: Readonly<Record<ExplainedFailure['consequences']['next'], string>> = {
  'next-connection': 'The request goes on with the next connection that can serve it.',
  'next-target': 'The request goes on with the next target, where there is one: another connection would say the same.',
  stop: 'Nothing else is tried: the client gets the error after this one call.',
}

const TERMINAL_SENTENCES = {
  banned: 'The account counts as banned: the connection is not used until you enter a new key or reset it.',
  expired: 'The key counts as no longer valid: the connection is not used until you enter a new one or reset it.',
  credits_exhausted: 'The account has no credit: the connection is not used until you have bought some and reset it.',
} as const

const RULES: Readonly<Record<string, string>> = {
  operator: 'one of your own error rules',
  'fallback-hint': 'the hint of another gateway that it does not run yet',
  'browser-challenge': 'the page of a browser check in front of the provider',
  'banned-signal': 'words that mean a ban',
  money: 'words about money',
  'larger-than-limit': 'a request that is larger than the limit itself',
  'missing-model': 'words about a model that is not there',
  'spent-window': 'headers that show which quota is spent',
  'google-limit': 'the quota that the error names',
  'quota-words': 'words about a spent quota',
  concurrency: 'words about too many requests at once',
  'not-served-here': 'words about a model that is not served here',
  'no-credentials': 'words about a key that is missing',
  'bad-credential': 'words about a key that is not valid',
  'refused-content': 'words about content that is refused',
  overload: 'words about overload',
  'rate-words': 'words about too many requests',
  'too-large': 'words about a prompt that is too long',
  'missing-resource': 'words about something that is not there',
  'missing-model-404': 'a 404 that names the model',
  request: 'an answer that blames the request',
  forbidden: 'a refusal without a known reason',
  status: 'the status alone: no rule knows the text',
  none: 'nothing: no rule knows it',
}

/** "words about money"; rules of single providers are called by their name. */
export const ruleWords = (rule: string): string => RULES[rule] ?? `a rule for this provider, "${rule}"`

export interface Explained {
  /** "Too many requests" */
  readonly title: string
  readonly about: string
  readonly wait: string
  /** What follows, each a sentence. */
  readonly follows: readonly string[]
  readonly next: string
  readonly decided: string
}

export function explained({ reason, scope, retryAfterMs, consequences, rule }: ExplainedFailure): Explained {
  const { next } = consequences
  return {
    title: REASON_WORDS[reason],
    about: SCOPE_SENTENCES[scope],
    wait:
      retryAfterMs === null
        ? 'The answer does not say how long to wait.'
        : retryAfterMs === 0
          ? 'The answer says that no wait is needed.'
          : `The answer asks for a wait of ${duration(retryAfterMs)}.`,
    follows: followsOf(consequences, reason),
    next: NEXT_SENTENCES[next],
    decided: `Decided by ${ruleWords(rule)}.`,
  }
}

function followsOf(
  { breaker, cooldownMs, lockout, terminal }: ExplainedFailure['consequences'],
  reason: ExplainedFailure['reason'],
): readonly string[] {
  const rests = cooldownMs > 0 && terminal === null
  const sentences = [
    ...(terminal === null ? [] : [TERMINAL_SENTENCES[terminal]]),
    ...(rests && reason === 'auth_error'
      ? [`The connection rests for ${duration(cooldownMs)}; then the same key is tried again, three times at most.`]
      : rests
        ? [`The connection rests for ${duration(cooldownMs)}.`]
        : []),
    ...(lockout === null ? [] : [`${lockedName(lockout.key)} rests for ${duration(lockout.ms)}.`]),
  ]
  return [
    ...(sentences.length === 0 ? ['Nothing rests because of it.'] : sentences),
    breaker ? 'It counts against the provider’s circuit breaker.' : 'It does not count against the provider’s breaker.',
  ]
}

/** "openai:<connection>:exact:gpt-x" → "The model gpt-x"; where none is known, "The model". */
export function lockedName(key: string): string {
  const name = key
    .split(':')
    .slice(2)
    .join(':')
    .replace(/^exact:/, '')
  return name === '' || name === '<model>' ? 'The model' : `The model ${name}`
}
