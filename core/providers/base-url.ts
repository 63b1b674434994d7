// What people paste as an address, made into the base to which a dialect's path is appended.
import type { Dialect } from '../contract/kinds'
import { badInput } from '../errors'

/** Paths people copy from a provider's documentation although the gateway adds them itself. */
const KNOWN_ENDINGS = ['/chat/completions', '/completions', '/messages', '/models', '/responses']
/** The same for Gemini, whose path names the model, and whose other dialect stands beside it. */
const GEMINI_ENDING = /\/(models(\/[^/]+)?|openai)$/

/**
 * Forgives a missing `/v1` (Gemini: `/v1beta`) on a bare host, a trailing slash and a full endpoint address.
 * @throws GatewayError 400 when it is no http(s) address, or carries a user name, password, query or fragment
 */
export function normalizeBaseUrl(raw: string, dialect: Dialect, field = 'baseUrl'): string {
  const url = addressOf(raw, field)
  let path = url.pathname.replace(/\/+$/, '')
  if (dialect === 'gemini') path = path.replace(GEMINI_ENDING, '')
  const ending = KNOWN_ENDINGS.find((known) => path.endsWith(known))
  if (ending !== undefined) path = path.slice(0, -ending.length).replace(/\/+$/, '')
  return url.origin + withVersion(path, dialect)
}

function addressOf(raw: string, field: string): URL {
  let url: URL
  try {
    url = new URL(raw.trim())
  } catch {
    throw badInput(field, 'must be an address such as https://api.example.com/v1.')
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw badInput(field, 'must begin with http:// or https://.')
  if (url.username !== '' || url.password !== '') {
    throw badInput(field, 'must not contain a user name or password. Put the key into the key field.')
  }
  if (url.search !== '' || url.hash !== '') throw badInput(field, 'must not contain "?" or "#".')
  return url
}

function withVersion(path: string, dialect: Dialect): string {
  switch (dialect) {
    case 'anthropic':
      return /\/v\d+$/.test(path) ? path : `${path}/v1`
    case 'gemini':
      // Vertex has the version further up: /v1/publishers/google.
      return /\/v\d+(alpha|beta)?\d*(\/|$)/.test(path) ? path : `${path}/v1beta`
    default:
      return path === '' ? '/v1' : path
  }
}
