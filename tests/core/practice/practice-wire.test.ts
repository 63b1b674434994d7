import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dialectModules } from '../../../core/dialects/dialects'
import { type PracticeWire, practiceWires, readPracticeRequest } from '../../../core/practice/practice-wire'
import { judged } from '../../support/judged'

const DIALECTS = ['openai-chat', 'anthropic'] as const

interface Event {
  readonly name: string | undefined
  readonly data: string
}

const eventsOf = (text: string): Event[] =>
  text
    .split('\n\n')
    .slice(0, -1)
    .map((event) => ({
      name: /^event: ([^\n]*)/m.exec(event)?.[1],
      data: /^data: ([^\n]*)/m.exec(event)?.[1] ?? '',
    }))

interface Chunk {
  choices?: { delta?: { content?: string } }[]
  delta?: { text?: string }
}
const wordOf = (event: Event): string => {
  const { choices, delta } = JSON.parse(event.data) as Chunk
  return choices?.[0]?.delta?.content ?? delta?.text ?? ''
}

describe.each(DIALECTS)('the practice provider’s words, %s', (name) => {
  const wire: PracticeWire = practiceWires[name]
  const dialect = dialectModules[name]
  const signs = (text: string): string[] =>
    eventsOf(text).map(({ name: event, data }) => dialect.readSign(event, data).kind)

  it('begin without content, so that a failure before the first word can be made good', () => {
    expect(new Set(signs(wire.start('echo')))).toEqual(new Set(['preamble']))
  })

  it('carry one piece of text each, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (text) => {
        const events = eventsOf(wire.word('echo', text))
        expect(events.map(wordOf)).toEqual([text])
        expect(signs(wire.word('echo', text))).toEqual(['content'])
      }),
    )
  })

  it('end completely, with a count of words', () => {
    const end = wire.end('echo', 3)
    expect(signs(end).at(-1)).toBe('end')
    expect(dialect.readEnd(end)).toEqual({ complete: true, closing: '', usage: { inputTokens: 3, outputTokens: 3 } })
  })

  it('are the same in one piece', () => {
    const whole = wire.whole('echo', 'one two "three"')
    expect(JSON.stringify(JSON.parse(whole))).toContain(JSON.stringify('one two "three"'))
    expect(dialect.readUsage(whole)).toEqual({ inputTokens: 3, outputTokens: 3 })
  })

  it.each([429, 500, 503, 529])('tell of a failure with %i in a form that is understood', (status) => {
    const text = wire.error(status, 'on purpose')
    expect(judged({ kind: 'http', status, headers: {}, text }).message).toBe(`${status}: on purpose`)
  })
})

describe('what the practice provider is asked', () => {
  const asked = (messages: unknown, more: object = {}) =>
    readPracticeRequest(JSON.stringify({ model: 'echo', messages, ...more }))
  const user = (content: unknown) => ({ role: 'user', content })

  it.each<[string, unknown, string]>([
    ['text', [user(' Hello there ')], 'Hello there'],
    ['parts', [user([{ type: 'text', text: 'a' }, { type: 'image' }, { type: 'text', text: 'b' }])], 'a  b'],
    ['the last of several', [user('first'), { role: 'assistant', content: 'no' }, user('last')], 'last'],
    ['before an answer was begun', [user('mine'), { role: 'assistant', content: 'yours' }], 'mine'],
  ])('is taken from %s', (_what, messages, prompt) => {
    expect(asked(messages).prompt).toBe(prompt)
  })

  it.each([[[]], [[user('')]], [[user(null)]], [[user([null])]], [[{ role: 'system', content: 'x' }]], [undefined]])(
    'has an answer too when it is nothing: %j',
    (messages) => {
      expect(asked(messages).prompt).toContain('Say something')
    },
  )

  it('names the model, and a stream only when it says so', () => {
    expect(asked([user('x')])).toEqual({ model: 'echo', stream: false, prompt: 'x' })
    expect(asked([user('x')], { stream: true }).stream).toBe(true)
    expect(asked([user('x')], { stream: 'true' }).stream).toBe(false)
  })
})
