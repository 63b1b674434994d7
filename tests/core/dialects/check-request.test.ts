import { describe, expect, it } from 'vitest'
import { dialectModules } from '../../../core/dialects/dialects'
import { GatewayError } from '../../../core/errors'
import { requestBodyOf } from './request-body-of'

function refusal(text: string, name: 'openai-chat' | 'anthropic'): string | null {
  const dialect = dialectModules[name]
  try {
    dialect.checkRequest(requestBodyOf(text, dialect))
    return null
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    expect(error.httpStatus).toBe(400)
    return error.message
  }
}

describe.each(['openai-chat', 'anthropic'] as const)('a request body, %s', (name) => {
  it.each([
    '{"model":"a/b","messages":[]}',
    '{"messages":[{"role":"user","content":"x"}],"model":"a/b","stream":true,"tools":[]}',
    '{"model":"a/b","messages":[{}],"stream":null,"tools":null}',
    '{"model":"a/b","messages":[{}],"stream":false,"temperature":"hot","x":{"model":1}}',
  ])('is taken: %s', (text) => {
    expect(refusal(text, name)).toBeNull()
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
    expect(refusal(text, name)).toContain(words)
  })
})
