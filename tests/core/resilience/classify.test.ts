import { describe, expect, it } from 'vitest'
import { classify, excerpt } from '../../../core/resilience/classify'

const http = (status: number, text = '') => classify({ kind: 'http', status, headers: {}, text })

describe('which failures another connection may make good', () => {
  it.each([401, 402, 403, 408, 429, 500, 502, 503, 504, 529, 520])('%i: the next one is tried', (status) => {
    expect(http(status).next).toBe('next-connection')
  })

  it.each([400, 404, 405, 409, 413, 415, 422])('%i: it would be the same everywhere', (status) => {
    expect(http(status).next).toBe('stop')
  })

  it('a model that is unknown to one account may be known to another', () => {
    expect(http(404, '{"error":{"message":"The model `x` does not exist"}}')).toMatchObject({
      next: 'next-connection',
      reason: 'not_found',
      scope: 'model',
    })
  })

  it('a connection that cannot be had, a silence, an empty answer', () => {
    expect(classify({ kind: 'network', code: 'ECONNREFUSED' })).toMatchObject({
      reason: 'network_error',
      next: 'next-connection',
    })
    expect(classify({ kind: 'timeout', phase: 'idle' })).toMatchObject({ reason: 'timeout', next: 'next-connection' })
    expect(classify({ kind: 'empty' })).toMatchObject({
      reason: 'empty_answer',
      scope: 'nobody',
      next: 'next-connection',
    })
  })
})

describe('the excerpt of an error', () => {
  it('is its message where there is one', () => {
    expect(excerpt('{"error":{"message":"no such key"}}')).toBe('no such key')
    expect(excerpt('{"error":"spent"}')).toBe('spent')
    expect(excerpt('{"message":"slow"}')).toBe('slow')
  })

  it('is the text of a page, on one line, not too long', () => {
    expect(excerpt('<html><style>a{}</style><h1>502</h1>\n bad   gateway</html>')).toBe('502 bad gateway')
    expect(excerpt('x'.repeat(1000))).toHaveLength(200)
  })
})
