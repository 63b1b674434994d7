// Which requests begin alike, and which connection each beginning belongs to: the same one for as long as it is in the
// list, and when it leaves, only its own beginnings move. Hashes of 32 bits: a collision costs a cache, nothing else.

const FNV_START = 0x811c9dc5

function fnv(text: string, from: number): number {
  let hash = from
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash
}

/** Spreads what little differs over all bits (MurmurHash3's finaliser). */
function mixed(hash: number): number {
  let h = hash ^ (hash >>> 16)
  h = Math.imul(h, 0x85ebca6b)
  h ^= h >>> 13
  h = Math.imul(h, 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}

/**
 * @param asked the client's own `prompt_cache_key`
 * @param stablePrefix what stays the same through a conversation: system prompt, tools, first message
 * @returns null where there is nothing to tell requests apart by
 */
export function cacheKeyOf(asked: string | null, stablePrefix: readonly string[]): string | null {
  if (asked !== null && asked !== '') return asked
  if (stablePrefix.every((text) => text === '')) return null
  const hash = stablePrefix.reduce((h, text) => fnv(text, Math.imul(h ^ 0xff, 0x01000193)), FNV_START)
  return mixed(hash).toString(16).padStart(8, '0')
}

/** For each connection a number from 0 to 1 (exclusive) that belongs to it and the key: the highest one has the key. */
export function rendezvous(cacheKey: string): (connection: string) => number {
  const start = fnv('\0', fnv(cacheKey, FNV_START))
  return (connection) => mixed(fnv(connection, start)) / 2 ** 32
}
