// Through which proxy an address is reached: the connection's own, else that of the settings, else that of the
// environment, as curl reads it. Pure but for warnings.
import type { Settings } from '../contract/settings'
import type { Logger } from '../host'
import { bypasses, type NoProxy, parseNoProxy } from './no-proxy'
import { type ProxyAddress, parseProxy, secretsOf } from './proxy-address'

export type Env = Readonly<Record<string, string | undefined>>

/** A connection's proxy; `direct`: none, whatever the rules say; null: as the rules say. */
export type Through = ProxyAddress | 'direct' | null

export interface ProxyRules {
  readonly http: ProxyAddress | null
  readonly https: ProxyAddress | null
  readonly except: NoProxy
}

export type ProxySettings = Partial<Pick<Settings, 'httpsProxy' | 'noProxy'>>

/** What cannot be used is left out with a warning that does not repeat it. */
export function proxyRules({ httpsProxy = '', noProxy = '' }: ProxySettings, env: Env, log: Logger): ProxyRules {
  const read = (name: string, text: string | undefined): ProxyAddress | null => {
    if (text === undefined || text.trim() === '') return null
    try {
      const proxy = parseProxy(text, name)
      const secrets = secretsOf(proxy)
      for (const secret of secrets.length === 0 ? [] : [...secrets, text.trim()]) log.addSecret(secret)
      return proxy
    } catch (error) {
      log.warn({}, `a proxy is ignored: ${(error as Error).message}`)
      return null
    }
  }
  const ofEnv = (name: string): ProxyAddress | null => read(name, variable(env, name))
  const own = read('httpsProxy', httpsProxy)
  const all = own ?? ofEnv('ALL_PROXY')
  return {
    http: own ?? ofEnv('HTTP_PROXY') ?? all,
    https: own ?? ofEnv('HTTPS_PROXY') ?? all,
    except: parseNoProxy(noProxy === '' ? (variable(env, 'NO_PROXY') ?? '') : noProxy),
  }
}

/** The lower-case name counts first; an empty value is none. */
const variable = (env: Env, name: string): string | undefined => env[name.toLowerCase()] || env[name] || undefined

/** null: without a proxy. This machine is never reached through one. */
export function proxyFor(origin: string, through: Through, { http, https, except }: ProxyRules): ProxyAddress | null {
  if (through === 'direct' || isLoopback(origin)) return null
  if (through !== null) return through
  const { protocol, hostname, port } = new URL(origin)
  const secure = protocol === 'https:'
  const proxy = secure ? https : http
  if (proxy === null) return null
  return bypasses(except, hostname, port === '' ? (secure ? 443 : 80) : Number(port)) ? null : proxy
}

export function isLoopback(origin: string): boolean {
  const { hostname } = new URL(origin)
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    // Four numbers: a name may begin with "127." too.
    /^127(\.\d+){3}$/.test(hostname) ||
    /^\[::ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4}\]$/.test(hostname)
  )
}
