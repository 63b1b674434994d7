import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AnswerEvent, JsonObject } from '../../../../core/dialects/canonical'
import { translation } from '../../../../core/dialects/openai-chat/translation'
import { build, context, EMPTY, ids, parse } from './support'

const words = fc.string({ minLength: 1, maxLength: 20 })
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })
const json = fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.stringify({ value }))

const image = fc.base64String({ maxLength: 12 }).map((data) => ({
  type: 'image_url',
  image_url: { url: `data:image/png;base64,${data}` },
}))
const mixed = fc
  .array(
    fc.oneof(
      words.map((text) => ({ type: 'text', text })),
      image,
    ),
    { minLength: 1, maxLength: 4 },
  )
  .filter((parts) => parts.some(({ type }) => type === 'image_url'))
const user = fc.record({ role: fc.constant('user'), content: fc.oneof(words, mixed) })

/** An assistant's turn with what belongs to it: calls, and a result for each. */
const exchange = fc
  .record({
    text: maybe(words),
    calls: fc.array(fc.record({ name: words, arguments: json, result: fc.string() }), { maxLength: 3 }),
  })
  .filter(({ text, calls }) => text !== undefined || calls.length > 0)

type Exchange = {
  readonly text: string | undefined
  readonly calls: readonly { name: string; arguments: string; result: string }[]
}

function messagesOf({ text, calls }: Exchange, turn: number): readonly JsonObject[] {
  const tool_calls = calls.map(({ name, arguments: args }, i) => ({
    id: `call_${turn}_${i}`,
    type: 'function',
    function: { name, arguments: args },
  }))
  return [
    { role: 'assistant', content: text ?? null, ...(calls.length === 0 ? {} : { tool_calls }) },
    ...calls.map(({ result }, i) => ({ role: 'tool', tool_call_id: `call_${turn}_${i}`, content: result })),
  ]
}

const conversation = fc
  .record({ system: maybe(words), turns: fc.array(fc.tuple(user, exchange), { minLength: 1, maxLength: 4 }) })
  .map(({ system, turns }) => [
    ...(system === undefined ? [] : [{ role: 'system', content: system }]),
    ...turns.flatMap(([asked, answered], i): readonly JsonObject[] => [asked, ...messagesOf(answered, i)]),
  ])

const schema = fc
  .dictionary(words, fc.constant({ type: 'string' }))
  .map((properties) => ({ type: 'object', properties }))
const tool = fc
  .record({ name: words, description: words, parameters: schema, strict: fc.boolean() })
  .map((definition) => ({ type: 'function', function: definition }))
const number = fc.double({ min: 0, max: 2, noNaN: true })

const asJson = { role: 'user', content: 'As JSON, please.' }
const request = fc
  .record(
    {
      messages: conversation,
      tools: fc.array(tool, { minLength: 1, maxLength: 3 }),
      parallel_tool_calls: fc.boolean(),
      tool_choice: fc.constantFrom('auto', 'none', 'required'),
      max_completion_tokens: fc.nat(),
      temperature: number,
      top_p: number,
      stop: fc.array(words, { minLength: 1, maxLength: 3 }),
      presence_penalty: number,
      frequency_penalty: number,
      seed: fc.integer(),
      reasoning_effort: fc.constantFrom('none', 'minimal', 'low', 'medium', 'high', 'xhigh'),
      response_format: fc.constantFrom(
        { type: 'json_object' },
        {
          type: 'json_schema',
          json_schema: { name: 'n', schema: { type: 'object' }, strict: true },
        },
      ),
      verbosity: words,
      user: words,
      prompt_cache_key: words,
    },
    { requiredKeys: ['messages', 'tools'] },
  )
  // Without the word, one that says it would be added.
  .map(({ messages, ...body }) => ({
    model: 'm',
    messages: body.response_format?.type === 'json_object' ? [...messages, asJson] : messages,
    ...body,
  }))

describe('a Chat request through the canonical form', () => {
  it('is what it was', () => {
    fc.assert(
      fc.property(request, (body) => {
        const { request: canonical, dropped } = parse(body)
        const built = build(canonical)
        expect(built.body).toEqual(body)
        expect([...dropped, ...built.dropped]).toEqual([])
      }),
    )
  })
})

const event = (index: number) =>
  fc.oneof(
    words.map((text): AnswerEvent[] => [{ kind: 'text', text }]),
    words.map((text): AnswerEvent[] => [{ kind: 'refusal', text }]),
    fc.tuple(words, json).map(([name, piece]): AnswerEvent[] => [
      { kind: 'tool-call', index, id: `id_${index}`, name, freeForm: false },
      { kind: 'tool-arguments', index, piece },
    ]),
  )

/** Runs of content whose calls are numbered from 0. */
const content = fc.array(fc.nat(), { minLength: 1, maxLength: 6 }).chain((seeds) =>
  fc.tuple(...seeds.map((_, i) => event(i))).map((groups) => {
    let calls = 0
    return groups.flatMap((group) => {
      const index = group[0]?.kind === 'tool-call' ? calls++ : 0
      return group.map((one) => ('index' in one ? { ...one, index } : one))
    })
  }),
)
const count = fc.nat()
const complete = fc
  .tuple(content, count, count)
  .map(([events, input, output]): AnswerEvent[] => [
    { kind: 'start', id: 'c1', model: 'm' },
    ...events,
    ...events.flatMap((one): AnswerEvent[] =>
      one.kind === 'tool-call' ? [{ kind: 'tool-end', index: one.index }] : [],
    ),
    { kind: 'usage', usage: { input, cachedInput: 0, cacheWrite: null, output, reasoning: 0 } },
    { kind: 'stop', reason: events.some(({ kind }) => kind === 'tool-call') ? 'tool-calls' : 'stop', sequence: null },
    { kind: 'end' },
  ])

describe('an answer through the wire form of Chat', () => {
  const given = context({ model: 'm', request: { ...EMPTY, includeUsage: true } })

  it('is what it was as a stream', () => {
    fc.assert(
      fc.property(complete, (events) => {
        const writer = translation.createStreamWriter(given)
        const parser = translation.createStreamParser(ids())
        const wire = events.map((one) => writer.write(one)).join('')
        const read = wire
          .split('\n\n')
          .filter((line) => line !== '')
          .flatMap((line) => parser.event(undefined, line.slice('data: '.length)))
        expect([...read, ...parser.end()]).toEqual(events)
      }),
    )
  })

  it('says the same as a whole', () => {
    const joined = (events: readonly AnswerEvent[], kind: AnswerEvent['kind']) =>
      events.flatMap((one) => (one.kind === kind && 'text' in one ? [one.text] : [])).join('')
    const rest = (events: readonly AnswerEvent[]) => events.filter(({ kind }) => kind !== 'text' && kind !== 'refusal')
    fc.assert(
      fc.property(complete, (events) => {
        const body = JSON.parse(translation.writeAnswer(events, given)) as JsonObject
        const read = translation.parseAnswer(body, ids()) ?? []
        expect(joined(read, 'text')).toBe(joined(events, 'text'))
        expect(joined(read, 'refusal')).toBe(joined(events, 'refusal'))
        const inOrder = (all: readonly AnswerEvent[]) => rest(all).filter(({ kind }) => kind !== 'tool-end')
        expect(inOrder(read)).toEqual(inOrder(events))
      }),
    )
  })
})
