import type { IncomingMessage } from 'node:http'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dialectModules } from '../../../core/dialects/dialects'
import { canonicalPath, type EndpointRoute, guessDialect, pathParams, Router } from '../../../core/http/router'

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

describe('paths with parameters', () => {
  const one = route('GET', '/api/things/{id}')
  const change = route('PATCH', '/api/things/{id}')
  const test = route('POST', '/api/things/test')
  const verb = route('POST', '/api/things/{id}/test')
  const pair = route('GET', '/api/{kind}/of/{id}')
  const things = new Router([one, change, test, verb, pair, oneModel])

  it('are found by their segments; a whole name comes before a parameter', () => {
    expect(things.find('GET', '/api/things/a')).toBe(one)
    expect(things.find('PATCH', '/api/things/a%2Fb')).toBe(change)
    expect(things.find('POST', '/api/things/test')).toBe(test)
    expect(things.find('POST', '/api/things/a/test')).toBe(verb)
    expect(things.find('GET', '/api/shoes/of/a')).toBe(pair)
  })

  it.each(['/api/things', '/api/things/', '/api/things/a/b', '/api/things/a/test/b', '/things/a'])(
    '%s is none of them',
    (path) => {
      expect(things.find('GET', path)).toBeNull()
    },
  )

  it('tell a wrong method from an unknown path, and which methods there are', () => {
    expect(things.find('DELETE', '/api/things/a')).toBe('wrong-method')
    expect(things.methods('/api/things/a')).toEqual(['GET', 'PATCH'])
    expect(things.methods('/v1/models/x')).toEqual(['GET'])
    expect(things.methods('/api/nothing')).toEqual([])
  })

  it('give their values, decoded where they can be', () => {
    expect(pathParams('/api/things/{id}', '/api/things/a%20b')).toEqual({ id: 'a b' })
    expect(pathParams('/api/{kind}/of/{id}', '/api/shoes/of/%zz')).toEqual({ kind: 'shoes', id: '%zz' })
    expect(pathParams('/api/things', '/api/things')).toEqual({})
  })

  it('give back whatever was put into them', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: 'grapheme' }), (id) => {
        const path = `/api/things/${encodeURIComponent(id)}`
        expect(things.find('GET', path)).toBe(id === 'test' ? 'wrong-method' : one)
        expect(pathParams('/api/things/{id}', path)).toEqual({ id })
      }),
    )
  })
})
