// One place where the outcome of an attempt becomes a verdict: what was proved, about whom, and whether another
// connection may do better. Pure; remembers nothing.
import type { Reason } from '../contract/kinds'
import { proxyWords } from './proxy-words'

/** What came of one upstream call that did not become an answer. */
export type Outcome =
  | {
      readonly kind: 'http'
      readonly status: number
      readonly headers: Readonly<Record<string, string>>
      readonly text: string
    }
  | { readonly kind: 'timeout'; readonly phase: 'connect' | 'first byte' | 'idle' }
  /** `proxy`: it failed there, and nothing was asked of the provider. */
  | { readonly kind: 'network'; readonly code: string; readonly proxy?: string }
  /** A 200 without content, or one that ended before any. */
  | { readonly kind: 'empty' }
  /** A 200 whose body is not of the dialect. */
  | { readonly kind: 'unreadable'; readonly text: string }

export interface Verdict {
  readonly reason: Reason
  readonly scope: 'model' | 'connection' | 'provider' | 'request' | 'nobody'
  /** `stop`: every other connection would say the same. */
  readonly next: 'next-connection' | 'stop'
  /** One sentence for the log. */
  readonly message: string
}

export function classify(outcome: Outcome): Verdict {
  switch (outcome.kind) {
    case 'timeout':
      return another('timeout', 'provider', `no ${outcome.phase === 'connect' ? 'connection' : outcome.phase} in time`)
    case 'network':
      return outcome.proxy === undefined
        ? another('network_error', 'provider', networkWords(outcome.code))
        : another('network_error', 'nobody', proxyWords(outcome.proxy, outcome.code))
    case 'empty':
      return another('empty_answer', 'nobody', 'the answer had no content')
    case 'unreadable':
      return another('server_error', 'provider', `the answer is not of the expected form: ${formOf(outcome.text)}`)
    case 'http':
      return classifyStatus(outcome.status, outcome.text)
  }
}

function classifyStatus(status: number, text: string): Verdict {
  const said = `${status}${text === '' ? '' : `: ${excerpt(text)}`}`
  switch (status) {
    case 401:
      return another('auth_error', 'connection', said)
    case 402:
      return another('credits_exhausted', 'connection', said)
    case 403:
      return another('forbidden', 'connection', said)
    case 404:
      // A missing model may be missing for this account only; a missing route is missing for all.
      return /model/i.test(text) ? another('not_found', 'model', said) : stop('not_found', said)
    case 408:
      return another('timeout', 'provider', said)
    case 429:
      return another('rate_limit_exceeded', 'connection', said)
    case 529:
      return another('model_capacity', 'provider', said)
  }
  if (status >= 500) return another('server_error', 'provider', said)
  if (status >= 300 && status < 400) return another('server_error', 'provider', `${said} (a redirect is not followed)`)
  return stop('bad_request', said)
}

const another = (reason: Reason, scope: Verdict['scope'], message: string): Verdict => ({
  reason,
  scope,
  next: 'next-connection',
  message,
})
const stop = (reason: Reason, message: string): Verdict => ({ reason, scope: 'request', next: 'stop', message })

const MAX_EXCERPT = 200

/** The telling part of an error body, on one line. */
export function excerpt(text: string): string {
  const plain = (errorMessage(text) ?? text.replace(/<(style|script)[\s\S]*?<\/\1>/gi, ' ').replace(/<[^>]*>/g, ' '))
    .replace(/\s+/g, ' ')
    .trim()
  return plain.length > MAX_EXCERPT ? `${plain.slice(0, MAX_EXCERPT - 1)}…` : plain
}

/** What came instead of an answer. JSON is only named, unless it tells of an error: it may hold the model's words. */
function formOf(text: string): string {
  const said = errorMessage(text)
  return said === null && /^\s*[{[]/.test(text) ? 'incomplete or unknown JSON' : excerpt(text)
}

function errorMessage(text: string): string | null {
  if (!text.startsWith('{')) return null
  try {
    const { error, message } = JSON.parse(text) as { error?: unknown; message?: unknown }
    const inner = typeof error === 'object' && error !== null ? (error as { message?: unknown }).message : error
    return typeof inner === 'string' ? inner : typeof message === 'string' ? message : null
  } catch {
    return null
  }
}

function networkWords(code: string): string {
  switch (code) {
    case 'ECONNREFUSED':
      return 'nothing listens at its address (ECONNREFUSED)'
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `its host name cannot be resolved (${code})`
    case 'ECONNRESET':
    case 'UND_ERR_SOCKET':
    case 'EPIPE':
      return `it closed the connection before answering (${code})`
    default:
      return `the connection failed (${code})`
  }
}
