import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fieldsOf, finality, readTokenAnswer, seconds } from '../../../core/oauth/token-answer'

const SENT = 1_750_000_000_000
const NOW = SENT + 500
const read = (status: number, body: object | string, retryAfter?: string) =>
  readTokenAnswer({ status, retryAfter, text: typeof body === 'string' ? body : JSON.stringify(body) }, SENT, NOW)

describe('tokens that came', () => {
  it('are read from JSON, with their end counted from when they were asked for', () => {
    const body = { access_token: 'at', refresh_token: 'rt', token_type: 'bearer', expires_in: 3600, scope: 'a b' }
    expect(read(200, body)).toEqual({
      kind: 'granted',
      grant: {
        accessToken: 'at',
        refreshToken: 'rt',
        tokenType: 'bearer',
        scopes: ['a', 'b'],
        issuedAt: SENT,
        expiresAt: SENT + 3_600_000,
      },
    })
  })

  it('are read from a form, as some servers answer', () => {
    expect(read(200, 'access_token=at&scope=repo%2Cgist&token_type=bearer&expires_in=60')).toMatchObject({
      kind: 'granted',
      grant: { accessToken: 'at', scopes: ['repo', 'gist'], expiresAt: SENT + 60_000 },
    })
  })

  it.each([
    ['a number', 60, SENT + 60_000],
    ['a number as text', '60', SENT + 60_000],
    ['nothing', undefined, null],
    ['null', null, null],
    ['zero', 0, null],
    ['less than nothing', -1, null],
    ['words', 'soon', null],
    ['no number at all', Number.MAX_VALUE, null],
  ])('with a lifetime of %s', (_case, expires_in, expiresAt) => {
    expect(read(200, { access_token: 'at', expires_in })).toMatchObject({ grant: { expiresAt } })
  })

  it('need no refresh token, type or scope', () => {
    expect(read(200, { access_token: 'at' })).toMatchObject({
      grant: { refreshToken: null, tokenType: 'Bearer', scopes: null },
    })
  })

  it.each([
    ['none', {}],
    ['a number', { access_token: 7 }],
    ['an empty one', { access_token: '' }],
    ['one that fits in no header', { access_token: 'a\r\nx-evil: 1' }],
  ])('are not taken from an answer with %s', (_case, body) => {
    expect(read(200, body)).toMatchObject({ kind: 'failed', lost: false })
  })
})

describe('errors', () => {
  it.each([
    [
      'the standard form',
      400,
      { error: 'invalid_grant', error_description: 'Token\nrevoked' },
      'invalid_grant (Token revoked)',
    ],
    ['a form', 400, 'error=invalid_grant&error_description=revoked', 'invalid_grant (revoked)'],
    ['status 200', 200, { error: 'invalid_grant' }, 'invalid_grant'],
    [
      'an API’s own form',
      401,
      { error: { code: 'refresh_token_reused', message: 'used' } },
      'refresh_token_reused (used)',
    ],
  ])('are read from %s', (_case, status, body, why) => {
    expect(read(status, body)).toEqual({ kind: 'error', code: why.replace(/ .*/, ''), why })
  })

  it.each([
    ['a failing server', 503, { error: 'invalid_grant' }],
    ['a failing server with a page', 502, '<html>invalid_grant</html>'],
    ['too many requests', 429, { error: 'invalid_grant' }],
    ['a time-out', 408, ''],
    ['a refusal without a reason', 403, '<html>Access denied</html>'],
    ['a page that is not there', 404, 'Not found'],
    ['a redirect', 302, { error: 'invalid_grant' }],
    ['a page instead of an answer', 200, '<html>Welcome to the airport</html>'],
    ['broken JSON', 400, '{"error":"invalid_grant"'],
    ['an error that is no word', 400, { error: 'Please <b>try</b> later' }],
  ])('say nothing about the tokens when they are %s', (_case, status, body) => {
    expect(read(status, body)).toMatchObject({ kind: 'failed', lost: false })
  })

  it('of a device sign-in are heard with status 429, too', () => {
    expect(read(429, { error: 'slow_down' })).toMatchObject({ kind: 'error', code: 'slow_down' })
  })

  it.each([
    ['12', 12_000],
    [new Date(NOW + 60_000).toUTCString(), 59_500],
    ['0', null],
    ['Mon, 01 Jan 2001 00:00:00 GMT', null],
    ['soon', null],
    [undefined, null],
  ])('state a wait: %s', (retryAfter, ms) => {
    expect(read(503, '', retryAfter)).toMatchObject({ retryAfterMs: ms })
  })

  it('of which only some end a sign-in', () => {
    expect(finality('invalid_grant')).toBe('ended')
    expect(finality('refresh_token_reused')).toBe('ended')
    expect(finality('invalid_client')).toBe('client')
    expect(finality('temporarily_unavailable')).toBeNull()
    expect(finality('server_error')).toBeNull()
  })
})

describe('whatever a server sends', () => {
  it('is read without a fault, and no sentence holds a token', () => {
    const fields = fc.dictionary(
      fc.constantFrom('access_token', 'refresh_token', 'expires_in', 'error', 'error_description', 'message', 'scope'),
      fc.oneof(fc.jsonValue(), fc.constant('SECRET-TOKEN')),
    )
    const text = fc.oneof(
      fc.string(),
      fields.map((value) => JSON.stringify(value)),
    )
    fc.assert(
      fc.property(
        fc.integer({ min: 100, max: 599 }),
        text,
        fc.option(fc.string(), { nil: undefined }),
        (status, body, after) => {
          const answer = readTokenAnswer({ status, retryAfter: after, text: body }, SENT, NOW)
          if (answer.kind === 'granted') expect(answer.grant.accessToken).toMatch(/^[\x21-\x7e]+$/)
          else {
            const said = fieldsOf(body)
            const mayQuote = [said.error, said.error_description, said.message]
            if (!JSON.stringify(mayQuote).includes('SECRET')) expect(answer.why).not.toContain('SECRET-TOKEN')
          }
        },
      ),
    )
  })

  it('never gives a lifetime that is no safe date', () => {
    fc.assert(
      fc.property(fc.oneof(fc.double(), fc.string(), fc.jsonValue()), (value) => {
        const found = seconds(value)
        if (found !== null) expect(Number.isSafeInteger(Math.floor(SENT + found * 1000))).toBe(true)
      }),
    )
  })
})
