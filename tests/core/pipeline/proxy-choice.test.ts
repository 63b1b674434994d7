import { describe, expect, it } from 'vitest'
import { parseProxy } from '../../../core/pipeline/proxy-address'
import {
  type Env,
  isLoopback,
  type ProxySettings,
  proxyFor,
  proxyRules,
  type Through,
} from '../../../core/pipeline/proxy-choice'
import { quietLogger } from '../management/open-config'

const API = 'https://api.example.com'
const PLAIN = 'http://api.example.com'

function chosen(origin: string, env: Env, settings: ProxySettings = {}, through: Through = null): string | null {
  return proxyFor(origin, through, proxyRules(settings, env, quietLogger()))?.label ?? null
}
const at = (port: number): string => `http://127.0.0.1:${port}`

describe('the environment', () => {
  it.each<[string, Env, string, string | null]>([
    ['nothing said', {}, API, null],
    ['HTTPS_PROXY', { HTTPS_PROXY: at(1) }, API, at(1)],
    ['https_proxy', { https_proxy: at(1) }, API, at(1)],
    ['the lower case first', { https_proxy: at(1), HTTPS_PROXY: at(2) }, API, at(1)],
    ['an empty one is none', { https_proxy: '', HTTPS_PROXY: at(2) }, API, at(2)],
    ['HTTPS_PROXY is not for http', { HTTPS_PROXY: at(1) }, PLAIN, null],
    ['HTTP_PROXY is for http', { HTTP_PROXY: at(1), HTTPS_PROXY: at(2) }, PLAIN, at(1)],
    ['HTTP_PROXY is not for https', { HTTP_PROXY: at(1) }, API, null],
    [
      'ALL_PROXY is for what is left',
      { HTTP_PROXY: at(1), all_proxy: 'socks5h://127.0.0.1:3' },
      API,
      'socks5://127.0.0.1:3',
    ],
    ['without a scheme', { HTTPS_PROXY: '127.0.0.1:3128' }, API, at(3128)],
    ['NO_PROXY', { HTTPS_PROXY: at(1), NO_PROXY: '.example.com' }, API, null],
    ['no_proxy', { HTTPS_PROXY: at(1), no_proxy: 'api.example.com:443' }, API, null],
    ['NO_PROXY of another port', { HTTPS_PROXY: at(1), no_proxy: 'api.example.com:8443' }, API, at(1)],
    ['NO_PROXY for all', { HTTPS_PROXY: at(1), no_proxy: '*' }, API, null],
  ])('%s', (_, env, origin, label) => expect(chosen(origin, env)).toBe(label))
})

describe('the settings', () => {
  it('come before the environment, for http and https', () => {
    for (const origin of [API, PLAIN])
      expect(chosen(origin, { HTTPS_PROXY: at(1), HTTP_PROXY: at(1) }, { httpsProxy: at(2) })).toBe(at(2))
  })
  it('say what goes without one in place of NO_PROXY', () => {
    const env = { HTTPS_PROXY: at(1), NO_PROXY: 'api.example.com' }
    expect(chosen(API, env, { noProxy: 'other.example' })).toBe(at(1))
    expect(chosen(API, { HTTPS_PROXY: at(1) }, { noProxy: '*' })).toBeNull()
    expect(chosen(API, env, { httpsProxy: at(2) })).toBeNull()
  })
})

it('a connection’s own comes before all, and `direct` is none', () => {
  const env = { HTTPS_PROXY: at(1), NO_PROXY: '*' }
  expect(chosen(API, env, { httpsProxy: at(2) }, parseProxy(at(3)))).toBe(at(3))
  expect(chosen(API, { HTTPS_PROXY: at(1) }, { httpsProxy: at(2) }, 'direct')).toBeNull()
})

it('an address that cannot be used is left out with a warning that does not repeat it', () => {
  const warnings: string[] = []
  const log = {
    ...quietLogger(),
    warn: (fields: object, message: string) => warnings.push(JSON.stringify(fields) + message),
  }
  const rules = proxyRules({}, { HTTPS_PROXY: 'socks4://me:hunter2-secret@127.0.0.1' }, log as never)
  expect(rules.https).toBeNull()
  expect(warnings).toHaveLength(1)
  expect(warnings[0]).toContain('HTTPS_PROXY')
  expect(warnings[0]).not.toContain('hunter2')
})

it.each([
  ['http://127.0.0.1:1', true],
  ['http://127.255.3.4', true],
  ['http://localhost:1', true],
  ['http://model.localhost', true],
  ['http://[::1]:1', true],
  ['http://[::ffff:127.0.0.1]', true],
  ['http://127.example.com', false],
  ['http://localhost.example.com', false],
  ['http://[::2]', false],
  ['http://192.168.1.5', false],
])('%s is this machine: %s', (origin, is) => {
  expect(isLoopback(origin)).toBe(is)
  const label = is ? null : at(1)
  expect(chosen(origin, { HTTP_PROXY: at(1) })).toBe(label)
  expect(chosen(origin, {}, {}, parseProxy(at(1)))).toBe(label)
})
