// The calls to a provider's OAuth endpoints: a form goes up, a small answer comes down, within limits of time and size.
import type { Dispatcher } from 'undici'
import type { Clock } from '../clock'
import { headerText } from '../pipeline/headers'
import { networkOutcome } from '../pipeline/network-outcome'
import type { Through } from '../pipeline/proxy-choice'
import type { Transport } from '../pipeline/transport'
import type { Connection } from '../providers/registry'
import { proxyWords } from '../resilience/proxy-words'
import type { OAuthClient } from './login'
import { type HttpAnswer, readTokenAnswer, type TokenAnswer } from './token-answer'

const LIMIT_MS = 30_000
const MAX_BYTES = 262_144

export interface EndpointCalls {
  readonly transport: () => Transport
  readonly clock: Clock
  /** Takes known secrets out of the server's words. */
  readonly redact: (text: string) => string
  /** The own proxy of the connection this is for. */
  readonly proxy?: Through
}

export type Form = Readonly<Record<string, string>>

/** Asks for tokens. Never rejects. */
export async function askForTokens(client: OAuthClient, form: Form, calls: EndpointCalls): Promise<TokenAnswer> {
  const sentAt = calls.clock.now()
  const answer = await postForm(client, client.tokenUrl, form, calls)
  if ('why' in answer) return { kind: 'failed', ...answer, retryAfterMs: null }
  const read = readTokenAnswer(answer, sentAt, calls.clock.now())
  return read.kind === 'granted' ? read : { ...read, why: calls.redact(read.why) }
}

/** The same on behalf of a connection: through its proxy, and never without it. */
export async function askFor(
  connection: Pick<Connection, 'proxy' | 'proxyLocked'> | undefined,
  client: OAuthClient,
  form: Form,
  calls: EndpointCalls,
): Promise<TokenAnswer> {
  const why = 'the address of its proxy cannot be opened by this system’s key store.'
  if (connection?.proxyLocked) return { kind: 'failed', why, lost: false, retryAfterMs: null }
  return askForTokens(client, form, { ...calls, proxy: connection?.proxy ?? null })
}

export interface NoAnswer {
  readonly why: string
  /** The request may have arrived all the same. */
  readonly lost: boolean
}

/** One POST as this client. Never rejects; a redirect is an answer like any other and is not followed. */
export function postForm(
  client: OAuthClient,
  url: string,
  form: Form,
  { transport, clock, proxy = null }: EndpointCalls,
): Promise<HttpAnswer | NoAnswer> {
  const { origin, pathname, search } = new URL(url)
  const { headers, body } = asClient(client, form)
  return new Promise((resolve) => {
    let status: number | null = null
    let retryAfter: string | undefined
    let sent = false
    let length = 0
    let settled = false
    const chunks: Buffer[] = []
    let abort = (): void => {}
    const settle = (answer: HttpAnswer | NoAnswer): void => {
      if (settled) return
      settled = true
      timer.cancel()
      resolve(answer)
    }
    const timer = clock.after(LIMIT_MS, () => {
      settle({ why: `${origin} did not answer within ${LIMIT_MS / 1000} seconds.`, lost: sent })
      abort()
    })
    const broken = (error: Error): void => {
      const outcome = networkOutcome(error)
      const atProxy = outcome.kind === 'network' && outcome.proxy !== undefined
      const why = atProxy ? proxyWords(outcome.proxy, outcome.code) : networkWords(error)
      settle({ why: `${origin} could not be reached: ${why}.`, lost: sent })
    }
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(controller) {
        sent = true
        abort = () => controller.abort(new Error('no longer wanted'))
        if (settled) abort()
      },
      onResponseStart(_controller, code, answered) {
        if (code < 200) return
        status = code
        retryAfter = headerText(answered['retry-after'])
      },
      onResponseData(controller, chunk) {
        length += chunk.length
        if (length <= MAX_BYTES) return void chunks.push(chunk)
        settle({ why: `${origin} answered with more than ${MAX_BYTES / 1024} KB.`, lost: false })
        controller.abort(new Error('too long'))
      },
      onResponseEnd() {
        settle({ status: status ?? 0, retryAfter, text: Buffer.concat(chunks).toString('utf8') })
      },
      onResponseError: (_controller, error) => broken(error),
    }
    try {
      // Never a kept socket: where it turns out to be closed, nobody knows whether a token was exchanged.
      transport()
        .fresh(origin, proxy)
        .dispatch({ origin, path: pathname + search, method: 'POST', headers, body }, handler)
    } catch (error) {
      broken(error as Error)
    }
  })
}

function asClient({ clientId, clientSecret, clientAuth }: OAuthClient, form: Form) {
  const headers = ['content-type', 'application/x-www-form-urlencoded', 'accept', 'application/json']
  headers.push('accept-encoding', 'identity', 'user-agent', 'breakwater')
  const fields = new URLSearchParams(form)
  if (clientAuth === 'header' && clientSecret !== null) {
    const pair = `${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`
    headers.push('authorization', `Basic ${Buffer.from(pair).toString('base64')}`)
  } else {
    fields.set('client_id', clientId)
    if (clientSecret !== null) fields.set('client_secret', clientSecret)
  }
  return { headers, body: fields.toString() }
}

function networkWords(error: Error): string {
  const cause = (error.cause as NodeJS.ErrnoException | undefined)?.code
  const code = cause ?? (error as NodeJS.ErrnoException).code ?? error.name
  switch (code) {
    case 'ECONNREFUSED':
      return 'nothing listens there (ECONNREFUSED)'
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `its name cannot be resolved (${code})`
    case 'ECONNRESET':
    case 'UND_ERR_SOCKET':
    case 'EPIPE':
      return `it closed the connection before answering (${code})`
    case 'UND_ERR_CONNECT_TIMEOUT':
      return 'no connection in time'
    default:
      return code
  }
}
