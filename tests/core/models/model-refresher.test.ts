import { describe, expect, it } from 'vitest'
import type { ListPlace } from '../../../core/models/list-places'
import { placeKey } from '../../../core/models/list-places'
import { ModelRefresher, type RefresherDeps } from '../../../core/models/model-refresher'
import { modelsCall } from '../../../core/providers/models-call'
import { providerRow } from '../../../core/providers/provider-row'
import { buildConnection, type Registry } from '../../../core/providers/registry'
import { ManualClock } from '../../support/manual-clock'
import { quietLogger } from '../management/open-config'
import { type Answer, json, type ListServer, listOf, startListServer } from './fake-lists'

const HOUR = 3_600_000

interface Connected {
  readonly id: string
  readonly provider: string
  readonly key?: string
  readonly enabled?: boolean
  readonly baseUrl?: string
}

function registryFor(origin: string, connections: readonly Connected[]): Registry {
  const providers = [...new Set(connections.map(({ provider }) => provider))]
  return new Map(
    providers.map((id) => {
      const row = providerRow({ id, label: id, endpoints: { 'openai-chat': `${origin}/${id}/v1` } })
      const own = connections.filter(({ provider }) => provider === id)
      return [
        id,
        {
          row,
          connections: own.map(({ id: connection, key = 'k', enabled = true, baseUrl = null }, priority) => {
            const secret = { vault: 'test', data: Buffer.from(key) }
            const basics = { id: connection, name: connection, priority, enabled, baseUrl }
            const more = { provider: id, secret, keyTail: null, createdAt: 0, options: {}, proxy: null, settings: {} }
            return buildConnection(row, basics, key, false, { ...basics, ...more })
          }),
        },
      ]
    }),
  )
}

async function refresherFor(connections: readonly Connected[], answer: Answer, more: Partial<RefresherDeps> = {}) {
  const server: ListServer = await startListServer(answer)
  const clock = new ManualClock()
  const state = { registry: registryFor(server.origin, connections) }
  const lists = new Map<string, { at: number; ids: string[] }>()
  const failures: string[] = []
  const waiting: (() => void)[] = []
  const settled = (): void => void waiting.shift()?.()
  const refresher = new ModelRefresher({
    clock,
    random: () => 0,
    log: quietLogger(),
    registry: () => state.registry,
    callOf: modelsCall,
    transport: () => server.transport,
    everyHours: () => 6,
    redact: (text) => text,
    fetchedAt: (place: ListPlace) => lists.get(placeKey(place))?.at ?? null,
    fetched: (place, models) => {
      lists.set(placeKey(place), { at: clock.now(), ids: models.map(({ id }) => id) })
      settled()
    },
    failed: (_place, why) => {
      failures.push(why)
      settled()
    },
    ...more,
  })
  return {
    server,
    clock,
    refresher,
    lists,
    failures,
    setRegistry(next: readonly Connected[]) {
      state.registry = registryFor(server.origin, next)
      refresher.connectionsChanged()
    },
    /** Lets time pass until `count` lists have been fetched or have failed. */
    async passing(ms: number, count: number): Promise<void> {
      const all = Array.from({ length: count }, () => new Promise<void>((done) => waiting.push(done)))
      clock.advance(ms)
      await Promise.all(all)
    },
  }
}

const A = { id: 'con_a', provider: 'one' }
const B = { id: 'con_b', provider: 'two' }

describe('lists in the background', () => {
  it('are fetched a few seconds after the start, and again after hours', async () => {
    const { refresher, passing, server, clock, lists } = await refresherFor([A, B], listOf('m'))
    refresher.start()
    clock.advance(2_900)
    expect(server.asked).toEqual([])
    await passing(200, 2)
    expect([...lists.keys()]).toEqual([`one ${server.origin}/one/v1/models`, `two ${server.origin}/two/v1/models`])
    clock.advance(6 * HOUR - 120_000)
    expect(server.asked).toHaveLength(2)
    await passing(180_000, 2)
    expect(server.asked).toHaveLength(4)
    refresher.stop()
  })

  it('are not fetched again by a start soon after the last', async () => {
    const { refresher, server, clock } = await refresherFor([A], listOf('m'), { fetchedAt: () => 1_750_000_000_000 })
    refresher.start()
    clock.advance(HOUR)
    expect(server.asked).toEqual([])
    refresher.stop()
  })

  it('that were fetched under a wrong clock do not count', async () => {
    const { refresher, passing, server } = await refresherFor([A], listOf('m'), { fetchedAt: () => 1_999_000_000_000 })
    refresher.start()
    await passing(6_000, 1)
    expect(server.asked).toHaveLength(1)
    refresher.stop()
  })

  it('never come more often where the user has said so', async () => {
    const { refresher, passing, server, clock } = await refresherFor([A], listOf('m'), { everyHours: () => 0 })
    refresher.start()
    await passing(6_000, 1)
    clock.advance(100 * HOUR)
    expect(server.asked).toHaveLength(1)
    refresher.stop()
  })

  it('are spread by a tenth', async () => {
    const { refresher, passing, server, clock } = await refresherFor([A], listOf('m'), { random: () => 0.99 })
    refresher.start()
    await passing(6_000, 1)
    clock.advance(6.5 * HOUR)
    expect(server.asked).toHaveLength(1)
    await passing(0.2 * HOUR, 1)
    refresher.stop()
  })

  it('are fetched two at a time', async () => {
    const providers = ['one', 'two', 'three', 'four', 'five'].map((provider) => ({ id: `con_${provider}`, provider }))
    let open = 0
    let most = 0
    const { refresher, server } = await refresherFor(providers, (_url, _key, response) => {
      most = Math.max(most, ++open)
      setImmediate(() => {
        open--
        response.end('{"data":[{"id":"m"}]}')
      })
    })
    await refresher.refreshNow()
    expect(server.asked).toHaveLength(5)
    expect(most).toBe(2)
  })
})

describe('connections that change', () => {
  it.each<[string, readonly Connected[], number]>([
    ['a new one of a new provider', [A, B], 1],
    ['a new key', [{ ...A, key: 'other' }], 1],
    ['another address', [{ ...A, baseUrl: 'NEXT' }], 1],
    ['the same as before', [A], 0],
    ['one that is switched off', [{ ...A, enabled: false }], 0],
  ])('%s: %i fetches', async (_what, next, fetches) => {
    const { refresher, passing, setRegistry, server, clock } = await refresherFor([A], listOf('m'))
    refresher.start()
    await passing(6_000, 1)
    setRegistry(next.map((each) => (each.baseUrl === undefined ? each : { ...each, baseUrl: `${server.origin}/x` })))
    if (fetches > 0) await passing(500, fetches)
    else clock.advance(5_000)
    expect(server.asked).toHaveLength(1 + fetches)
    refresher.stop()
  })

  it('several in a row make one round', async () => {
    const { refresher, passing, setRegistry, server, clock } = await refresherFor([A], listOf('m'))
    refresher.start()
    await passing(6_000, 1)
    for (const key of ['1', '2', '3']) {
      setRegistry([{ ...A, key }])
      clock.advance(400)
    }
    await passing(500, 1)
    expect(server.asked).toHaveLength(2)
    refresher.stop()
  })
})

describe('a list that cannot be fetched', () => {
  it('is tried with the other keys that lead there', async () => {
    const keys: string[] = []
    const { refresher, lists } = await refresherFor(
      [
        { ...A, key: 'bad' },
        { ...A, id: 'con_2', key: 'good' },
      ],
      (url, key, response) => {
        keys.push(key)
        if (key === 'bad') json({}, 401)(url, key, response)
        else listOf('m')(url, key, response)
      },
    )
    await refresher.refreshNow()
    expect(keys).toEqual(['bad', 'good'])
    expect([...lists.values()].map(({ ids }) => ids)).toEqual([['m']])
  })

  it('leaves the old one, is told, and is tried again ever more seldom', async () => {
    const { refresher, passing, server, lists, failures, clock } = await refresherFor([A], listOf('m'))
    refresher.start()
    await passing(6_000, 1)
    server.answer = json({}, 500)
    await refresher.refreshNow('one')
    expect(failures).toEqual([`${server.origin} answered 500`])
    expect([...lists.values()].map(({ ids }) => ids)).toEqual([['m']])
    clock.advance(9 * 60_000)
    expect(failures).toHaveLength(1)
    await passing(2 * 60_000, 1)
    clock.advance(18 * 60_000)
    expect(failures).toHaveLength(2)
    await passing(3 * 60_000, 1)
    expect(failures).toHaveLength(3)
    refresher.stop()
  })

  it('after the stop is nobody’s business', async () => {
    const { refresher, server, clock, failures } = await refresherFor([A], json({}, 500))
    refresher.start()
    refresher.stop()
    clock.advance(100 * HOUR)
    await refresher.refreshNow()
    expect(server.asked).toEqual([])
    expect(failures).toEqual([])
    expect(clock.waiting).toBe(0)
  })
})
