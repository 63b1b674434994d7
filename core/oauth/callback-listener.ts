// Waits for the browser to come back from a sign-in: a listener on a free port of 127.0.0.1 that takes one answer and
// is gone. Anything can call a loopback port, so: its own name in Host, the state of this sign-in, or nothing happens.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Clock } from '../clock'
import { type Callback, readCallback } from './authorization-code'

export type CallbackResult = Exclude<Callback, { kind: 'foreign' }> | { readonly kind: 'timeout' | 'cancelled' }

export interface CallbackListener {
  /** To be given to the provider, exactly like this. */
  readonly redirectUri: string
  /** Never rejects. */
  readonly result: Promise<CallbackResult>
  cancel(): void
}

const LOOPBACK = '127.0.0.1'
const PATH = '/callback'

/** @throws the error of `listen` where no port can be opened */
export async function listenForCallback(state: string, timeoutMs: number, clock: Clock): Promise<CallbackListener> {
  const { promise, resolve } = Promise.withResolvers<CallbackResult>()
  const server = createServer({ requestTimeout: 10_000, headersTimeout: 10_000 }, (request, response) => {
    const callback = callbackOf(request, host, state)
    if (callback.kind !== 'code' && callback.kind !== 'refused') return answer(response, callback.status, callback.text)
    answer(response, 200, callback.kind === 'code' ? RECEIVED : NOT_SIGNED_IN)
    finish(callback)
  })
  const finish = (result: CallbackResult): void => {
    timer.cancel()
    resolve(result)
    // The page that was just answered is still sent; whoever keeps a socket open without asking is not waited for.
    server.close()
    server.closeIdleConnections()
  }
  const timer = clock.after(timeoutMs, () => finish({ kind: 'timeout' }))
  try {
    await new Promise<void>((done, failed) => {
      server.once('error', failed)
      server.listen(0, LOOPBACK, done)
    })
  } catch (error) {
    timer.cancel()
    throw error
  }
  server.unref()
  const host = `${LOOPBACK}:${(server.address() as AddressInfo).port}`
  return {
    redirectUri: `http://${host}${PATH}`,
    result: promise,
    cancel() {
      finish({ kind: 'cancelled' })
      server.closeAllConnections()
    },
  }
}

interface Refusal {
  readonly kind: 'refusal'
  readonly status: number
  readonly text: string
}

const refusal = (status: number, text: string): Refusal => ({ kind: 'refusal', status, text })

function callbackOf(
  request: IncomingMessage,
  host: string,
  state: string,
): Exclude<Callback, { kind: 'foreign' }> | Refusal {
  if (request.headers.host !== host) return refusal(403, `This address answers only as ${host}.`)
  const base = `http://${host}`
  const url = URL.canParse(request.url ?? '', base) ? new URL(request.url ?? '', base) : null
  if (url === null || url.pathname !== PATH) return refusal(404, 'There is nothing here.')
  if (request.method !== 'GET') return refusal(405, 'Only GET is answered here.')
  const callback = readCallback(url.searchParams, state)
  if (callback.kind !== 'foreign') return callback
  return refusal(400, 'This does not belong to the sign-in that is under way. Start it again in Breakwater.')
}

const RECEIVED = 'Breakwater has received the sign-in. You can close this page and go back to Breakwater.'
const NOT_SIGNED_IN = 'The provider did not sign you in. You can close this page; Breakwater says why.'

function answer(response: ServerResponse, status: number, text: string): void {
  const body = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Breakwater</title><p>${text}</p></html>`
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'content-security-policy': "default-src 'none'",
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    connection: 'close',
  })
  response.end(body)
}
