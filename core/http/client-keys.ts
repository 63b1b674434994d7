// Who may use the gateway: keys are kept as SHA-256 and compared in constant time.

import * as crypto from 'node:crypto'
import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Scope } from '../contract/kinds'

export interface ClientKey {
  readonly id: string
  readonly name: string
  readonly hash: Buffer
  readonly scopes: readonly Scope[]
}

/** Bearer, x-api-key, x-goog-api-key and Gemini's `?key=` are accepted alike, whatever the dialect. */
export function presentedKey(headers: IncomingHttpHeaders, url = ''): string | null {
  const bearer = headers.authorization
  if (bearer !== undefined && /^bearer /i.test(bearer)) return bearer.slice(7).trim()
  const other = headers['x-api-key'] ?? headers['x-goog-api-key']
  if (typeof other === 'string' && other !== '') return other.trim()
  const query = url.indexOf('?')
  const inQuery = query < 0 ? null : new URLSearchParams(url.slice(query)).get('key')
  return inQuery === null || inQuery === '' ? null : inQuery.trim()
}

// One-shot hashing is several times faster, where the runtime has it (Node 20.12).
export const hashKey: (key: string) => Buffer =
  'hash' in crypto ? (key) => crypto.hash('sha256', key, 'buffer') : (key) => createHash('sha256').update(key).digest()

/** Looks at every key, so that the time says nothing about which one was near. */
export function findKey(presented: string, keys: readonly ClientKey[]): ClientKey | null {
  const hash = hashKey(presented)
  let found: ClientKey | null = null
  for (const key of keys) if (timingSafeEqual(hash, key.hash)) found = key
  return found
}
