import { describe, expect, it } from 'vitest'
import { REASONS } from '../../core/contract/kinds'
import type { AttemptView, RequestView } from '../../core/contract/views'
import { outcomeSentence, REASON_WORDS, tokenWords, verdictWords } from '../../renderer/app/request-words'
import { mergeRequests } from '../../renderer/app/rows'
import { matches } from '../../renderer/features/log/filter'
import { withChunk } from '../../renderer/features/wizard/use-try'

const attempt = { outcome: 'ok' } as AttemptView
const request = (fields: Partial<RequestView> = {}): RequestView => ({
  id: 'r1',
  at: 1000,
  clientKey: 'main',
  tool: 'aider',
  endpoint: '/v1/chat/completions',
  dialect: 'openai-chat',
  model: 'openai/gpt',
  target: 'openai/gpt',
  stream: true,
  outcome: 'ok',
  status: 200,
  code: null,
  message: '',
  firstByteMs: 100,
  totalMs: 900,
  inputTokens: 412,
  outputTokens: null,
  attempts: [attempt],
  ...fields,
})

describe('words about a request', () => {
  it('has words for every reason', () => {
    for (const reason of REASONS) expect(REASON_WORDS[reason]).not.toBe('')
  })
  it('says a verdict with its status', () => {
    expect(verdictWords({ outcome: 'failed', reason: 'rate_limit_exceeded', status: 429 })).toBe(
      'Too many requests (429)',
    )
    expect(verdictWords({ outcome: 'failed', reason: 'network_error', status: null })).toBe('Not reachable')
    expect(verdictWords({ outcome: 'ok', reason: null, status: 200 })).toBe('Answered (200)')
  })
  it('says tokens only where they are known', () => {
    expect(tokenWords(request())).toBe('412 in')
    expect(tokenWords(request({ inputTokens: null }))).toBe('')
  })
  it('tells fail-over from a plain answer', () => {
    expect(outcomeSentence(request())).toBe('openai/gpt answered.')
    expect(outcomeSentence(request({ attempts: [attempt, attempt] }))).toBe(
      'openai/gpt answered at attempt 2, after 1 failure.',
    )
    expect(outcomeSentence(request({ outcome: 'failed', attempts: [], message: 'No such model.' }))).toBe(
      'Refused before any provider was asked. No such model.',
    )
  })
})

describe('rows of the log', () => {
  it('are newest first, one an id, and not more than asked', () => {
    const rows = [request({ id: 'b', at: 2 }), request({ id: 'a', at: 1 })]
    const merged = mergeRequests(rows, [request({ id: 'c', at: 3 }), request({ id: 'b', at: 2, status: 503 })], 2)
    expect(merged.map(({ id }) => id)).toEqual(['c', 'b'])
    expect(merged[1]?.status).toBe(503)
  })
  it('are the same list where nothing came', () => {
    const rows = [request()]
    expect(mergeRequests(rows, [], 5)).toBe(rows)
  })
  it('fit the filter by outcome and by text, whatever its case', () => {
    expect(matches(request(), { search: '', outcome: 'all' })).toBe(true)
    expect(matches(request(), { search: ' GPT ', outcome: 'ok' })).toBe(true)
    expect(matches(request(), { search: 'aider', outcome: 'failed' })).toBe(false)
    expect(matches(request({ target: null }), { search: 'claude', outcome: 'all' })).toBe(false)
  })
})

describe('an answer that arrives', () => {
  it('is put together from its pieces', () => {
    const start = { at: 'sending', text: '', error: null, request: null, requestId: null } as const
    const chunk = { tryId: 't', error: null, requestId: null, done: false }
    const half = withChunk(start, { ...chunk, text: 'Hello ', requestId: 'r1' })
    expect(half).toMatchObject({ at: 'arriving', text: 'Hello ', requestId: 'r1' })
    const whole = withChunk(half, { ...chunk, text: '', done: true, error: 'It broke off.' })
    expect(whole).toMatchObject({ at: 'done', text: 'Hello ', error: 'It broke off.', requestId: 'r1' })
  })
})
