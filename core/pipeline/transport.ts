// The sockets to upstreams. Loopback never goes through a proxy; everything else honours HTTPS_PROXY, HTTP_PROXY and
// NO_PROXY, trusts the system's certificates and an extra file. undici's own time limits are off in favour of ours.
import { readFileSync } from 'node:fs'
import * as tls from 'node:tls'
import { Agent, type Dispatcher, EnvHttpProxyAgent } from 'undici'
import type { Settings } from '../contract/settings'
import type { Logger } from '../host'

const KEEP_ALIVE_MS = 30_000

export interface Transport {
  dispatcher(origin: string): Dispatcher
  /** Never uses a socket twice: for the one try after a reused socket turned out to be closed. */
  fresh(origin: string): Dispatcher
  close(): Promise<void>
}

type Env = Readonly<Record<string, string | undefined>>

export type TransportSettings = Pick<Settings, 'connectTimeoutMs' | 'extraCaFile'>

export function createTransport(settings: TransportSettings, env: Env, log: Logger): Transport {
  const kept = createAgents(settings, env, log, { keepAliveTimeout: KEEP_ALIVE_MS, keepAliveMaxTimeout: 600_000 })
  const once = createAgents(settings, env, log, { keepAliveTimeout: 1, keepAliveMaxTimeout: 1 })
  return {
    dispatcher: kept.dispatcher,
    fresh: once.dispatcher,
    async close() {
      await Promise.all([kept.close(), once.close()])
    },
  }
}

interface KeepAlive {
  readonly keepAliveTimeout: number
  readonly keepAliveMaxTimeout: number
}

function createAgents(settings: TransportSettings, env: Env, log: Logger, keepAlive: KeepAlive) {
  const common = { headersTimeout: 0, bodyTimeout: 0, ...keepAlive }
  const connect = { timeout: settings.connectTimeoutMs }
  let local: Dispatcher | null = null
  let remote: Dispatcher | null = null
  const createRemote = (): Dispatcher => {
    const ca = certificates(settings.extraCaFile, log)
    const secure = ca === null ? connect : { ...connect, ca }
    const httpProxy = env.http_proxy ?? env.HTTP_PROXY
    const httpsProxy = env.https_proxy ?? env.HTTPS_PROXY
    const noProxy = env.no_proxy ?? env.NO_PROXY
    if (!httpProxy && !httpsProxy) return new Agent({ ...common, connect: secure })
    return new EnvHttpProxyAgent({
      ...common,
      connect: secure,
      requestTls: secure,
      ...(httpProxy ? { httpProxy } : {}),
      ...(httpsProxy ? { httpsProxy } : {}),
      ...(noProxy ? { noProxy } : {}),
    })
  }
  const byOrigin = new Map<string, Dispatcher>()
  const choose = (origin: string): Dispatcher => {
    if (isLoopback(origin)) {
      local ??= new Agent({ ...common, connect })
      return local
    }
    // Reading the system's certificates takes a while: not before the first call that needs them.
    remote ??= createRemote()
    return remote
  }
  return {
    dispatcher(origin: string): Dispatcher {
      let dispatcher = byOrigin.get(origin)
      if (dispatcher === undefined) {
        dispatcher = choose(origin)
        byOrigin.set(origin, dispatcher)
      }
      return dispatcher
    },
    async close(): Promise<void> {
      await Promise.all([local?.destroy(), remote?.destroy()])
    },
  }
}

export function isLoopback(origin: string): boolean {
  const { hostname } = new URL(origin)
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    // Four numbers: a name may begin with "127." too.
    /^127(\.\d+){3}$/.test(hostname)
  )
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
