import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  authorizeAddress,
  challengeOf,
  createOAuthState,
  createPkce,
  readCallback,
} from '../../../core/oauth/authorization-code'
import { endpointUrl } from '../../../core/oauth/endpoint-url'

describe('PKCE', () => {
  it('makes the challenge of RFC 7636, appendix B', () => {
    expect(challengeOf('dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk')).toBe(
      'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    )
  })

  it('makes another verifier each time, of the length and letters that are allowed', () => {
    const made = Array.from({ length: 50 }, createPkce)
    expect(new Set(made.map(({ verifier }) => verifier)).size).toBe(50)
    for (const { verifier, challenge } of made) {
      expect(verifier).toMatch(/^[A-Za-z0-9._~-]{43,128}$/)
      expect(challenge).toBe(challengeOf(verifier))
    }
  })
})

describe('the address that is opened', () => {
  const request = {
    authorizeUrl: 'https://id.example/authorize?audience=api',
    clientId: 'client & co',
    scopes: ['read', 'offline_access'],
    redirectUri: 'http://127.0.0.1:40001/callback',
    state: 'st',
    challenge: 'ch',
  }

  it('asks for a code with PKCE, and keeps what the endpoint’s address says', () => {
    const url = new URL(authorizeAddress(request))
    expect(url.origin + url.pathname).toBe('https://id.example/authorize')
    expect(Object.fromEntries(url.searchParams)).toEqual({
      audience: 'api',
      response_type: 'code',
      client_id: 'client & co',
      redirect_uri: 'http://127.0.0.1:40001/callback',
      scope: 'read offline_access',
      state: 'st',
      code_challenge: 'ch',
      code_challenge_method: 'S256',
    })
  })

  it('names no scope where none is wanted', () => {
    expect(authorizeAddress({ ...request, scopes: [] })).not.toContain('scope=')
  })
})

describe('what the browser brings back', () => {
  const state = createOAuthState()
  const back = (fields: Record<string, string>) => readCallback(new URLSearchParams(fields), state)

  it('is the code', () => {
    expect(back({ state, code: 'c0de' })).toEqual({ kind: 'code', code: 'c0de' })
  })

  it.each([
    ['a refusal by the person', { error: 'access_denied' }, 'declined'],
    ['a refusal by the provider', { error: 'invalid_scope', error_description: 'no such scope' }, 'no such scope'],
    ['nothing', {}, 'without a code'],
  ])('may be %s', (_case, fields, word) => {
    const callback = back({ state, ...fields })
    expect(callback.kind === 'refused' && callback.message).toContain(word)
  })

  it('counts only with the state of this sign-in', () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom('code', 'error'), (other, field) => {
        fc.pre(other !== state)
        expect(back({ state: other, [field]: 'x' })).toEqual({ kind: 'foreign' })
      }),
    )
    expect(back({ code: 'c0de' })).toEqual({ kind: 'foreign' })
  })
})

describe('the address of an endpoint', () => {
  it.each([
    ['https://id.example/oauth/token', 'https://id.example/oauth/token'],
    [' https://id.example/token?v=2 ', 'https://id.example/token?v=2'],
    ['http://127.0.0.1:9000/token', 'http://127.0.0.1:9000/token'],
    ['http://localhost:9000/token', 'http://localhost:9000/token'],
  ])('may be %s', (raw, url) => {
    expect(endpointUrl(raw, 'tokenUrl')).toBe(url)
  })

  it.each([
    ['', 'must be an address'],
    ['id.example/token', 'must be an address'],
    ['ftp://id.example', 'must be an address'],
    ['http://id.example/token', 'https://'],
    ['http://127.evil.example/token', 'https://'],
    ['https://me:secret@id.example/', 'user name'],
    ['https://id.example/#x', '"#"'],
  ])('may not be "%s"', (raw, word) => {
    expect(() => endpointUrl(raw, 'tokenUrl')).toThrow(word)
  })
})
