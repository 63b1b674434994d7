import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anthropic } from '../../../core/dialects/anthropic/anthropic'
import type { DialectModule } from '../../../core/dialects/dialect'
import { gemini } from '../../../core/dialects/gemini/gemini'
import { embeddings } from '../../../core/dialects/openai-chat/embeddings'
import { openAiChat } from '../../../core/dialects/openai-chat/openai-chat'
import { openAiResponses } from '../../../core/dialects/openai-responses/openai-responses'
import type { BuildTarget } from '../../../core/dialects/translation'
import { GatewayError } from '../../../core/errors'
import { ClientRequest } from '../../../core/pipeline/client-request'
import { requestBodyOf } from '../dialects/request-body-of'

function requestOf(text: string, dialect: DialectModule = openAiChat): ClientRequest {
  const body = requestBodyOf(text, dialect)
  return new ClientRequest(dialect, dialect.readAsked(body, '/v1beta/models/g:generateContent'), body)
}
const sent = (chunks: readonly Buffer[]): string => Buffer.concat(chunks).toString('utf8')
const CHAT = '{ "big":12345678901234567890, "model" : "a/b",\n"messages":[{"role":"user","content":"é😀"}], "x":1.0 }'

const TARGET: BuildTarget = {
  ...{ model: 'm', stream: false, maxTokensField: 'max_tokens' },
  ...{ reportsUsageOnRequest: false, maxOutputTokens: null },
}

describe('what goes up in the client’s own dialect', () => {
  it('is every byte of it, but for the name of the model', () => {
    expect(sent(requestOf(CHAT).sameDialect('gpt-5', false))).toBe(CHAT.replace('"a/b"', '"gpt-5"'))
  })

  it('asks for the count of tokens where that is wanted', () => {
    const expected = CHAT.replace('"a/b"', '"gpt-5"').replace('{', '{"stream_options":{"include_usage":true},')
    expect(sent(requestOf(CHAT).sameDialect('gpt-5', true))).toBe(expected)
  })

  it('is the body as it came where the path names the model', () => {
    const text = '{ "contents":[{"parts":[{"text":"Hi"}]}] }'
    expect(sent(requestOf(text, gemini).sameDialect('gemini-x', false))).toBe(text)
  })

  it('holds any name of a model as JSON writes it, and changes nothing else', () => {
    const member = fc.tuple(fc.stringMatching(/^[a-l]{1,6}$/), fc.jsonValue())
    fc.assert(
      fc.property(fc.array(member), fc.array(member), fc.string({ unit: 'grapheme' }), (before, behind, model) => {
        const written = (members: typeof before) =>
          members.map(([name, value]) => `"${name}":  ${JSON.stringify(value)}`)
        const text = (name: string) =>
          `{${[...written(before), `"model":${JSON.stringify(name)}`, ...written(behind)].join(' ,')}}`
        expect(sent(requestOf(text('fake/m')).sameDialect(model, false))).toBe(text(model))
      }),
    )
  })
})

describe('what is known of a request without parsing it', () => {
  const body = '{"model":"a/b","input":"Hi","store":false,"background":null,"previous_response_id":"resp_1"}'
  const request = requestOf(body, openAiResponses)

  it('a member is there where it is not null', () => {
    expect(['previous_response_id', 'store', 'background', 'conversation'].map((name) => request.has(name))).toEqual([
      ...[true, true, false, false],
    ])
    expect(['store', 'background', 'input'].map((name) => request.isFalse(name))).toEqual([true, false, false])
  })

  it('bytes are mentioned wherever they stand', () => {
    expect([request.mentions('resp_1'), request.mentions('resp_2')]).toEqual([true, false])
  })

  it('a stream of Chat can be asked for its usage, unless its client has said itself', () => {
    const canAsk = (more: string) => requestOf(`{"model":"a/b","messages":[]${more}}`).canAskForUsage()
    expect(canAsk(',"stream":true')).toBe(true)
    expect(canAsk(',"stream":true,"stream_options":{"include_usage":false}')).toBe(false)
    expect(canAsk('')).toBe(false)
  })
})

describe('the parsed body', () => {
  it('is made once', () => {
    const request = requestOf(CHAT)
    expect(request.json()).toBe(request.json())
    expect(request.json()).toMatchObject({ model: 'a/b', messages: [{ content: 'é😀' }] })
  })

  it('of another body in its place is that one, and its bytes go up', () => {
    const given = requestOf('{"model":"a/b","input":"Hi","store":false}', openAiResponses)
    const next = given.withBody({ input: 'Ho', model: 'a/b' })
    expect(next.json()).toEqual({ input: 'Ho', model: 'a/b' })
    expect(sent(next.sameDialect('m', false))).toBe('{"input":"Ho","model":"m"}')
    expect([next.asked, next.call]).toEqual([given.asked, given.call])
    expect([given.isFalse('store'), next.isFalse('store')]).toEqual([true, false])
    expect(given.json()).toMatchObject({ input: 'Hi' })
  })
})

describe('reasoning of earlier turns', () => {
  const thought = { type: 'thinking', thinking: 'hm', signature: 'sig' }
  const bodyWith = (...content: object[]): string =>
    JSON.stringify({
      model: 'a/b',
      max_tokens: 9,
      messages: [
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: [...content, { type: 'text', text: 'Yes.' }] },
        { role: 'user', content: 'And?' },
      ],
    })

  it('is taken out for one more try, and the client’s own request stays as it is', () => {
    const given = requestOf(bodyWith(thought), anthropic)
    const without = given.withoutThinking()
    if (without === null) throw new Error('there was some')
    expect(sent(without.sameDialect('a/b', false))).not.toContain('sig')
    expect(sent(given.sameDialect('a/b', false))).toBe(bodyWith(thought))
  })

  it('that is not there is not tried without', () => {
    expect(requestOf(bodyWith(), anthropic).withoutThinking()).toBeNull()
    expect(requestOf('{"model":"a/b","input":"x"}', embeddings).withoutThinking()).toBeNull()
  })
})

describe('what goes up in another dialect', () => {
  it('is the same request in its words, with what had to be left out named', () => {
    const given = requestOf('{"model":"a/b","max_tokens":9,"seed":4,"messages":[{"role":"user","content":"Hi"}]}')
    const { body, dropped } = given.translated(anthropic, TARGET)
    expect(body).toMatchObject({ model: 'm', max_tokens: 9, messages: [{ role: 'user' }] })
    expect(dropped).toEqual(['seed'])
  })

  it.each<[string, ClientRequest, DialectModule]>([
    ['of a call that has no other form', requestOf('{"model":"a/b","input":"x"}', embeddings), anthropic],
    ['to a call that has no other form', requestOf(CHAT), embeddings],
  ])('%s is refused, and what to do is said', (_what, request, to) => {
    const run = () => request.translated(to, TARGET)
    expect(run).toThrow(GatewayError)
    expect(run).toThrow('can only be passed on to a provider that speaks its format')
  })
})
