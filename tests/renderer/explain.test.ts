import { describe, expect, it } from 'vitest'
import { ExplainInput } from '../../core/contract/explain'
import { REASONS } from '../../core/contract/kinds'
import { explainDefaults, explainFailure } from '../../core/resilience/verdict/explain'
import {
  checkExplain,
  NO_ERROR,
  placeExplainError,
  readHeaders,
  takeApart,
  toExplain,
} from '../../renderer/features/health/explain-draft'
import { EXAMPLES } from '../../renderer/features/health/explain-examples'
import { explained, lockedName, ruleWords } from '../../renderer/features/health/explain-words'
import signals from '../fixtures/signals.json'

const context = explainDefaults('UTC')
const now = Date.parse('2026-11-30T02:50:00Z')
const explain = (given: object) => explained(explainFailure({ id: '', now, ...given }, context))

describe('headers as they are pasted', () => {
  it('are names and values, a line each, or JSON', () => {
    const headers = { 'retry-after': '20', 'x-a': 'b: c' }
    expect(readHeaders('Retry-After: 20\n\nX-A: b: c\n')).toEqual({ ok: true, headers })
    expect(readHeaders('< retry-after: 20\r\n< x-a: b: c')).toEqual({ ok: true, headers })
    expect(readHeaders('{"retry-after": 20, "x-a": "b: c"}')).toEqual({ ok: true, headers })
    expect(readHeaders(' ')).toEqual({ ok: true, headers: {} })
  })
  it('are refused with the line, or with what they should be', () => {
    expect(readHeaders('a: b\nno header')).toMatchObject({ ok: false, message: expect.stringMatching(/^Line 2: /) })
    for (const text of ['{"a": {}}', '{"a"'])
      expect(readHeaders(text)).toMatchObject({ ok: false, message: expect.stringContaining('JSON') })
  })
})

describe('a whole answer that is pasted', () => {
  it('is taken apart', () => {
    const body = '{"error": "x"}\n\nmore'
    expect(takeApart(`HTTP/1.1 429 Too Many Requests\r\nRetry-After: 20\r\nServer: x\r\n\r\n${body}`)).toEqual({
      status: '429',
      headers: 'Retry-After: 20\nServer: x',
      body,
    })
    expect(takeApart('< HTTP/2 503 \n< a: b\n< \nbusy')).toEqual({ status: '503', headers: 'a: b', body: 'busy' })
    expect(takeApart('HTTP/1.1 500')).toEqual({ status: '500', headers: '', body: '' })
  })
  it('is a body where it has no status line', () => expect(takeApart('{"error": "HTTP/1.1 429"}')).toBeNull())
})

describe('what is entered', () => {
  it('must name provider and status', () => {
    expect(Object.keys(checkExplain(NO_ERROR))).toEqual(['provider', 'status'])
    expect(checkExplain({ ...NO_ERROR, provider: 'openai', status: '99' })).toHaveProperty('status')
    expect(checkExplain({ ...NO_ERROR, provider: 'openai', status: '429', headers: 'x' })).toHaveProperty('headers')
  })
  it('is refused at its field', () => {
    const at = (field: string | null) => placeExplainError({ code: 'bad_input', message: `${field}: is wrong`, field })
    expect(at('status')).toEqual({ status: 'Is wrong.' })
    expect(at('headers.retry-after')).toEqual({ headers: 'Is wrong.' })
    expect(at('now')).toEqual({ general: 'now: is wrong' })
  })
})

describe('the examples', () => {
  it.each(EXAMPLES.map((example) => [example.label, example] as const))(
    '%s can be sent as it is',
    (_label, example) => {
      expect(checkExplain(example)).toEqual({})
      expect(ExplainInput.safeParse({ id: '', now, ...toExplain(example) }).success).toBe(true)
    },
  )
  it('show different things', () => {
    const titles = EXAMPLES.map((example) => explain(toExplain(example)).title)
    expect(titles).toEqual([
      'Too many requests',
      'No credit left',
      'Key refused',
      'Model overloaded',
      'Prompt too long',
      'Provider error',
    ])
  })
})

describe('an explained error', () => {
  it('says what it is, how long, what follows, and which rule decided', () => {
    expect(explain({ provider: 'openai', status: 429, headers: { 'retry-after': '20' } })).toEqual({
      title: 'Too many requests',
      about: 'It is about this one connection: its account or key.',
      wait: 'The answer asks for a wait of 20 s.',
      follows: ['The connection rests for 20 s.', 'It does not count against the provider’s breaker.'],
      next: 'The request goes on with the next connection that can serve it.',
      decided: 'Decided by the status alone: no rule knows the text.',
    })
  })
  it('tells a refused key from a ban, and a fault of the service from both', () => {
    expect(explain({ provider: 'openai', status: 401 }).follows[0]).toMatch(/then the same key is tried again/)
    const banned = { provider: 'openai', status: 403, body: '{"error":{"message":"Your account has been banned"}}' }
    expect(explain(banned).follows[0]).toMatch(/counts as banned/)
    expect(explain({ provider: 'openai', status: 503 }).follows.at(-1)).toBe(
      'It counts against the provider’s circuit breaker.',
    )
  })
  it('names the model that rests', () => {
    expect(lockedName('openai:<connection>:exact:gpt-x')).toBe('The model gpt-x')
    expect(lockedName('glm:<connection>:<model>')).toBe('The model')
    expect(lockedName('own:<connection>:llama3:8b')).toBe('The model llama3:8b')
  })
  it('has words for every reason and rule that real errors lead to', () => {
    for (const signal of signals) {
      const failure = explainFailure({ ...signal, now: signal.now ?? now }, context)
      const { title, follows } = explained(failure)
      expect(REASONS).toContain(failure.reason)
      expect(title).not.toBe('')
      expect(follows.join(' ')).not.toMatch(/undefined|NaN|null/)
      // Rules of single providers are called by their own names.
      if (!failure.rule.includes('-') || failure.rule === 'status')
        expect(ruleWords(failure.rule)).not.toMatch(/^a rule/)
    }
  })
})
