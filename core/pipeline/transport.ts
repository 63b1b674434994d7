// The sockets to upstreams. Loopback never goes through a proxy; everything else goes through that of its connection,
// else of the settings or the environment. The system's certificates and an extra file are trusted, behind a proxy and
// for it. undici's own time limits are off in favour of ours.
import { readFileSync } from 'node:fs'
import * as tls from 'node:tls'
import { Agent, type Dispatcher } from 'undici'
import type { Settings } from '../contract/settings'
import type { Logger } from '../host'
import type { ProxyAddress } from './proxy-address'
import {
  type Env,
  isLoopback,
  type ProxyRules,
  type ProxySettings,
  proxyFor,
  proxyRules,
  type Through,
} from './proxy-choice'
import { tunnelConnector } from './tunnel'

const KEEP_ALIVE_MS = 30_000
/** Proxies of connections whose sockets are kept; the longest unused ones are closed first. */
const MAX_PROXIES = 100

export interface Transport {
  /** `through`: the connection's own proxy; null: as settings and environment say. */
  dispatcher(origin: string, through?: Through): Dispatcher
  /** Never uses a socket twice: for the one try after a reused socket turned out to be closed. */
  fresh(origin: string, through?: Through): Dispatcher
  /** What settings and environment say about proxies. */
  readonly rules: ProxyRules
  /** Closes what leads through other proxies than these (by `url`), once their running calls have ended. */
  keepProxies(inUse: ReadonlySet<string>): void
  close(): Promise<void>
}

/** A change of one of these needs new sockets. */
export const SOCKET_SETTINGS = ['connectTimeoutMs', 'extraCaFile', 'httpsProxy', 'noProxy'] as const

export type TransportSettings = Pick<Settings, 'connectTimeoutMs' | 'extraCaFile'> & ProxySettings

export function createTransport(settings: TransportSettings, env: Env, log: Logger): Transport {
  const rules = proxyRules(settings, env, log)
  const timeout = settings.connectTimeoutMs
  let secure: { timeout: number; ca?: string[] } | null = null
  // Reading the system's certificates takes a while: not before the first call that needs them.
  const remote = (): { timeout: number; ca?: string[] } => {
    if (secure !== null) return secure
    const ca = certificates(settings.extraCaFile, log)
    secure = ca === null ? { timeout } : { timeout, ca }
    return secure
  }
  const connects: Connects = {
    local: () => ({ timeout }),
    remote,
    through: (proxy) => tunnelConnector(proxy, remote()),
  }
  const kept = createAgents(rules, connects, { keepAliveTimeout: KEEP_ALIVE_MS, keepAliveMaxTimeout: 600_000 })
  const once = createAgents(rules, connects, { keepAliveTimeout: 1, keepAliveMaxTimeout: 1 })
  return {
    dispatcher: kept.dispatcher,
    fresh: once.dispatcher,
    rules,
    keepProxies(inUse) {
      kept.keepProxies(inUse)
      once.keepProxies(inUse)
    },
    async close() {
      await Promise.all([kept.close(), once.close()])
    },
  }
}

type Connect = NonNullable<Agent.Options['connect']>

interface Connects {
  readonly local: () => Connect
  readonly remote: () => Connect
  readonly through: (proxy: ProxyAddress) => Connect
}

interface KeepAlive {
  readonly keepAliveTimeout: number
  readonly keepAliveMaxTimeout: number
}

function createAgents(rules: ProxyRules, connects: Connects, keepAlive: KeepAlive) {
  const agent = (connect: Connect): Agent => new Agent({ headersTimeout: 0, bodyTimeout: 0, ...keepAlive, connect })
  let local: Agent | null = null
  let remote: Agent | null = null
  /** By the proxy's `url`: those of settings and environment, and those of connections in the order of their last use. */
  const general = new Map<string, Agent>()
  const own = new Map<string, Agent>()
  const byOrigin = new Map<string, Dispatcher>()

  const choose = (origin: string, through: 'direct' | null): Agent => {
    if (isLoopback(origin)) {
      local ??= agent(connects.local())
      return local
    }
    const proxy = proxyFor(origin, through, rules)
    if (proxy !== null) return generalAgent(proxy)
    remote ??= agent(connects.remote())
    return remote
  }
  const generalAgent = (proxy: ProxyAddress): Agent => {
    const known = general.get(proxy.url) ?? agent(connects.through(proxy))
    general.set(proxy.url, known)
    return known
  }
  const ownAgent = (proxy: ProxyAddress): Agent => {
    const known = own.get(proxy.url) ?? agent(connects.through(proxy))
    own.delete(proxy.url)
    own.set(proxy.url, known)
    const [oldest] = own.keys()
    if (own.size > MAX_PROXIES && oldest !== undefined) forget(oldest)
    return known
  }
  const forget = (url: string): void => {
    // Running calls end first.
    void own.get(url)?.close()
    own.delete(url)
  }

  return {
    dispatcher(origin: string, through: Through = null): Dispatcher {
      if (through === 'direct') return choose(origin, through)
      if (through !== null && !isLoopback(origin)) return ownAgent(through)
      let dispatcher = byOrigin.get(origin)
      if (dispatcher === undefined) {
        dispatcher = choose(origin, null)
        byOrigin.set(origin, dispatcher)
      }
      return dispatcher
    },
    keepProxies(inUse: ReadonlySet<string>): void {
      for (const url of [...own.keys()]) if (!inUse.has(url)) forget(url)
    },
    async close(): Promise<void> {
      await Promise.all([local, remote, ...general.values(), ...own.values()].map((known) => known?.destroy()))
    },
  }
}

/** The bundled, the system's and the extra certificates; null where the defaults suffice. */
function certificates(extraFile: string, log: Logger): string[] | null {
  const lists: string[][] = []
  if ('getCACertificates' in tls) {
    try {
      lists.push(tls.getCACertificates('default'), tls.getCACertificates('system'))
    } catch (error) {
      log.warn({ error: String(error) }, 'the certificates of the system cannot be read; the built-in ones are used')
    }
  }
  if (extraFile !== '') {
    try {
      lists.push([readFileSync(extraFile, 'utf8')])
      if (lists.length === 1) lists.push([...tls.rootCertificates])
    } catch {
      log.warn({ file: extraFile }, 'the extra certificate file cannot be read; it is ignored')
    }
  }
  return lists.length === 0 ? null : [...new Set(lists.flat())]
}
