// An OAuth server in the test's own process: codes with PKCE, device codes, and refresh tokens that are good for one use,
// as the strict ones have it. A test says what goes wrong.
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Issued {
  readonly access_token: string
  readonly refresh_token: string
  readonly expires_in: number
  readonly token_type: string
}

export interface FakeOAuthServer {
  readonly authorizeUrl: string
  readonly deviceUrl: string
  readonly tokenUrl: string
  /** The forms that reached the token endpoint. */
  readonly asked: Readonly<Record<string, string>>[]
  /** Authorization headers that reached the token endpoint. */
  readonly authorizations: (string | undefined)[]
  /** Sockets that token calls came on, one entry each. */
  readonly sockets: object[]
  /** Lifetime of access tokens in seconds; a text is sent as it is. */
  lifetime: number | string
  /** A refresh token used again gives the same new tokens, as a lost answer asks for. */
  forgivesReuse: boolean
  /** Refreshes give no new refresh token. */
  keepsRefreshToken: boolean
  /** What the next calls of the token endpoint get instead of an answer; `lose`: done, and then the line is cut. */
  readonly troubles: ('lose' | 'cut' | { readonly status: number; readonly body: string })[]
  /** Tokens given by hand, as if signed in elsewhere. */
  issue(): Issued
  /** Whether this access token was issued and not revoked. */
  accepts(accessToken: string): boolean
  /** Answers of the token endpoint wait from now on, until opened. */
  close(): { open(): void }
  /** Resolves when that many calls have reached the token endpoint. */
  reached(count: number): Promise<void>
  /** What the person does on the verification page. */
  device: 'pending' | 'slow' | 'confirmed' | 'denied' | 'expired'
  /** A person's browser: opens the address, agrees or not, and goes where it is sent; the status of the page there. */
  visit(url: string, agrees?: boolean, change?: (back: URL) => void): Promise<number>
  stop(): Promise<void>
}

export async function startFakeOAuthServer(): Promise<FakeOAuthServer> {
  const access = new Set<string>()
  /** Refresh tokens, with what they were exchanged for. */
  const refresh = new Map<string, Issued | null>()
  const codes = new Map<string, { challenge: string; redirectUri: string }>()
  let count = 0
  let gate: Promise<void> | null = null
  let reached = (): void => {}

  const issue = (): Issued => {
    count++
    const issued = {
      access_token: `access-token-${count}-${'a'.repeat(20)}`,
      refresh_token: `refresh-token-${count}-${'r'.repeat(20)}`,
      expires_in: fake.lifetime as number,
      token_type: 'Bearer',
    }
    access.add(issued.access_token)
    refresh.set(issued.refresh_token, null)
    return issued
  }

  const exchanged = (token: string): object => {
    const before = refresh.get(token)
    if (before === undefined) return { error: 'invalid_grant', error_description: 'unknown token' }
    if (before === null || (before !== null && fake.keepsRefreshToken)) {
      const next = issue()
      refresh.set(token, next)
      return fake.keepsRefreshToken ? { ...next, refresh_token: undefined } : next
    }
    if (fake.forgivesReuse) return before
    // Somebody stole it, a strict server thinks: all that came of it is worth nothing any more.
    access.delete(before.access_token)
    refresh.delete(before.refresh_token)
    return { error: 'invalid_grant', error_description: `the token ${token} was used before` }
  }

  const granted = (form: Readonly<Record<string, string>>): object => {
    switch (form.grant_type) {
      case 'refresh_token':
        return exchanged(form.refresh_token ?? '')
      case 'authorization_code': {
        const known = codes.get(form.code ?? '')
        codes.delete(form.code ?? '')
        const challenge = createHash('sha256')
          .update(form.code_verifier ?? '')
          .digest('base64url')
        const right = known?.challenge === challenge && known.redirectUri === form.redirect_uri
        return right ? issue() : { error: 'invalid_grant', error_description: 'wrong code or verifier' }
      }
      case 'urn:ietf:params:oauth:grant-type:device_code':
        if (form.device_code !== 'device-code-1234567890') return { error: 'invalid_grant' }
        if (fake.device === 'confirmed') return issue()
        if (fake.device === 'slow') {
          fake.device = 'pending'
          return { error: 'slow_down' }
        }
        if (fake.device === 'denied') return { error: 'access_denied' }
        return { error: fake.device === 'expired' ? 'expired_token' : 'authorization_pending' }
      default:
        return { error: 'unsupported_grant_type' }
    }
  }

  const token = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const form = Object.fromEntries(new URLSearchParams(await bodyOf(request)))
    fake.asked.push(form)
    fake.authorizations.push(request.headers.authorization)
    fake.sockets.push(request.socket)
    reached()
    await gate
    const trouble = fake.troubles.shift()
    if (trouble === 'cut') return void response.destroy()
    if (typeof trouble === 'object') return void response.writeHead(trouble.status).end(trouble.body)
    const body = granted(form)
    if (trouble === 'lose') return void response.destroy()
    response.writeHead('error' in body ? 400 : 200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }

  const authorize = (url: URL, response: ServerResponse): void => {
    const fields = Object.fromEntries(url.searchParams)
    const back = new URL(fields.redirect_uri ?? 'about:blank')
    const valid = fields.response_type === 'code' && fields.code_challenge_method === 'S256'
    if (!valid || back.hostname !== '127.0.0.1') return void response.writeHead(400).end()
    if (fields.agrees === 'no') back.searchParams.set('error', 'access_denied')
    else {
      const code = `authorization-code-${++count}`
      codes.set(code, { challenge: fields.code_challenge ?? '', redirectUri: fields.redirect_uri ?? '' })
      back.searchParams.set('code', code)
    }
    back.searchParams.set('state', fields.state ?? '')
    response.writeHead(302, { location: back.href }).end()
  }

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1')
    if (url.pathname === '/token') return void token(request, response)
    if (url.pathname === '/authorize') return authorize(url, response)
    const device = {
      device_code: 'device-code-1234567890',
      user_code: 'WDJB-MJHT',
      verification_uri: `${base}/device-page`,
      interval: 5,
      expires_in: 60,
    }
    request.resume()
    response.writeHead(url.pathname === '/device' ? 200 : 404).end(JSON.stringify(device))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const fake: FakeOAuthServer = {
    authorizeUrl: `${base}/authorize`,
    deviceUrl: `${base}/device`,
    tokenUrl: `${base}/token`,
    asked: [],
    authorizations: [],
    sockets: [],
    lifetime: 3600,
    forgivesReuse: false,
    keepsRefreshToken: false,
    troubles: [],
    device: 'pending',
    issue,
    accepts: (accessToken) => access.has(accessToken),
    close() {
      const { promise, resolve } = Promise.withResolvers<void>()
      gate = promise
      return {
        open() {
          gate = null
          resolve()
        },
      }
    },
    reached: (wanted) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (fake.asked.length >= wanted) resolve()
        }
        reached = look
        look()
      }),
    async visit(url, agrees = true, change = () => {}) {
      const page = await fetch(agrees ? url : `${url}&agrees=no`, { redirect: 'manual' })
      const location = page.headers.get('location')
      if (location === null) return page.status
      const back = new URL(location)
      change(back)
      return (await fetch(back)).status
    },
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return fake
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}
