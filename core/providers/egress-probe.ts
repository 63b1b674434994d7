// Which internet address each door leaves by, asked of a page of the user's choice through that door. Off until the
// user names one. What was seen is remembered by door, not by connection: all behind one proxy are asked once.
import { isIP } from 'node:net'
import type { Clock, Timer } from '../clock'
import type { Logger } from '../host'
import { isLoopback } from '../pipeline/proxy-choice'
import type { Transport } from '../pipeline/transport'
import type { SeenAddress } from '../resilience/egress-lock'
import { egressIdentity, egressProxy, leaves } from './egress'
import { getText } from './get-text'
import type { Connection, Registry } from './registry'

export interface EgressProbeDeps {
  readonly clock: Clock
  readonly log: Logger
  readonly transport: () => Transport
  readonly registry: () => Registry
  /** Empty: nobody is asked. */
  readonly url: () => string
}

const EVERY_MS = 300_000
const KEPT_MS = 86_400_000
const LIMIT_MS = 15_000
/** Longer answers are pages, not addresses. */
const MAX_CHARS = 4_096

export class EgressProbe {
  private readonly known = new Map<string, SeenAddress>()
  private readonly askedAt = new Map<string, number>()
  private askedUrl = ''
  private readonly ticking: Timer

  constructor(private readonly deps: EgressProbeDeps) {
    this.ticking = deps.clock.every(EVERY_MS, () => void this.look())
  }

  /** What was last seen of this connection's door within a day; null: nothing, or the probe is off. */
  seen(connection: Connection): SeenAddress | null {
    const { transport, url, clock } = this.deps
    const door = egressIdentity(connection, transport().rules)
    const found = door === null || url() === '' ? undefined : this.known.get(door)
    return found !== undefined && isFresh(found.at, clock.now(), KEPT_MS) ? found : null
  }

  /** Asks through every door that was not asked within five minutes. Never rejects. */
  async look(): Promise<void> {
    const { url, registry, clock } = this.deps
    const address = url()
    if (address !== this.askedUrl) this.forget(address)
    if (address === '' || !URL.canParse(address)) return
    const doors = this.doors([...registry().values()].flatMap(({ connections }) => connections))
    const now = clock.now()
    for (const door of [...this.askedAt.keys(), ...this.known.keys()]) {
      if (doors.has(door)) continue
      this.askedAt.delete(door)
      if (!isFresh(this.known.get(door)?.at ?? Number.NEGATIVE_INFINITY, now, KEPT_MS)) this.known.delete(door)
    }
    await Promise.all([...doors].map(([door, connection]) => this.ask(door, connection, address)))
  }

  close(): void {
    this.ticking.cancel()
  }

  /** What another page said counts no more. */
  private forget(address: string): void {
    this.askedUrl = address
    this.known.clear()
    this.askedAt.clear()
  }

  private doors(connections: readonly Connection[]): Map<string, Connection> {
    const { rules } = this.deps.transport()
    const doors = new Map<string, Connection>()
    for (const connection of connections) {
      if (!connection.enabled || !leaves(connection)) continue
      const door = egressIdentity(connection, rules)
      if (door !== null) doors.set(door, connection)
    }
    return doors
  }

  private async ask(door: string, connection: Connection, address: string): Promise<void> {
    const { clock, transport, log } = this.deps
    const { origin, pathname, search } = new URL(address)
    const proxy = egressProxy(connection, transport().rules)
    // This machine is not reached through a proxy: what it sees is no address on the internet.
    if (proxy !== null && isLoopback(origin)) return
    const startedAt = clock.now()
    if (isFresh(this.askedAt.get(door) ?? Number.NEGATIVE_INFINITY, startedAt, EVERY_MS - 1)) return
    this.askedAt.set(door, startedAt)
    const headers = [
      'accept',
      'text/plain, application/json',
      'accept-encoding',
      'identity',
      'user-agent',
      'breakwater',
    ]
    const call = { origin, path: pathname + search, headers, proxy: proxy ?? ('direct' as const) }
    const { text, outcome } = await getText(transport(), call, clock, LIMIT_MS)
    const ip = outcome === null ? addressIn(text) : null
    if (address !== this.askedUrl) return
    if (ip === null) log.debug({ door }, 'the address a proxy leaves by could not be found out')
    else this.known.set(door, { ip, at: clock.now() })
  }
}

/** The first address in a plain text or in JSON. */
export function addressIn(text: string): string | null {
  if (text.length > MAX_CHARS) return null
  const words = text.split(/[^0-9A-Fa-f:.]+/).map((word) => word.replace(/\.+$/, ''))
  return words.find((word) => isIP(word) !== 0) ?? null
}

/** A clock that was set back makes nothing fresh for ever. */
const isFresh = (at: number, now: number, ms: number): boolean => now - at >= 0 && now - at <= ms
