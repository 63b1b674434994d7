// Limits that are counted by internet address: who leaves by the same address rests together. Pure decisions about
// which connections that are (docs/resilience.md, "Limits by address").

/** An address seen from outside, where the user has switched on a probe for it. */
export interface SeenAddress {
  readonly ip: string
  readonly at: number
}

export interface Egress {
  readonly connectionId: string
  readonly providerId: string
  /** Its proxy; null: none. */
  readonly proxy: string | null
  /** The proxy leaves by another address each time. */
  readonly rotating: boolean
  readonly seen: SeenAddress | null
  readonly disableCooling: boolean
}

const SEEN_IS_GOOD_MS = 86_400_000

/**
 * By which door a connection leaves: the address last seen within a day, else `direct` or its proxy without the
 * password; null where nobody can know.
 */
export function egressIdentity({ proxy, rotating, seen }: Egress, now: number): string | null {
  if (rotating) return null
  if (seen !== null && now - seen.at >= 0 && now - seen.at <= SEEN_IS_GOOD_MS) return `ip ${seen.ip}`
  if (proxy === null) return 'direct'
  if (!URL.canParse(proxy)) return null
  const { protocol, hostname, port, username } = new URL(proxy)
  return `${protocol}//${username === '' ? '' : `${username}@`}${hostname}:${port}`
}

/** The other connections that rest with the failing one; none where its door is unknown. */
export function egressSiblings(
  failingId: string,
  all: readonly Egress[],
  limited: ReadonlySet<string>,
  now: number,
): string[] {
  const failing = all.find(({ connectionId }) => connectionId === failingId)
  const door = failing === undefined ? null : egressIdentity(failing, now)
  if (door === null) return []
  return all
    .filter(({ connectionId, providerId }) => connectionId !== failingId && limited.has(providerId))
    .filter((other) => !other.disableCooling && egressIdentity(other, now) === door)
    .map(({ connectionId }) => connectionId)
}

/**
 * Whose limits are counted by address: `OMNIROUTE_EGRESS_IP_LOCK_PROVIDERS` replaces what the catalogue says; unset
 * leaves it, and none, off, false, 0 and an empty text mean nobody.
 */
export function egressLimited(value: string | undefined, catalogue: readonly string[]): ReadonlySet<string> {
  if (value === undefined) return new Set(catalogue)
  const text = value.trim().toLowerCase()
  if (['', 'none', 'off', 'false', '0'].includes(text)) return new Set()
  return new Set(
    text
      .split(',')
      .map((id) => id.trim())
      .filter((id) => id !== ''),
  )
}
