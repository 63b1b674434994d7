// What people paste as an address, made into the base to which a dialect's path is appended.
import type { Dialect } from '../contract/kinds'
import { badInput } from '../errors'

/** Paths people copy from a provider's documentation although the gateway adds them itself. */
const KNOWN_ENDINGS = ['/chat/completions', '/completions', '/messages', '/models', '/responses']

/**
 * Forgives a missing `/v1` on a bare host, a trailing slash and a full endpoint address.
 * @throws GatewayError 400 when it is no http(s) address, or carries a user name, password, query or fragment
 */
export function normalizeBaseUrl(raw: string, dialect: Dialect, field = 'baseUrl'): string {
  const text = raw.trim()
  let url: URL
  try {
    url = new URL(text)
  } catch {
    throw badInput(field, 'must be an address such as https://api.example.com/v1.')
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw badInput(field, 'must begin with http:// or https://.')
  if (url.username !== '' || url.password !== '') {
    throw badInput(field, 'must not contain a user name or password. Put the key into the key field.')
  }
  if (url.search !== '' || url.hash !== '') throw badInput(field, 'must not contain "?" or "#".')
  let path = url.pathname.replace(/\/+$/, '')
  const ending = KNOWN_ENDINGS.find((known) => path.endsWith(known))
  if (ending !== undefined) path = path.slice(0, -ending.length).replace(/\/+$/, '')
  if (path === '' || (dialect === 'anthropic' && !/\/v\d+$/.test(path))) path += '/v1'
  return url.origin + path
}
