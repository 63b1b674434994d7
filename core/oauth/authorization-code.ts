// The pure parts of signing in with the browser: authorization code with PKCE (RFC 7636, S256) and a loopback redirect
// (RFC 8252 7.3).
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { excerpt } from './token-answer'

export interface Pkce {
  /** Kept here until the code is exchanged. */
  readonly verifier: string
  /** Goes through the browser. */
  readonly challenge: string
}

/** 43 characters, the shortest that RFC 7636 allows; 256 bits of chance. */
export function createPkce(): Pkce {
  const verifier = randomBytes(32).toString('base64url')
  return { verifier, challenge: challengeOf(verifier) }
}

export const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url')

/** Ties the browser's answer to this sign-in. */
export const createOAuthState = (): string => randomBytes(24).toString('base64url')

export interface CodeRequest {
  readonly authorizeUrl: string
  readonly clientId: string
  readonly scopes: readonly string[]
  readonly redirectUri: string
  readonly state: string
  readonly challenge: string
}

/** What the person's browser opens. Parameters of the endpoint's own stay. */
export function authorizeAddress(request: CodeRequest): string {
  const url = new URL(request.authorizeUrl)
  const fields = {
    response_type: 'code',
    client_id: request.clientId,
    redirect_uri: request.redirectUri,
    ...(request.scopes.length === 0 ? {} : { scope: request.scopes.join(' ') }),
    state: request.state,
    code_challenge: request.challenge,
    code_challenge_method: 'S256',
  }
  for (const [name, value] of Object.entries(fields)) url.searchParams.set(name, value)
  return url.href
}

export type Callback =
  | { readonly kind: 'code'; readonly code: string }
  | { readonly kind: 'refused'; readonly message: string }
  /** Not the answer to this sign-in: it goes on waiting. */
  | { readonly kind: 'foreign' }

/** What the browser brought back. */
export function readCallback(query: URLSearchParams, state: string): Callback {
  if (!same(query.get('state') ?? '', state)) return { kind: 'foreign' }
  const error = query.get('error')
  if (error !== null) return { kind: 'refused', message: refusal(error, query.get('error_description')) }
  const code = query.get('code')
  if (code === null || code === '')
    return { kind: 'refused', message: 'The provider came back without a code. Start the sign-in again.' }
  return { kind: 'code', code }
}

const refusal = (error: string, description: string | null): string =>
  error === 'access_denied'
    ? 'The sign-in was declined.'
    : `The provider refused the sign-in: ${excerpt(error)}${description === null ? '' : ` (${excerpt(description)})`}.`

function same(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}
