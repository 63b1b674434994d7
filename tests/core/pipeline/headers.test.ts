import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anthropic } from '../../../core/dialects/anthropic/anthropic'
import type { DialectModule } from '../../../core/dialects/dialect'
import { openAiChat } from '../../../core/dialects/openai-chat/openai-chat'
import { downstreamHeaders, headerSafe, type UpstreamHeaders, upstreamHeaders } from '../../../core/pipeline/headers'

const endpointOf = (dialect: DialectModule) => ({
  dialect: dialect.name,
  origin: 'https://api.example',
  basePath: '/v1',
  headers: ['content-type', 'application/json', ...dialect.authHeaders('sk-ours').flat()],
  pathTemplate: null,
  query: '',
})

function pairs(flat: readonly string[]): [string, string][] {
  return Array.from({ length: flat.length / 2 }, (_, i) => [flat[2 * i] as string, flat[2 * i + 1] as string])
}
const up = (client: Record<string, string>, dialect: DialectModule = openAiChat) =>
  pairs(upstreamHeaders(client, dialect, endpointOf(dialect), 12))
const down = (upstream: UpstreamHeaders) => pairs(downstreamHeaders(upstream))

describe('request headers', () => {
  it.each([
    'authorization',
    'x-api-key',
    'x-goog-api-key',
    'cookie',
    'host',
    'origin',
    'referer',
    'connection',
    'transfer-encoding',
    'accept-encoding',
    'content-encoding',
    'x-forwarded-for',
    'forwarded',
    'x-request-id',
    'proxy-authorization',
    'x-breakwater-target',
  ])('%s of the client stays here, in both dialects', (name) => {
    for (const dialect of [openAiChat, anthropic]) {
      expect(JSON.stringify(up({ [name]: 'of-the-client' }, dialect))).not.toContain('of-the-client')
    }
  })

  it.each<[string, DialectModule]>([
    ['user-agent', openAiChat],
    ['openai-organization', openAiChat],
    ['openai-project', openAiChat],
    ['idempotency-key', openAiChat],
    ['user-agent', anthropic],
    ['anthropic-beta', anthropic],
    ['anthropic-version', anthropic],
  ])('%s goes up (%#)', (name, dialect) => {
    expect(up({ [name]: 'value' }, dialect)).toContainEqual([name, 'value'])
  })

  it('of any name only go up when the dialect lists them', () => {
    const name = fc.stringMatching(/^[a-z][a-z0-9-]{0,20}$/)
    fc.assert(
      fc.property(name, (any) => {
        for (const dialect of [openAiChat, anthropic]) {
          const sent = up({ [any]: 'of-the-client' }, dialect).some(([, value]) => value === 'of-the-client')
          expect(sent).toBe(dialect.forwardHeaders.has(any))
        }
      }),
    )
  })

  it('carry our key, the new length, and a version where the client names none', () => {
    expect(up({})).toEqual([
      ['content-type', 'application/json'],
      ['authorization', 'Bearer sk-ours'],
      ['content-length', '12'],
    ])
    expect(up({}, anthropic)).toContainEqual(['anthropic-version', '2023-06-01'])
    const named = up({ 'anthropic-version': '2024-01-01' }, anthropic)
    expect(named.filter(([name]) => name === 'anthropic-version')).toEqual([['anthropic-version', '2024-01-01']])
    expect(named).toContainEqual(['x-api-key', 'sk-ours'])
  })
})

describe('answer headers', () => {
  it.each([
    'connection',
    'keep-alive',
    'transfer-encoding',
    'content-length',
    'content-encoding',
    'set-cookie',
    'alt-svc',
    'strict-transport-security',
    'server',
    'via',
    'date',
    'vary',
    'x-request-id',
    'access-control-allow-origin',
    'access-control-anything',
    'x-breakwater-target',
  ])('%s of the upstream stays there', (name) => {
    expect(down({ [name]: 'value' })).toEqual([])
  })

  it.each(['content-type', 'retry-after', 'x-ratelimit-remaining-requests', 'openai-processing-ms', 'cf-ray'])(
    '%s comes down',
    (name) => {
      expect(down({ [name]: 'value' })).toEqual([[name, 'value']])
    },
  )

  it('keep every value of one that is given several times', () => {
    expect(down({ 'x-warning': ['a', 'b'], 'x-none': undefined })).toEqual([
      ['x-warning', 'a'],
      ['x-warning', 'b'],
    ])
  })

  it.each(['X-Hop, close', 'keep-alive,x-hop', 'x-hop'])('leave out what Connection names: %s', (connection) => {
    expect(down({ connection, 'x-hop': '1', 'x-end': '2' })).toEqual([['x-end', '2']])
  })
})

describe('text in a header', () => {
  it.each([
    ['openai/gpt-5', 'openai/gpt-5'],
    ['', ''],
    ['a b~!"', 'a b~!"'],
    ['ollama/modèle x', 'ollama/mod%C3%A8le x'],
    ['a\r\nset-cookie: x', 'a%0D%0Aset-cookie%3A x'],
    ['\ud800', '%EF%BF%BD'],
  ])('%j becomes %j', (text, safe) => {
    expect(headerSafe(text)).toBe(safe)
  })

  it('is printable ASCII, whatever it was', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => /^[ -~]*$/.test(headerSafe(text))))
  })
})
