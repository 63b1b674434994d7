// Addresses to which tokens and passwords go: encrypted, or on this machine.
import { badInput } from '../errors'
import { isLoopback } from '../pipeline/proxy-choice'

/** @throws GatewayError 400 that says what is accepted */
export function endpointUrl(raw: string, field: string): string {
  const text = raw.trim()
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    throw badInput(field, 'must be an address such as https://auth.example.com/oauth/token.')
  if (url.protocol === 'http:' && !isLoopback(url.origin))
    throw badInput(field, 'must begin with https://. Only addresses on this machine may use http://.')
  if (url.username !== '' || url.password !== '') throw badInput(field, 'must not contain a user name or password.')
  if (url.hash !== '') throw badInput(field, 'must not contain "#".')
  return url.href
}
