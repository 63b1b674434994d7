// The point of no return: before the first content another connection may still answer, after it none may
// (docs/resilience.md).
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { chatDelta, claudeEvent, cut, gate, head, parts, raw, reset, stream, text } from '../support/fake-answers'
import type { Script } from '../support/fake-script'
import { DIALECTS, type GatewayPair, KEY_A, KEY_B, type PairDialect, startPair } from '../support/gateway-pair'

let pair: GatewayPair
beforeAll(async () => {
  pair = await startPair()
})
afterAll(() => pair.stop())
beforeEach(() => pair.forget())

const named = (what: string, dialect: PairDialect): string => `${what.replaceAll(' ', '-')}-${dialect}`
const COMMENTS = ': OPENROUTER PROCESSING\n\n: OPENROUTER PROCESSING\n\n'
const claudeDelta = (delta: object): string => claudeEvent('content_block_delta', { index: 0, delta })
const claudeBlock = (block: object): string => claudeEvent('content_block_start', { index: 0, content_block: block })

interface Samples {
  /** Beginnings that hold nothing a user would see. */
  readonly beginnings: Readonly<Record<string, string>>
  /** Everything that counts as an answer, one event each. */
  readonly contents: Readonly<Record<string, string>>
  /** Streams of status 200 that say nothing. */
  readonly empties: Readonly<Record<string, readonly string[]>>
  /** An error as an event in a stream, and the status it stands for. */
  readonly faults: readonly (readonly [status: number, event: string])[]
}

const samples: Readonly<Record<PairDialect, Samples>> = {
  'openai-chat': {
    beginnings: {
      'nothing at all': '',
      'the role': parts['openai-chat'].preamble,
      comments: COMMENTS,
      'comments and the role': COMMENTS + parts['openai-chat'].preamble,
      'half an event': 'data: {"choices":[{"index":0,"delta":{"content":"Hal',
    },
    contents: {
      text: chatDelta({ content: 'Here is the plan' }),
      reasoning: chatDelta({ reasoning_content: 'Let me think' }),
      'a tool call': chatDelta({ tool_calls: [{ index: 0, id: 'call_1', function: { name: 'look', arguments: '' } }] }),
    },
    empties: {
      'zero bytes': [],
      'only [DONE]': ['data: [DONE]\n\n'],
      'comments and [DONE]': [COMMENTS, 'data: [DONE]\n\n'],
      'empty content and a stop': [chatDelta({ role: 'assistant', content: '' }), parts['openai-chat'].ending],
      'null content and a stop': [chatDelta({ content: null }), parts['openai-chat'].ending],
      'only the role': [parts['openai-chat'].preamble],
    },
    faults: [
      [
        502,
        'data: {"id":"x","object":"chat.completion.chunk","choices":[],"error":{"code":502,"message":"overloaded"}}\n\n',
      ],
      [429, 'data: {"error":{"message":"slow down","type":"rate_limit_error","code":null}}\n\n'],
      [402, 'data: {"error":{"message":"spent","type":"x","code":"insufficient_quota"}}\n\n'],
      [502, 'data: {"error":"something broke"}\n\n'],
    ],
  },
  anthropic: {
    beginnings: {
      'nothing at all': '',
      'message_start and a ping': parts.anthropic.preamble,
      comments: COMMENTS,
      'half an event': 'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"te',
    },
    contents: {
      text: claudeDelta({ type: 'text_delta', text: 'Here is the plan' }),
      reasoning: claudeDelta({ type: 'thinking_delta', thinking: 'Let me think' }),
      'a tool call': claudeBlock({ type: 'tool_use', id: 'toolu_1', name: 'look', input: {} }),
    },
    empties: {
      'zero bytes': [],
      'only pings': [claudeEvent('ping')],
      'no block with content': [parts.anthropic.preamble, parts.anthropic.ending],
      'only message_start': [parts.anthropic.preamble],
    },
    faults: [
      [529, claudeEvent('error', { error: { type: 'overloaded_error', message: 'Overloaded' } })],
      [429, claudeEvent('error', { error: { type: 'rate_limit_error', message: 'slow down' } })],
      [502, claudeEvent('error', { error: { type: 'api_error', message: 'broke' } })],
    ],
  },
}

describe.each(DIALECTS)('%s', (dialect) => {
  const { preamble, content, ending, endMark } = parts[dialect]
  const { beginnings, contents, empties, faults } = samples[dialect]
  const fromB = preamble + content('from b') + ending
  const keys = async (model: string): Promise<string[]> => [
    ...new Set((await pair.upstream.seen(model)).map(({ key }) => key)),
  ]

  /** The first connection does as told; the second one answers, and its stream is all the client sees. */
  async function expectSecond(model: string, first: Script): Promise<void> {
    await pair.upstream.answer(KEY_A, model, first)
    await pair.upstream.answer(KEY_B, model, raw(fromB))
    const answer = await pair.askStream(dialect, model)
    expect(answer.status).toBe(200)
    expect(await answer.rest()).toBe(fromB)
    expect(answer.headers['x-breakwater-attempts']).toBe('2')
    expect(await keys(model)).toEqual([KEY_A, KEY_B])
  }

  /** The last event of a broken stream; what came before it was checked to be `sent`. */
  function lastEvent(whole: string, sent: string): { code?: unknown; type?: unknown; message?: unknown } {
    expect(whole.startsWith(sent)).toBe(true)
    const lines = whole.slice(sent.length).match(/^data: .*$/gm) ?? []
    expect(lines).toHaveLength(1)
    expect(whole).not.toContain(endMark)
    expect(whole.endsWith('\n\n')).toBe(true)
    expect(whole).not.toContain('from b')
    return JSON.parse(String(lines[0]).slice('data: '.length)).error
  }

  describe('before any content, one clean stream of the next connection follows', () => {
    test.each(
      Object.entries(beginnings).flatMap(([what, bytes]) => [
        ['reset', what, bytes] as const,
        ['cut', what, bytes] as const,
      ]),
    )('a %s after %s', async (how, what, bytes) => {
      const model = named(`${how} after ${what}`, dialect)
      // The break waits until the bytes were read: a reset would overtake them.
      const begun = bytes === '' ? [head] : [text(bytes)]
      const steps = [...begun, { kind: 'pause', ms: 30 } as const, how === 'reset' ? reset : cut]
      await expectSecond(model, stream(...steps))
    })

    test.each(Object.entries(empties))('an answer of %s', async (what, events) => {
      await expectSecond(named(`empty ${what}`, dialect), events.length === 0 ? stream(head) : raw(...events))
    })

    test.each(faults)('an error event that stands for %d', async (status, event) => {
      await expectSecond(named(`fault ${status} ${event.length}`, dialect), raw(event))
      await expectSecond(named(`late fault ${status} ${event.length}`, dialect), raw(COMMENTS, preamble, event))
    })
  })

  test.each(faults)(
    'an error event that stands for %d is a real status when nobody else is left',
    async (status, event) => {
      const model = named(`last fault ${status} ${event.length}`, dialect)
      await pair.upstream.answer('*', model, raw(preamble, event))
      const answer = await pair.ask(dialect, model, { stream: true })
      expect(answer.status).toBe(status)
      expect(answer.headers['content-type']).toMatch(/^application\/json/)
      expect(answer.json().error).toBeDefined()
      expect(answer.text).not.toContain('data:')
      expect(await keys(model)).toEqual([KEY_A, KEY_B])
    },
  )

  test('empty answers everywhere are 502, and say so', async () => {
    const model = named('all empty', dialect)
    await pair.upstream.answer('*', model, raw(preamble, ending))
    const answer = await pair.ask(dialect, model, { stream: true })
    expect(answer.status).toBe(502)
    expect(answer.json().error).toMatchObject({
      code: 'bad_gateway',
      diagnostics: { attempts: [{ reason: 'empty_answer' }, { reason: 'empty_answer' }] },
    })
  })

  describe.each(Object.entries(contents))('after %s', (what, event) => {
    test.each([
      ['reset', reset],
      ['cut', cut],
    ])('a %s becomes one error event, and no other connection is asked', async (how, break_) => {
      const model = named(`${what} then ${how}`, dialect)
      const sent = preamble + event
      await pair.upstream.answer(KEY_A, model, stream(text(sent), gate(model), break_))
      await pair.upstream.answer(KEY_B, model, raw(fromB))
      const answer = await pair.askStream(dialect, model)
      expect(await answer.until(event)).toBe(sent)
      pair.upstream.open(model)
      const error = lastEvent(await answer.rest(), sent)
      expect(error).toMatchObject({ code: 'stream_broken' })
      expect(await keys(model)).toEqual([KEY_A])
    })

    test('the upstream’s own error is the last event, whatever it sends after it', async () => {
      const [, fault] = faults[0] as (typeof faults)[number]
      const sent = preamble + event
      for (const [how, script] of Object.entries({
        'at once': raw(sent + fault + content('too late') + ending),
        'event by event': raw(preamble, event, fault, content('too late'), ending),
        'cut anywhere': raw(...((sent + fault + ending).match(/[\s\S]{1,11}/g) as string[])),
      })) {
        const model = named(`${what} then error ${how}`, dialect)
        await pair.upstream.answer(KEY_A, model, script)
        await pair.upstream.answer(KEY_B, model, raw(fromB))
        const answer = await pair.askStream(dialect, model)
        const whole = await answer.rest()
        expect(whole, how).toBe(sent + fault)
        expect(await keys(model)).toEqual([KEY_A])
      }
    })

    test('an answer of nothing else passes', async () => {
      const model = named(`only ${what}`, dialect)
      await pair.upstream.answer(KEY_A, model, raw(preamble, event, ending))
      const answer = await pair.askStream(dialect, model)
      expect(await answer.rest()).toBe(preamble + event + ending)
      expect(await keys(model)).toEqual([KEY_A])
    })
  })

  test('a break within an event leaves the half of it unreadable, and the error event readable', async () => {
    const model = named('half event', dialect)
    const sent = preamble + content('whole') + content('half').slice(0, -20)
    await pair.upstream.answer(KEY_A, model, stream(text(sent), gate(model), cut))
    const answer = await pair.askStream(dialect, model)
    await answer.until(sent)
    pair.upstream.open(model)
    const whole = await answer.rest()
    const events = whole.split('\n\n')
    expect(events.at(-2)).toContain('stream_broken')
    expect(whole).not.toContain(endMark)
  })

  test('silence in the middle of an answer becomes one error event', async () => {
    const short = await startPair({ idleTimeoutMs: 300 })
    try {
      const sent = preamble + content('Here is')
      await short.upstream.answer(KEY_A, 'quiet', stream(text(sent), { kind: 'hang' }))
      const answer = await short.askStream(dialect, 'quiet')
      expect(lastEvent(await answer.rest(), sent)).toMatchObject({ code: 'stream_broken' })
      expect(await short.upstream.seen('quiet')).toHaveLength(1)
    } finally {
      await short.stop()
    }
  })
})
