// What a token endpoint said, in one union. Reads JSON and forms, since both are found in the wild; knows nothing of
// what was asked. No token ever gets into a sentence.
import type { TokenGrant } from './login'

export type TokenAnswer =
  | { readonly kind: 'granted'; readonly grant: TokenGrant }
  /** The server's own error word (RFC 6749 5.2, RFC 8628 3.5) with a sentence for people. */
  | { readonly kind: 'error'; readonly code: string; readonly why: string }
  /** Nothing that says anything about the tokens: no answer, a failing server, a page of something else. */
  | { readonly kind: 'failed'; readonly why: string; readonly lost: boolean; readonly retryAfterMs: number | null }

export interface HttpAnswer {
  readonly status: number
  readonly retryAfter: string | undefined
  readonly text: string
}

const LONGEST_EXCERPT = 200
/** Longer "lifetimes" are no seconds any more, or would leave the safe range of dates. */
const LONGEST_LIFETIME_S = 3_153_600_000

export function readTokenAnswer({ status, retryAfter, text }: HttpAnswer, sentAt: number, now: number): TokenAnswer {
  const passing = (why: string): TokenAnswer => ({
    kind: 'failed',
    why,
    lost: false,
    retryAfterMs: retryAfterMs(retryAfter, now),
  })
  const fields = fieldsOf(text)
  const code = errorCode(fields)
  if (status === 408 || status >= 500 || (status === 429 && !isDeviceWord(code))) {
    return passing(`The token endpoint answered ${status}.`)
  }
  // Some servers tell of errors with status 200.
  if (code !== null && (status >= 400 || status < 300)) return { kind: 'error', code, why: sentence(code, fields) }
  if (status >= 300) return passing(`The token endpoint answered ${status}, without a reason that can be read.`)
  const accessToken = tokenText(fields.access_token)
  if (accessToken === null) return passing('The token endpoint answered without a usable access token.')
  const lifetimeS = seconds(fields.expires_in)
  return {
    kind: 'granted',
    grant: {
      accessToken,
      refreshToken: tokenText(fields.refresh_token),
      tokenType: typeof fields.token_type === 'string' && fields.token_type !== '' ? fields.token_type : 'Bearer',
      scopes: typeof fields.scope === 'string' && fields.scope.trim() !== '' ? scopesOf(fields.scope) : null,
      issuedAt: sentAt,
      expiresAt: lifetimeS === null ? null : sentAt + lifetimeS * 1000,
    },
  }
}

export type Fields = Readonly<Record<string, unknown>>

/** JSON if it is an object, else a form; nothing at all for a page or plain words. */
export function fieldsOf(text: string): Fields {
  const plain = text.trim()
  if (plain.startsWith('{')) {
    try {
      return JSON.parse(plain) as Fields
    } catch {
      return {}
    }
  }
  return /^[\w.~-]+=[^\s<>]*$/.test(plain) ? Object.fromEntries(new URLSearchParams(plain)) : {}
}

export const scopesOf = (text: string): string[] => text.split(/[\s,]+/).filter((scope) => scope !== '')

/** A number, or a number as text; null where it is neither or no lifetime. Zero counts as not said. */
export function seconds(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && number > 0 && number <= LONGEST_LIFETIME_S ? number : null
}

/** Only what can travel in a header is a token. */
export const tokenText = (value: unknown): string | null =>
  typeof value === 'string' && /^[\x21-\x7e]+$/.test(value) ? value : null

/** `error` as the standards have it, or as the APIs of providers do: `{error: {code | type}}`. */
export function errorCode(fields: Fields): string | null {
  const { error } = fields
  const given = typeof error === 'object' && error !== null ? first(error as Fields, ['code', 'type', 'status']) : error
  return typeof given === 'string' && /^[\w.:-]{1,100}$/.test(given) ? given : null
}

function first(fields: Fields, names: readonly string[]): unknown {
  return names.map((name) => fields[name]).find((value) => typeof value === 'string')
}

const isDeviceWord = (code: string | null): boolean => code === 'slow_down' || code === 'authorization_pending'

/** "invalid_grant (Token has been revoked)" */
function sentence(code: string, fields: Fields): string {
  const { error } = fields
  const inner = typeof error === 'object' && error !== null ? (error as Fields).message : undefined
  const said = [fields.error_description, inner, fields.message].find((text) => typeof text === 'string')
  return said === undefined ? code : `${code} (${excerpt(said as string)})`
}

export function excerpt(text: string): string {
  const plain = text.replace(/[\s\p{C}]+/gu, ' ').trim()
  return plain.length > LONGEST_EXCERPT ? `${plain.slice(0, LONGEST_EXCERPT - 1)}…` : plain
}

/** Seconds or a date (RFC 9110 10.2.3); null where there is none, or it is past. */
function retryAfterMs(text: string | undefined, now: number): number | null {
  if (text === undefined) return null
  const ms = /^\d+$/.test(text.trim()) ? Number(text) * 1000 : Date.parse(text) - now
  return ms > 0 ? ms : null
}

/** Words by which a provider ends a refresh token: only a person can go on from there. */
const ENDED: ReadonlySet<string> = new Set([
  'invalid_grant',
  'invalid_token',
  'access_denied',
  'expired_token',
  'interaction_required',
  'login_required',
  'consent_required',
  'invalid_refresh_token',
  'refresh_token_expired',
  'refresh_token_reused',
  'refresh_token_revoked',
  'refresh_token_invalidated',
  'token_revoked',
  'token_expired',
])
/** Words about the client: its id, secret or rights are wrong. */
const CLIENT_REFUSED: ReadonlySet<string> = new Set([
  'invalid_client',
  'unauthorized_client',
  'unsupported_grant_type',
  'invalid_scope',
])

/** Whether an error is about the refresh token, the client, or (null) something else that may pass. */
export const finality = (code: string): 'ended' | 'client' | null =>
  ENDED.has(code) ? 'ended' : CLIENT_REFUSED.has(code) ? 'client' : null
