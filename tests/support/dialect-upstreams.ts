// Providers of all four dialects for the gateway's configuration, all served by one fake upstream.
import { DIALECTS, type Dialect } from '../../core/contract/kinds'
import { CLIENT_KEY, MANAGE_KEY } from './gateway-process'

export interface DialectUpstream {
  readonly upstream: Dialect
  /** "a Gemini upstream" */
  readonly title: string
  /** What a model can do is told by its name, so the fake's models bear real ones. */
  readonly model: string
}

export const DIALECT_UPSTREAMS: readonly DialectUpstream[] = [
  { upstream: 'openai-chat', title: 'a Chat upstream', model: 'gpt-5' },
  { upstream: 'openai-responses', title: 'a Responses upstream', model: 'gpt-5' },
  { upstream: 'anthropic', title: 'an Anthropic upstream', model: 'claude-sonnet-4-5' },
  { upstream: 'gemini', title: 'a Gemini upstream', model: 'gemini-3-pro' },
]

/** The provider's id: "up-gemini", or "up-gemini-3" of several. */
export const upstreamId = (dialect: Dialect, number?: number): string =>
  number === undefined ? `up-${dialect}` : `up-${dialect}-${number}`

/** One provider of each dialect with one connection, and `more` further ones of each, numbered from 0. */
export function dialectConfig(origin: string, more = 0): object {
  const providers = DIALECTS.flatMap((dialect) =>
    [undefined, ...Array(more).keys()].map((number) => ({
      id: upstreamId(dialect, number),
      label: `The ${dialect} upstream`,
      class: 'apikey',
      dialect,
      baseUrl: `${origin}/${dialect === 'gemini' ? 'v1beta' : 'v1'}`,
    })),
  )
  return {
    version: 1,
    clientKeys: [
      { name: 'main', key: CLIENT_KEY },
      { name: 'manager', key: MANAGE_KEY, scopes: ['manage'] },
    ],
    providers,
    connections: providers.map(({ id }) => ({ provider: id, name: 'only', apiKey: 'sk-fake-upstream-key' })),
  }
}
