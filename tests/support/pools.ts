// A gateway whose providers are pools of keys, and what a test asks it about their health over REST. Keys are called
// "sk-<provider>-<n>-fake" and are tried in the order of their numbers. Nothing here sleeps for a fixed time: what passes
// by itself is looked at until it has.
import type { BreakerView, ConnectionStateRow, CooldownRow, LockoutView } from '../../core/contract/health-views'
import type { Dialect, ProviderClass } from '../../core/contract/kinds'
import type { RequestView } from '../../core/contract/views'
import { gate, json } from './fake-answers'
import type { Script } from './fake-script'
import { type GatewayPair, type PairOptions, question, startPair } from './gateway-pair'
import type { Answer, SendOptions } from './http-client'

export interface Pool {
  readonly provider: string
  readonly size: number
  /** Missing: a provider of the catalogue, reached at the fake upstream. */
  readonly own?: { readonly class: ProviderClass; readonly dialect?: Dialect; readonly perModelQuota?: boolean }
  /** Behind the upstream's origin, instead of "/v1". */
  readonly path?: string
  /** More members of every connection. */
  readonly connection?: object
}

export const keyOf = (provider: string, n: number): string => `sk-${provider}-${n}-fake`

/** Keys that limits are counted by: all models of one rest together. */
export const byKey = (provider: string, size: number): Pool => ({
  provider,
  size,
  own: { class: 'apikey', perModelQuota: false },
})
/** Limits are kept per model. */
export const byModel = (provider: string, size: number): Pool => ({
  provider,
  size,
  own: { class: 'apikey', perModelQuota: true },
})

export interface Pools extends GatewayPair {
  /** A small request in the dialect of Chat. */
  chat(model: string, body?: object, options?: SendOptions): Promise<Answer>
  /** The connections of a provider by the order they are tried in. */
  rests(provider: string): Promise<CooldownRow[]>
  rest(provider: string, n?: number): Promise<CooldownRow>
  states(provider: string): Promise<ConnectionStateRow[]>
  /** null: nothing is remembered about it. */
  breaker(provider: string): Promise<BreakerView | null>
  locks(): Promise<LockoutView[]>
  /** @throws unless the change was taken over */
  patch(change: object): Promise<void>
  /** The log entry of the only request for a model, as soon as it is there. */
  logged(model: string): Promise<RequestView>
  /** How many requests are under way, as soon as it is `count`. */
  running(count: number): Promise<void>
}

export interface PoolsOptions extends PairOptions {
  readonly pools: readonly Pool[]
  /** As the configuration file has them. */
  readonly combos?: readonly object[]
  /** Of `resilienceSettings`. Nothing waits unless it says so. */
  readonly resilience?: object
  readonly settings?: object
}

export async function startPools({
  pools,
  combos,
  resilience,
  settings = {},
  ...options
}: PoolsOptions): Promise<Pools> {
  const pair = await startPair(
    { ...settings, resilienceSettings: { waitForCooldown: { enabled: false }, ...resilience } },
    { ...options, more: (baseUrl) => ({ ...configOf(pools, baseUrl), ...(combos === undefined ? {} : { combos }) }) },
  )
  await removeOthers(pair, pools)
  return withDesk(pair)
}

/** Connections that every pair has, of providers that are pools here. */
async function removeOthers({ manage }: GatewayPair, pools: readonly Pool[]): Promise<void> {
  const { connections } = (await manage('/api/providers')).json<{ connections: Known[] }>()
  for (const { id, provider, name } of connections) {
    const isOther = pools.some((pool) => pool.provider === provider) && !name.startsWith(`${provider}-`)
    if (isOther) await manage(`/api/providers/${id}`, { method: 'DELETE' })
  }
}
interface Known {
  readonly id: string
  readonly provider: string
  readonly name: string
}

function configOf(pools: readonly Pool[], baseUrl: string) {
  return {
    providers: pools.flatMap(({ provider: id, own }) =>
      own === undefined ? [] : [{ dialect: 'openai-chat', ...own, id, label: id, baseUrl }],
    ),
    connections: pools.flatMap(({ provider, size, own, path, connection }) =>
      Array.from({ length: size }, (_, i) => ({
        ...{ provider, name: `${provider}-${i + 1}`, apiKey: keyOf(provider, i + 1), priority: i + 1 },
        ...(own === undefined ? { baseUrl: baseUrl.replace('/v1', path ?? '/v1') } : {}),
        ...connection,
      })),
    ),
  }
}

export function withDesk(pair: GatewayPair): Pools {
  const get = async <T>(path: string): Promise<T> => (await pair.manage(path)).json<T>()
  const rests = async (provider: string): Promise<CooldownRow[]> => {
    const page = await get<{ connections: CooldownRow[] }>(`/api/resilience/cooldowns?provider=${provider}`)
    return page.connections.toSorted((a, b) => a.priority - b.priority)
  }
  const all = async (): Promise<RequestView[]> =>
    (await get<{ requests: RequestView[] }>('/api/requests?limit=500')).requests
  return {
    ...pair,
    chat: (model, body = {}, options) =>
      pair.send('/v1/chat/completions', { method: 'POST', body: JSON.stringify(question(model, body)), ...options }),
    rests,
    async rest(provider, n = 1) {
      const row = (await rests(provider))[n - 1]
      if (row === undefined) throw new Error(`${provider} has no connection ${n}`)
      return row
    },
    states: async (provider) =>
      (await get<{ connections: ConnectionStateRow[] }>(`/api/resilience/connections?provider=${provider}`))
        .connections,
    async breaker(provider) {
      const { providerBreakers } = await get<{ providerBreakers: BreakerView[] }>('/api/monitoring/health')
      return providerBreakers.find(({ name }) => name === provider) ?? null
    },
    locks: async () => (await get<{ items: LockoutView[] }>('/api/resilience/model-cooldowns')).items,
    async patch(change) {
      const { status, text } = await pair.manage('/api/resilience', { method: 'PATCH', body: JSON.stringify(change) })
      if (status !== 200) throw new Error(`the settings were refused: ${text}`)
    },
    async logged(model) {
      const found = await eventually(all, (entries) => entries.some((entry) => entry.model === model))
      const entries = found.filter((entry) => entry.model === model)
      if (entries.length !== 1) throw new Error(`${entries.length} requests for ${model}`)
      return entries[0] as RequestView
    },
    async running(count) {
      await eventually(
        () => get<{ running: number }>('/api/gateway'),
        ({ running }) => running === count,
      )
    },
  }
}

const GIVE_UP_MS = 20_000
const LOOK_AGAIN_MS = 15

/** What `look` gives, as soon as it is as wanted. */
export async function eventually<T>(look: () => Promise<T> | T, wanted: (found: T) => boolean): Promise<T> {
  const from = performance.now()
  for (;;) {
    const found = await look()
    if (wanted(found)) return found
    if (performance.now() - from > GIVE_UP_MS) throw new Error(`still ${JSON.stringify(found)}`)
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS))
  }
}

/** The key that answered, as the fake upstream says it: "openai-2" for the second one of openai. */
export function servedBy({ status, text }: Pick<Answer, 'status' | 'text'>): string {
  const key = /sk-([\w-]+-\d+)-fake/.exec(text)?.[1]
  if (status !== 200 || key === undefined) throw new Error(`nobody served it: ${status} ${text}`)
  return key
}

/** How long something rests from its beginning to its end, exactly. */
export const lengthOf = ({ gate }: CooldownRow): number | null =>
  gate === null || gate.until === null ? null : gate.until - gate.since

/** A good answer of one key, where the others are told to fail; what nobody scripted is answered like this anyway. */
export const wellFrom = (provider: string, n: number): Script =>
  json({
    ...{ id: 'c1', object: 'chat.completion', created: 1, model: 'm' },
    choices: [
      { index: 0, message: { role: 'assistant', content: `Hello from ${keyOf(provider, n)}` }, finish_reason: 'stop' },
    ],
  })

/** The same, once the test opens a gate. */
export const held = (name: string, script: Script): Script => ({ ...script, steps: [gate(name), ...script.steps] })
