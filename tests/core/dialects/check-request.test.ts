import { describe, expect, it } from 'vitest'
import { anthropic } from '../../../core/dialects/anthropic/anthropic'
import { checkModelAndStream, checkObject } from '../../../core/dialects/check-request'
import type { DialectModule } from '../../../core/dialects/dialect'
import { completions } from '../../../core/dialects/openai-chat/completions'
import { embeddings } from '../../../core/dialects/openai-chat/embeddings'
import { openAiChat } from '../../../core/dialects/openai-chat/openai-chat'
import { GatewayError } from '../../../core/errors'
import { requestBodyOf } from './request-body-of'

function refusal(text: string, dialect: DialectModule, check = dialect.checkRequest): string | null {
  try {
    check(requestBodyOf(text, dialect))
    return null
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    expect(error.httpStatus).toBe(400)
    return error.message
  }
}

describe.each([openAiChat, anthropic])('a request body, $name', (dialect) => {
  it.each([
    '{"model":"a/b","messages":[]}',
    '{"messages":[{"role":"user","content":"x"}],"model":"a/b","stream":true,"tools":[]}',
    '{"model":"a/b","messages":[{}],"stream":null,"tools":null}',
    '{"model":"a/b","messages":[{}],"stream":false,"temperature":"hot","x":{"model":1}}',
  ])('is taken: %s', (text) => {
    expect(refusal(text, dialect)).toBeNull()
  })

  it.each([
    ['[]', 'must be a JSON object, not an array'],
    ['"x"', 'must be a JSON object, not string'],
    ['null', 'must be a JSON object, not null'],
    ['{"messages":[]}', 'model: is missing'],
    ['{"model":1,"messages":[]}', 'model: must be a string'],
    ['{"model":null,"messages":[]}', 'model: must be a string'],
    ['{"model":"a/b"}', 'messages: is missing'],
    ['{"model":"a/b","messages":{}}', 'messages: must be a list'],
    ['{"model":"a/b","messages":["hi"]}', 'messages: must hold only objects'],
    ['{"model":"a/b","messages":[],"stream":"true"}', 'stream: must be true or false'],
    ['{"model":"a/b","messages":[],"stream":1}', 'stream: must be true or false'],
    ['{"model":"a/b","messages":[],"tools":{}}', 'tools: must be a list'],
    ['{"model":"a/b","messages":[],"model":"c/d"}', 'model: is given twice'],
    ['{"model":"a/b","stream":true,"messages":[],"stream":false}', 'stream: is given twice'],
    ['{"model":"a/b","messages":[],"messages":[]}', 'messages: is given twice'],
  ])('is refused: %s', (text, words) => {
    expect(refusal(text, dialect)).toContain(words)
  })
})

describe('the checks of dialects without messages', () => {
  it.each([
    ['{"model":"a/b"}', null],
    ['{"model":"a/b","messages":7,"stream":true}', null],
    ['{"stream":true}', 'model: is missing'],
    ['{"model":"a/b","stream":"yes"}', 'stream: must be true or false'],
    ['{"model":"a/b","model":"a/b"}', 'model: is given twice'],
  ])('model and stream of %s', (text, words) => {
    const said = refusal(text, openAiChat, checkModelAndStream)
    words === null ? expect(said).toBeNull() : expect(said).toContain(words)
  })

  it('need no model where the address names it', () => {
    expect(refusal('{}', openAiChat, (body) => checkObject(body, []))).toBeNull()
    expect(refusal('[]', openAiChat, (body) => checkObject(body, []))).toContain('must be a JSON object, not an array')
    const twice = '{"tools":[],"tools":[]}'
    expect(refusal(twice, openAiChat, (body) => checkObject(body, ['tools']))).toContain('tools: is given twice')
  })
})

describe('the requests beside chat', () => {
  it.each([
    ['{"model":"a/b","input":"x"}', null],
    ['{"model":"a/b","input":["x","y"]}', null],
    ['{"model":"a/b","input":[1,2]}', null],
    ['{"model":"a/b"}', 'input: is missing'],
    ['{"model":"a/b","input":null}', 'input: must be a text or a list'],
    ['{"input":"x"}', 'model: is missing'],
  ])('embeddings: %s', (text, words) => {
    const said = refusal(text, embeddings)
    words === null ? expect(said).toBeNull() : expect(said).toContain(words)
  })

  it.each([
    ['{"model":"a/b","prompt":"x","stream":true}', null],
    ['{"model":"a/b","prompt":["x"]}', null],
    ['{"model":"a/b"}', 'prompt: is missing'],
    ['{"model":"a/b","prompt":{}}', 'prompt: must be a text or a list'],
    ['{"model":"a/b","prompt":"x","stream":1}', 'stream: must be true or false'],
  ])('completions: %s', (text, words) => {
    const said = refusal(text, completions)
    words === null ? expect(said).toBeNull() : expect(said).toContain(words)
  })
})
