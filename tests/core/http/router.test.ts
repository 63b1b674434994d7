import type { IncomingMessage } from 'node:http'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dialectModules } from '../../../core/dialects/dialects'
import { canonicalPath, type EndpointRoute, guessDialect, Router } from '../../../core/http/router'

const route = (method: EndpointRoute['method'], path: string): EndpointRoute => ({
  method,
  path,
  access: 'key',
  dialect: dialectModules['openai-chat'],
  handle: () => {},
})

const chat = route('POST', '/v1/chat/completions')
const models = route('GET', '/v1/models')
const oneModel = route('GET', '/v1/models/*')
const hello = route('GET', '/')
const helloHead = route('HEAD', '/')
const router = new Router([chat, models, oneModel, hello, helloHead])

describe('the many names of one path', () => {
  it.each([
    ['/v1/chat/completions', '/v1/chat/completions'],
    ['/chat/completions', '/v1/chat/completions'],
    ['/v1/chat/completions/', '/v1/chat/completions'],
    ['/v1/v1/chat/completions', '/v1/chat/completions'],
    ['/v1/v1/v1/messages', '/v1/messages'],
    ['/api/v1/messages', '/v1/messages'],
    ['/messages', '/v1/messages'],
    ['/models', '/v1/models'],
    ['/models/', '/v1/models'],
    ['/api/v1/models/openai/gpt-5', '/v1/models/openai/gpt-5'],
    ['/', '/'],
    ['/health', '/health'],
    ['/api/monitoring/health', '/api/monitoring/health'],
    ['/v2/messages', '/v2/messages'],
    ['/x/chat/completions', '/x/chat/completions'],
  ])('%s is %s', (path, canonical) => {
    expect(canonicalPath(path)).toBe(canonical)
  })

  it('lead to a name that stays as it is', () => {
    const part = fc.constantFrom('v1', 'api', 'chat', 'completions', 'messages', 'models', 'x')
    const path = fc.array(part, { maxLength: 5 }).map((parts) => `/${parts.join('/')}`)
    fc.assert(
      fc.property(path, (any) => {
        fc.pre(!any.startsWith('/api/v1/'))
        const once = canonicalPath(any)
        expect(canonicalPath(once)).toBe(once)
      }),
    )
  })
})

describe('path and method', () => {
  it.each<[string, string, EndpointRoute | 'wrong-method' | null]>([
    ['POST', '/v1/chat/completions', chat],
    ['GET', '/v1/chat/completions', 'wrong-method'],
    ['OPTIONS', '/v1/chat/completions', 'wrong-method'],
    ['post', '/v1/chat/completions', 'wrong-method'],
    ['GET', '/v1/models', models],
    ['POST', '/v1/models', 'wrong-method'],
    ['GET', '/v1/models/openai/gpt-5', oneModel],
    ['DELETE', '/v1/models/openai/gpt-5', 'wrong-method'],
    ['GET', '/v1/models/', oneModel],
    ['GET', '/', hello],
    ['HEAD', '/', helloHead],
    ['GET', '/v1/modelsx', null],
    ['GET', '/V1/models', null],
    ['GET', '/v1/embeddings', null],
    ['GET', '', null],
    ['GET', '/__proto__', null],
  ])('%s %s', (method, path, found) => {
    expect(router.find(method, path)).toBe(found)
  })
})

describe('the dialect in which an unknown path is refused', () => {
  const caller = (headers: Record<string, string>) => ({ headers }) as unknown as IncomingMessage

  it.each([
    ['/v1/messages', {}, 'anthropic'],
    ['/v1/messages/count_tokens', {}, 'anthropic'],
    ['/v1/anything', { 'anthropic-version': '2023-06-01' }, 'anthropic'],
    ['/v1/chat/completions', {}, 'openai-chat'],
    ['/nowhere', {}, 'openai-chat'],
  ])('%s %j: %s', (path, headers, name) => {
    expect(guessDialect(path, caller(headers)).name).toBe(name)
  })
})
