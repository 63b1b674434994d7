import { describe, expect, it } from 'vitest'
import { systemClock } from '../../../core/clock'
import type { CanonicalRequest, Part } from '../../../core/dialects/canonical'
import { estimateTokensWith } from '../../../core/models/estimate-tokens'
import {
  type CountingThread,
  createTokenCounter,
  roughTokens,
  type TokenCounter,
} from '../../../core/models/token-counter'
import { ManualClock } from '../../support/manual-clock'

const request = (parts: readonly Part[], more: Partial<CanonicalRequest> = {}): CanonicalRequest => ({
  ...{ system: [], turns: [{ role: 'user', parts }], tools: [], toolChoice: null, parallelToolCalls: null },
  ...{ maxTokens: null, temperature: null, topP: null, topK: null, stop: [], presencePenalty: null },
  ...{ frequencyPenalty: null, seed: null, output: null, reasoning: null, verbosity: null, user: null },
  ...{ cacheKey: null, includeUsage: false },
  ...more,
})
const text = (said: string): Part => ({ kind: 'text', text: said })

/** Counts every text as its length, so that what is asked can be seen. */
function lengthCounter(): TokenCounter & { readonly texts: string[] } {
  const texts: string[] = []
  return {
    texts,
    count(given) {
      texts.push(...given)
      return Promise.resolve(given.reduce((sum, each) => sum + each.length, 0))
    },
    close: () => {},
  }
}

describe('the estimate of a request', () => {
  it('counts every text, and a little for what wraps it', async () => {
    const counter = lengthCounter()
    const whole = request([text('four'), { kind: 'refusal', text: 'no' }], {
      system: [{ kind: 'text', text: 'sys' }],
      tools: [{ name: 't', description: 'd', schema: { type: 'object' }, strict: null, freeForm: false }],
    })
    const tool = '{"name":"t","description":"d","schema":{"type":"object"}}'
    expect(await estimateTokensWith(whole, counter)).toBe(3 + 4 + 2 + tool.length + (3 + 4 + 4 + 8))
    expect(counter.texts).toEqual(['sys', 'four', 'no', tool])
  })

  it.each<[string, Part, number]>([
    ['an image', { kind: 'image', media: { kind: 'url', url: 'https://x', mediaType: null }, name: null }, 1_600],
    ['a document', media('document', 50_000), 2_000],
    ['a sound', media('audio', 16_000), 32],
    [
      'a document elsewhere',
      { kind: 'document', media: { kind: 'url', url: 'https://x', mediaType: null }, name: null },
      2_000,
    ],
    ['a call', { kind: 'tool-call', id: '1', name: 'ab', arguments: '{}', freeForm: false }, 8 + 4],
    [
      'a result',
      { kind: 'tool-result', callId: '1', name: null, isError: false, content: [{ kind: 'text', text: 'abc' }] },
      8 + 3,
    ],
    ['a thought', { kind: 'thinking', text: 'abc', signature: 's', issuer: 'anthropic', redacted: false }, 3],
    ['a hidden thought', { kind: 'thinking', text: '', signature: 's', issuer: 'anthropic', redacted: true }, 0],
  ])('counts %s', async (_what, part, tokens) => {
    expect(await estimateTokensWith(request([part]), lengthCounter())).toBe(3 + 4 + tokens)
  })
})

function media(kind: 'document' | 'audio', bytes: number): Part {
  return { kind, media: { kind: 'base64', mediaType: 'x/y', data: 'A'.repeat((bytes / 3) * 4) }, name: null }
}

describe('the thread that counts', () => {
  it('counts with OpenAI’s newest vocabulary, control tokens as text, long runs in slices', async () => {
    const counter = createTokenCounter(systemClock)
    expect(await counter.count(['hello world', 'The quick brown fox'])).toBe(6)
    expect(await counter.count(['<|endoftext|>'])).toBeGreaterThan(3)
    expect(await counter.count(['a'.repeat(16_000)])).toBe(2_000)
    expect(await counter.count([])).toBe(0)
    counter.close()
  })

  it('takes the rest of a very long text to be like its beginning', async () => {
    const counter = createTokenCounter(systemClock)
    const text = 'The quick brown fox jumps over the lazy dog. '
    const [short, long] = await Promise.all([
      counter.count([text.repeat(40_000)]),
      counter.count([text.repeat(400_000)]),
    ])
    counter.close()
    expect(long / short).toBeGreaterThan(9.9)
    expect(long / short).toBeLessThan(10.1)
  })

  function fakeThreads() {
    const threads: { ended: boolean; answer: (tokens: number) => void; fail: () => void }[] = []
    const start = (): CountingThread => {
      const asked: number[] = []
      let listener: (answer: { id: number; tokens: number }) => void = () => {}
      let onEnd = (): void => {}
      const thread = {
        ended: false,
        answer: (tokens: number) => listener({ id: asked.shift() ?? 0, tokens }),
        fail: () => onEnd(),
      }
      threads.push(thread)
      return {
        postMessage: ({ id }) => void asked.push(id),
        onAnswer: (given) => {
          listener = given
        },
        onEnd: (given) => {
          onEnd = given
        },
        terminate: () => {
          thread.ended = true
        },
      }
    }
    return { threads, start }
  }

  it('is started when it is needed, kept while it is used, and ended when it is not', async () => {
    const clock = new ManualClock()
    const { threads, start } = fakeThreads()
    const counter = createTokenCounter(clock, start)
    expect(threads).toHaveLength(0)
    for (const tokens of [5, 6]) {
      const count = counter.count(['x'])
      threads[0]?.answer(tokens)
      expect(await count).toBe(tokens)
      clock.advance(100_000)
    }
    expect(threads).toHaveLength(1)
    clock.advance(20_000)
    expect(threads[0]?.ended).toBe(true)
    const again = counter.count(['x'])
    threads[1]?.answer(7)
    expect(await again).toBe(7)
    counter.close()
    expect(threads[1]?.ended).toBe(true)
    expect(clock.waiting).toBe(0)
  })

  it('that breaks leaves rough estimates, and a new one for the next question', async () => {
    const { threads, start } = fakeThreads()
    const counter = createTokenCounter(new ManualClock(), start)
    const [one, two] = [counter.count(['x'.repeat(40)]), counter.count(['漢字'])]
    threads[0]?.fail()
    expect(await Promise.all([one, two])).toEqual([10, 2])
    const next = counter.count(['x'])
    threads[1]?.answer(1)
    expect(await next).toBe(1)
  })

  it('that cannot be started is done without', async () => {
    const counter = createTokenCounter(new ManualClock(), () => {
      throw new Error('no threads here')
    })
    expect(await counter.count(['x'.repeat(400)])).toBe(roughTokens(['x'.repeat(400)]))
  })
})
