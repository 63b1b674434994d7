// A gateway with a fake upstream behind it: what most integration tests stand on. Tests share one pair and keep apart
// by the names of their models.
import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import type { Dialect } from '../../core/contract/kinds'
import { type FakeUpstream, startFakeUpstream } from './fake-upstream'
import { forget, manage } from './forget'
import { CLIENT_KEY, type GatewayOptions, type GatewayProcess, MANAGE_KEY, startGateway } from './gateway-process'
import { type Answer, type OpenStream, openStream, type SendOptions, send } from './http-client'

export const KEY_A = 'sk-fake-connection-aaaa'
export const KEY_B = 'sk-fake-connection-bbbb'

/** Where each dialect is served, and by which provider of `pairConfig`. */
export const ROUTES = {
  'openai-chat': { path: '/v1/chat/completions', provider: 'fake' },
  anthropic: { path: '/v1/messages', provider: 'claudish' },
} as const satisfies Partial<Record<Dialect, object>>

/** Those that the pair asks in; all four in all directions are asked in dialect-pairs/. */
export type PairDialect = keyof typeof ROUTES
export const DIALECTS = Object.keys(ROUTES) as PairDialect[]

export interface GatewayPair {
  readonly upstream: FakeUpstream
  readonly gateway: GatewayProcess
  readonly openai: OpenAI
  readonly anthropic: Anthropic
  /** A small request in a dialect, to the provider that the fake stands for there. */
  ask(dialect: PairDialect, model: string, body?: object, options?: SendOptions): Promise<Answer>
  /** The same as a stream, answered as soon as the first bytes are there. */
  askStream(dialect: PairDialect, model: string, body?: object, options?: SendOptions): Promise<OpenStream>
  send(path: string, options?: SendOptions): Promise<Answer>
  /** Calls the management surface. */
  manage(path: string, options?: SendOptions): Promise<Answer>
  /** Nothing is held against any connection any more: tests that share a pair begin anew. */
  forget(): Promise<void>
  stop(): Promise<void>
}

/** Nothing listens there: the port is reserved and below those that are given out. */
export const NOWHERE = 'http://127.0.0.1:9/v1'

/** What a test needs besides `pairConfig`. */
export interface MoreConfig {
  readonly providers?: readonly object[]
  readonly connections?: readonly object[]
  readonly combos?: readonly object[]
}

/** Two connections each of an OpenAI-like and an Anthropic-like provider, and one of the built-in "openai". */
export function pairConfig(baseUrl: string, settings: object = {}, more: MoreConfig = {}): object {
  const providers = Object.entries(ROUTES).map(([dialect, { provider }]) => ({
    id: provider,
    label: provider,
    class: 'apikey',
    dialect,
    baseUrl,
  }))
  const connections = providers.flatMap(({ id }) => [
    { provider: id, name: 'a', apiKey: KEY_A, priority: 1 },
    { provider: id, name: 'b', apiKey: KEY_B, priority: 2 },
  ])
  return {
    version: 1,
    settings,
    clientKeys: [
      { name: 'main', key: CLIENT_KEY },
      { name: 'manager', key: MANAGE_KEY, scopes: ['manage'] },
    ],
    providers: [...providers, ...(more.providers ?? [])],
    connections: [
      ...connections,
      { provider: 'openai', name: 'work', apiKey: KEY_A, baseUrl },
      ...(more.connections ?? []),
    ],
    ...(more.combos === undefined ? {} : { combos: more.combos }),
  }
}

export interface PairOptions extends GatewayOptions {
  readonly more?: (baseUrl: string) => MoreConfig
}

export async function startPair(settings: object = {}, { more, ...options }: PairOptions = {}): Promise<GatewayPair> {
  const upstream = await startFakeUpstream()
  const config = pairConfig(upstream.baseUrl, settings, more?.(upstream.baseUrl))
  const gateway = await startGateway({ config, ...options })
  const authorized = (given: SendOptions = {}): SendOptions => ({
    ...given,
    headers: { authorization: `Bearer ${CLIENT_KEY}`, ...given.headers },
  })
  const request = (dialect: PairDialect, model: string, body: object, options?: SendOptions) => {
    const { path, provider } = ROUTES[dialect]
    return {
      url: gateway.url + path,
      options: authorized({ method: 'POST', body: JSON.stringify(question(`${provider}/${model}`, body)), ...options }),
    }
  }
  return {
    upstream,
    gateway,
    openai: new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: CLIENT_KEY, maxRetries: 0 }),
    anthropic: new Anthropic({ baseURL: gateway.url, apiKey: CLIENT_KEY, maxRetries: 0 }),
    ask(dialect, model, body = {}, options) {
      const { url, options: all } = request(dialect, model, body, options)
      return send(url, all)
    },
    askStream(dialect, model, body = {}, options) {
      const { url, options: all } = request(dialect, model, { stream: true, ...body }, options)
      return openStream(url, all)
    },
    send: (path, options) => send(gateway.url + path, authorized(options)),
    manage: (path, options) => manage(gateway.url, path, options),
    forget: () => forget(gateway.url),
    async stop() {
      await gateway.stop()
      await upstream.stop()
    },
  }
}

export const question = (model: string, more: object = {}): object => ({
  model,
  max_tokens: 100,
  messages: [{ role: 'user', content: 'Hi' }],
  ...more,
})
