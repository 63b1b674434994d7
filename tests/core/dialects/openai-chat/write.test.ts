import { ChatCompletionStream } from 'openai/lib/ChatCompletionStream'
import { describe, expect, it } from 'vitest'
import type { AnswerEvent, CanonicalUsage, JsonObject } from '../../../../core/dialects/canonical'
import { translation } from '../../../../core/dialects/openai-chat/translation'
import type { WriteContext } from '../../../../core/dialects/translation'
import { context, EMPTY } from './support'

const START: AnswerEvent = { kind: 'start', id: 'c1', model: 'upstream' }
const END: AnswerEvent = { kind: 'end' }
const USAGE: CanonicalUsage = { input: 10, cachedInput: 4, cacheWrite: null, output: 5, reasoning: null }
const WIRE_USAGE = {
  prompt_tokens: 10,
  completion_tokens: 5,
  total_tokens: 15,
  prompt_tokens_details: { cached_tokens: 4 },
  completion_tokens_details: { reasoning_tokens: 0 },
}
const usage: AnswerEvent = { kind: 'usage', usage: USAGE }
const text = (value: string): AnswerEvent => ({ kind: 'text', text: value })
const thinking = (value: string): AnswerEvent => ({ kind: 'thinking', text: value })
const stop = (reason: string): AnswerEvent => ({ kind: 'stop', reason: reason as never, sequence: null })
const signed = (issuer: string, signature: string, redacted = false): AnswerEvent => ({
  kind: 'thinking-signature',
  issuer: issuer as never,
  signature,
  redacted,
})
const call = (index: number, id: string, freeForm = false): readonly AnswerEvent[] => [
  { kind: 'tool-call', index, id, name: 'f', freeForm },
  { kind: 'tool-arguments', index, piece: '{"p"' },
  { kind: 'tool-arguments', index, piece: ':1}' },
  { kind: 'tool-end', index },
]
const withUsage = context({ request: { ...EMPTY, includeUsage: true } })

function write(events: readonly AnswerEvent[], given: WriteContext = context()): string {
  const writer = translation.createStreamWriter(given)
  return events.map((event) => writer.write(event)).join('')
}

/** The stream's chunks; the end marker as text. */
function chunks(events: readonly AnswerEvent[], given?: WriteContext): readonly (JsonObject | string)[] {
  const wire = write(events, given)
  expect(wire === '' || wire.endsWith('\n\n')).toBe(true)
  return wire
    .split('\n\n')
    .filter((event) => event !== '')
    .map((event) => event.slice('data: '.length))
    .map((data) => (data === '[DONE]' ? data : (JSON.parse(data) as JsonObject)))
}

const choiceOf = (chunk: JsonObject | string) =>
  (chunk as { choices: { delta: JsonObject; finish_reason: unknown }[] }).choices[0]
const deltas = (events: readonly AnswerEvent[], given?: WriteContext) =>
  chunks([START, ...events], given).map((chunk) => choiceOf(chunk)?.delta)
/** The content of whole answers, and the reason they ended for. */
const answer = (events: readonly AnswerEvent[], given = context()) =>
  JSON.parse(translation.writeAnswer([START, ...events], given)) as {
    choices: [{ message: JsonObject; finish_reason: string }]
    usage?: JsonObject
  }

describe('a stream for a Chat client', () => {
  it('holds its role back until content comes, and ends with its marker', () => {
    const writer = translation.createStreamWriter(context())
    expect(writer.write(START)).toBe('')
    const head = { id: 'c1', object: 'chat.completion.chunk', created: 1_796_000_000, model: 'a/m' }
    const chunk = (delta: object, finish_reason: string | null = null) =>
      `data: ${JSON.stringify({ ...head, choices: [{ index: 0, delta, finish_reason }] })}\n\n`
    expect(writer.write(text('Hi'))).toBe(chunk({ role: 'assistant', content: '' }) + chunk({ content: 'Hi' }))
    expect(writer.write(text('!'))).toBe(chunk({ content: '!' }))
    expect(writer.write(usage)).toBe('')
    expect(writer.write(stop('stop'))).toBe(chunk({}, 'stop'))
    expect(writer.write(END)).toBe('data: [DONE]\n\n')
  })

  it('carries a reason in its last chunk only, and null in every other', () => {
    const reasons = chunks([START, thinking('a'), text('b'), ...call(0, 'x'), stop('tool-calls')]).map(
      (chunk) => choiceOf(chunk)?.finish_reason,
    )
    expect(reasons).toEqual([...reasons.slice(0, -1).fill(null), 'tool_calls'])
    expect(reasons.length).toBeGreaterThan(5)
  })

  it('gives token counts in a chunk without choices to clients that asked, and none to others', () => {
    const [, , last, counts, done] = chunks([START, text('x'), usage, stop('stop'), END], withUsage)
    expect(choiceOf(last as JsonObject)).toMatchObject({ finish_reason: 'stop' })
    expect(last).toMatchObject({ usage: null })
    expect(counts).toMatchObject({ id: 'c1', object: 'chat.completion.chunk', choices: [], usage: WIRE_USAGE })
    expect(done).toBe('[DONE]')
    expect(write([START, text('x'), usage, stop('stop'), END])).not.toContain('usage')
    expect(write([START, text('x'), stop('stop'), END], withUsage)).not.toContain('"choices":[]')
  })

  it('has an id of its own where the upstream gave none, the same in every chunk', () => {
    const all = chunks([{ kind: 'start', id: null, model: null }, text('x'), stop('stop')])
    expect(new Set(all.map((chunk) => (chunk as JsonObject).id))).toEqual(new Set(['chatcmpl-r1']))
  })

  it('numbers tool calls and carries their arguments in pieces', () => {
    expect(deltas([text('x'), ...call(0, 'a'), ...call(1, 'b', true)]).slice(2)).toEqual([
      { tool_calls: [{ index: 0, id: 'a', type: 'function', function: { name: 'f', arguments: '' } }] },
      { tool_calls: [{ index: 0, function: { arguments: '{"p"' } }] },
      { tool_calls: [{ index: 0, function: { arguments: ':1}' } }] },
      { tool_calls: [{ index: 1, id: 'b', type: 'custom', custom: { name: 'f', input: '' } }] },
      { tool_calls: [{ index: 1, custom: { input: '{"p"' } }] },
      { tool_calls: [{ index: 1, custom: { input: ':1}' } }] },
    ])
  })

  it('carries reasoning, refusals and images', () => {
    const image: AnswerEvent = { kind: 'image', mediaType: 'image/png', data: 'AA==' }
    expect(deltas([thinking('hm'), { kind: 'refusal', text: 'No.' }, image, image]).slice(1)).toEqual([
      { reasoning_content: 'hm' },
      { refusal: 'No.' },
      { images: [{ index: 0, type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } }] },
      { images: [{ index: 1, type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } }] },
    ])
  })

  it('has a role before its end where nothing else was said', () => {
    expect(deltas([stop('length')])).toEqual([{ role: 'assistant', content: '' }, {}])
  })

  it('that breaks off claims no end', () => {
    const writer = translation.createStreamWriter(context())
    writer.write(START)
    writer.write(text('x'))
    expect(writer.breakOff()).toBe('')
  })
})

describe('signatures for a Chat client', () => {
  const extras = (...events: readonly AnswerEvent[]) => {
    const streamed = deltas(events).flatMap((delta) => (delta?.tool_calls as readonly JsonObject[]) ?? [])
    const whole = (answer(events).choices[0].message.tool_calls ?? []) as readonly JsonObject[]
    const inStream = streamed.filter(({ id }) => id !== undefined).map(({ extra_content }) => extra_content)
    expect(whole.map(({ extra_content }) => extra_content)).toEqual(inStream)
    return inStream
  }

  it('of Google travel on the tool call right after them, in Google’s own form', () => {
    const google = { google: { thought_signature: 'G' } }
    expect(extras(signed('gemini', 'G', true), ...call(0, 'a'), ...call(1, 'b'))).toEqual([google, undefined])
    expect(extras(signed('gemini', 'G', true), text('x'), ...call(0, 'a'))).toEqual([undefined])
  })

  it('of others travel wrapped, with the text they belong to, over text between', () => {
    const own = (signature: string, more: object = {}) => ({ breakwater: { signature, ...more } })
    expect(extras(thinking('h'), thinking('m'), signed('anthropic', 'A'), text('x'), ...call(0, 'a'))).toEqual([
      own('bw1:anthropic:A', { thinking: 'hm' }),
    ])
    expect(extras(signed('openai-responses', 'R', true), ...call(0, 'a'))).toEqual([own('bw1:openai-responses:R')])
  })

  it('go nowhere where no tool call follows', () => {
    expect(write([START, thinking('hm'), signed('anthropic', 'SIG'), text('x'), stop('stop'), END])).not.toContain(
      'SIG',
    )
  })

  it('of Chat servers go on as they came', () => {
    const extra_content = { google: { thought_signature: 'G' } }
    const of = (value: object) => signed('openai-chat', JSON.stringify(value), true)
    expect(extras(of({ extra_content }), ...call(0, 'a'))).toEqual([extra_content])
    const detail = { type: 'reasoning.encrypted', data: 'X' }
    expect(deltas([of({ reasoning_details: detail })]).at(-1)).toEqual({ reasoning_details: [detail] })
    expect(answer([of({ reasoning_details: detail })]).choices[0].message.reasoning_details).toEqual([detail])
    expect(deltas([thinking('hm'), signed('openai-chat', 'reasoning_content')])).toHaveLength(2)
  })
})

describe('a whole answer for a Chat client', () => {
  it('has all its members', () => {
    expect(
      answer([thinking('h'), thinking('m'), text('H'), text('i'), ...call(0, 'a'), usage, stop('tool-calls')]),
    ).toEqual({
      id: 'c1',
      object: 'chat.completion',
      created: 1_796_000_000,
      model: 'a/m',
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            content: 'Hi',
            refusal: null,
            reasoning_content: 'hm',
            tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{"p":1}' } }],
          },
          logprobs: null,
          finish_reason: 'tool_calls',
        },
      ],
      usage: WIRE_USAGE,
    })
  })

  it('has null as content where there are tool calls only', () => {
    expect(answer([...call(0, 'a')]).choices[0].message.content).toBeNull()
  })

  it.each([
    ['stop', 'stop'],
    ['stop-sequence', 'stop'],
    ['length', 'length'],
    ['tool-calls', 'tool_calls'],
    ['content-filter', 'content_filter'],
    ['pause', 'length'],
  ])('that ended for %s says %s', (reason, word) => {
    expect(answer([text('x'), stop(reason)]).choices[0].finish_reason).toBe(word)
    expect(choiceOf(chunks([START, text('x'), stop(reason)]).at(-1) as JsonObject)?.finish_reason).toBe(word)
  })

  it('for a client of the form before tools has one function call', () => {
    const legacy = context({ body: { functions: [{ name: 'f' }] } })
    const events = [...call(0, 'a'), ...call(1, 'b'), stop('tool-calls')]
    const { message, finish_reason } = answer(events, legacy).choices[0]
    expect(message).toMatchObject({ content: null, function_call: { name: 'f', arguments: '{"p":1}' } })
    expect(message).not.toHaveProperty('tool_calls')
    expect(finish_reason).toBe('function_call')
    expect(deltas(events, legacy).slice(1)).toEqual([
      { function_call: { name: 'f', arguments: '' } },
      { function_call: { arguments: '{"p"' } },
      { function_call: { arguments: ':1}' } },
      {},
    ])
  })
})

describe('the official SDK', () => {
  it('puts a stream together to the same answer as a whole one', async () => {
    const events = [text('H'), text('i'), ...call(0, 'a'), ...call(1, 'b'), usage, stop('tool-calls')]
    const lines = chunks([START, ...events], withUsage).map((chunk) => `${JSON.stringify(chunk)}\n`)
    const stream = ChatCompletionStream.fromReadableStream(new Response(lines.join('')).body as ReadableStream)
    const { choices, usage: counts } = await stream.finalChatCompletion()
    const whole = answer(events)
    expect(choices[0]?.message).toMatchObject({
      content: whole.choices[0].message.content,
      tool_calls: whole.choices[0].message.tool_calls,
    })
    expect(choices[0]?.finish_reason).toBe('tool_calls')
    expect(counts).toEqual(whole.usage)
  })
})
