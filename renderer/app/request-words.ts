// How a request and its attempts are said: in the log, on the overview, in the first run.
import type { Dialect, Reason } from '../../core/contract/kinds'
import type { AttemptView, RequestView } from '../../core/contract/views'
import { count, counted } from '../ui/numbers'

export const REASON_WORDS: Readonly<Record<Reason, string>> = {
  rate_limit_exceeded: 'Too many requests',
  quota_exhausted: 'Quota used up',
  concurrency_limited: 'Too many at once',
  credits_exhausted: 'No credit left',
  auth_error: 'Key refused',
  forbidden: 'Not allowed',
  request_rejected: 'Request refused',
  banned: 'Account banned',
  server_error: 'Provider error',
  model_capacity: 'Model overloaded',
  timeout: 'No answer in time',
  network_error: 'Not reachable',
  stream_stall: 'Answer fell silent',
  throughput_too_low: 'Answer too slow',
  empty_answer: 'Empty answer',
  context_overflow: 'Prompt too long',
  bad_request: 'Request not understood',
  not_found: 'Model not found',
  aborted: 'Stopped by the client',
  local: 'Stopped by the gateway',
}

/** "Too many requests (429)", "Not reachable", "Answered (200)". */
export function verdictWords({ outcome, reason, status }: Pick<AttemptView, 'outcome' | 'reason' | 'status'>): string {
  const words = outcome === 'ok' ? 'Answered' : reason === null ? 'Failed' : REASON_WORDS[reason]
  return status === null ? words : `${words} (${status})`
}

/** "412 in · 88 out"; empty when the provider told nothing. */
export function tokenWords(
  { inputTokens, outputTokens }: Pick<RequestView, 'inputTokens' | 'outputTokens'>,
  say: (tokens: number) => string = count,
): string {
  const parts = [
    inputTokens === null ? null : `${say(inputTokens)} in`,
    outputTokens === null ? null : `${say(outputTokens)} out`,
  ]
  return parts.filter((part) => part !== null).join(' · ')
}

/** What became of it, in one sentence. */
export function outcomeSentence(request: RequestView): string {
  const tries = request.attempts.length
  const target = request.target ?? 'nothing'
  switch (request.outcome) {
    case 'ok':
      return tries > 1
        ? `${target} answered at attempt ${tries}, after ${counted(tries - 1, 'failure')}.`
        : `${target} answered.`
    case 'failed':
      return tries === 0
        ? `Refused before any provider was asked. ${request.message}`.trim()
        : `No answer after ${counted(tries, 'attempt')}. ${request.message}`.trim()
    case 'aborted':
      return 'The client hung up before the answer was complete.'
    case 'truncated':
      return `The answer broke off after it had begun, so it was not tried again. ${request.message}`.trim()
  }
}

const DIALECT_WORDS: Readonly<Record<Dialect, string>> = {
  'openai-chat': 'OpenAI Chat',
  'openai-responses': 'OpenAI Responses',
  anthropic: 'Anthropic Messages',
  gemini: 'Google Gemini',
}
export const dialectWords = (dialect: Dialect): string => DIALECT_WORDS[dialect]
