import { describe, expect, it } from 'vitest'
import type { UpstreamError } from '../../../core/pipeline/answer-reader'
import { type FailedAttempt, finalAnswer } from '../../../core/pipeline/final-error'
import { CATALOGUE } from '../../../core/providers/catalogue'
import type { ProviderRow } from '../../../core/providers/provider-row'
import { buildConnection } from '../../../core/providers/registry'
import { classify, type Outcome } from '../../../core/resilience/classify'

const rowOf = (id: string): ProviderRow => CATALOGUE.find((row) => row.id === id) as ProviderRow
const openAi = rowOf('openai')
const connection = (name: string) =>
  buildConnection(openAi, { id: name, name, priority: 1, enabled: true, baseUrl: null }, 'sk-x', false, null)
const target = { provider: { row: openAi, connections: [connection('work'), connection('home')] }, model: 'gpt-5' }

function failed(name: string, outcome: Outcome, error: UpstreamError | null = null): FailedAttempt {
  return { connection: name, verdict: classify(outcome), error, sameDialect: true }
}
function said(name: string, status: number, text: string): FailedAttempt {
  return failed(
    name,
    { kind: 'http', status, headers: {}, text },
    { status, headers: {}, body: Buffer.from(text) },
  )
}
const json = (message: string): string => JSON.stringify({ error: { message } })
const timeout = (name: string) => failed(name, { kind: 'timeout', phase: 'first byte' })
const refused = (name: string) => failed(name, { kind: 'network', code: 'ECONNREFUSED' })

/** "relay 429" or "502 bad_gateway". */
function summary(attempts: readonly FailedAttempt[]): string {
  const answer = finalAnswer(target, 'openai-chat', attempts, [])
  return answer.kind === 'relay' ? `relay ${answer.error.status}` : `${answer.error.httpStatus} ${answer.error.code}`
}

describe('what the client is told when nothing answered', () => {
  it.each<[string, readonly FailedAttempt[], string]>([
    ['a refusal in JSON is passed on', [said('work', 429, json('slow'))], 'relay 429'],
    ['the last one that spoke is passed on', [said('work', 429, json('a')), said('home', 503, json('b'))], 'relay 503'],
    ['also when others after it said nothing', [said('work', 500, json('a')), refused('home')], 'relay 500'],
    ['a bad request is passed on', [said('work', 400, json('too long'))], 'relay 400'],
    ['a 401 about our key never is', [said('work', 401, json('bad key'))], '503 no_usable_connection'],
    ['nor before another refusal', [said('work', 429, json('a')), said('home', 401, json('b'))], 'relay 429'],
    ['nor before a silence', [timeout('work'), said('home', 401, json('b'))], '502 bad_gateway'],
    ['a page is not passed on', [said('work', 502, '<html>')], '502 bad_gateway'],
    ['nor an empty body', [said('work', 500, '')], '502 bad_gateway'],
    ['nor a redirect', [said('work', 302, '{}')], '502 bad_gateway'],
    ['keys refused by pages', [said('work', 401, ''), said('home', 403, '<p>no</p>')], '503 no_usable_connection'],
    ['silence at the end', [refused('work'), timeout('home')], '504 gateway_timeout'],
    ['no connection at the end', [timeout('work'), refused('home')], '502 bad_gateway'],
    ['an empty answer', [failed('work', { kind: 'empty' })], '502 bad_gateway'],
    ['nothing was tried', [], '503 no_usable_connection'],
  ])('%s', (_what, attempts, expected) => {
    expect(summary(attempts)).toBe(expected)
  })

  it('names provider, connection and cause, and lists every attempt in order', () => {
    const excluded = [{ connection: 'old', because: 'switched off' }]
    const answer = finalAnswer(target, 'openai-chat', [refused('work'), timeout('home')], excluded)
    if (answer.kind !== 'own') throw new Error('relayed')
    expect(answer.error.message).toBe('No answer in time. OpenAI, connection "home": no first byte in time.')
    expect(answer.error.details.diagnostics).toEqual({
      target: 'openai/gpt-5',
      attempts: [
        {
          connection: 'work',
          reason: 'network_error',
          message: 'nothing listens at its address (ECONNREFUSED)',
        },
        { connection: 'home', reason: 'timeout', message: 'no first byte in time' },
      ],
      excluded,
    })
  })

  it('names the connections whose key was refused', () => {
    const answer = finalAnswer(target, 'openai-chat', [said('work', 401, ''), said('home', 401, '')], [])
    expect(answer.kind === 'own' && answer.error.message).toContain('(work, home). Enter a valid key')
  })
})

describe('what the client is told when nothing could be tried', () => {
  it.each([
    ['there is no connection', [], 'openai-chat' as const, 'OpenAI has no connection yet. Add one under Connections.'],
    ['it speaks another format', target.provider.connections, 'anthropic' as const, 'OpenAI does not speak anthropic'],
    [
      'none is usable',
      target.provider.connections,
      'openai-chat' as const,
      'OpenAI has no usable connection: work: switched off; home: it has no key.',
    ],
  ])('%s', (_what, connections, dialect, words) => {
    const excluded = [
      { connection: 'work', because: 'switched off' },
      { connection: 'home', because: 'it has no key' },
    ]
    const answer = finalAnswer({ ...target, provider: { row: openAi, connections } }, dialect, [], excluded)
    expect(answer.kind === 'own' && answer.error.message).toContain(words)
  })
})
