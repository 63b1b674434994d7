// The background look at providers' pages, against a real server on this machine, with the test's clock.
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { providerRow } from '../../../core/providers/provider-row'
import { buildConnection, type Registry } from '../../../core/providers/registry'
import { QuotaBook } from '../../../core/quotas/quota-book'
import { moneyPage, type QuotaPage } from '../../../core/quotas/quota-page'
import { QuotaRefresher } from '../../../core/quotas/quota-refresher'
import { ManualClock } from '../../support/manual-clock'
import { quietLogger } from '../management/open-config'
import { type Answer, json, startListServer } from '../models/fake-lists'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const WINDOWS: QuotaPage = { kind: 'windows', path: '/key', reader: 'openRouter' }
const MONEY = moneyPage({ path: '/purse', amount: 'left', currency: 'USD' })

interface Connected {
  readonly id: string
  readonly key?: string
  readonly enabled?: boolean
}

async function begin(connections: readonly Connected[], answer: Answer, page: QuotaPage = WINDOWS) {
  const server = await startListServer(answer)
  const clock = new ManualClock()
  const row = providerRow({ id: 'p', label: 'p', endpoints: { 'openai-chat': `${server.origin}/v1` }, quotaPage: page })
  const registryOf = (all: readonly Connected[]): Registry => {
    const built = all.map(({ id, key = 'k', enabled = true }, priority) =>
      buildConnection(row, { id, name: id, priority, enabled, baseUrl: null }, key, false, null),
    )
    return new Map([['p', { row, connections: built }]])
  }
  const state = { registry: registryOf(connections), minutes: 5, used: new Map<string, number>(), changes: 0 }
  const out = new Set<string>()
  const book = new QuotaBook()
  const refresher = new QuotaRefresher({
    ...{ clock, log: quietLogger(), redact: (text: string) => text.replaceAll('secret', '***'), book },
    registry: () => state.registry,
    transport: () => server.transport,
    everyMinutes: () => state.minutes,
    lastUsedAt: (id) => state.used.get(id) ?? null,
    isOut: (id) => out.has(id),
    changed: () => void state.changes++,
  })
  onTestFinished(() => refresher.stop())
  return {
    ...{ server, clock, state, out, book, refresher },
    use: (id: string) => void state.used.set(id, clock.now()),
    connect(next: readonly Connected[]) {
      state.registry = registryOf(next)
      refresher.registryChanged()
    },
  }
}

const key = (left: number) => json({ data: { limit: 100, limit_remaining: left, limit_reset: 'monthly' } })
const A = { id: 'a' }

describe('a page about an account', () => {
  it('is read once at the beginning, and then only while the account is used, as often as the setting says', async () => {
    const { server, clock, refresher, book, use, state } = await begin([A], key(40))
    await refresher.look()
    expect(server.asked).toHaveLength(1)
    expect(book.view('a', 'm', clock.now())).toMatchObject({ kind: 'known', usedPercent: 60 })
    expect(state.changes).toBe(1)
    clock.advance(2 * HOUR)
    await refresher.look()
    expect(server.asked).toHaveLength(1)
    use('a')
    await refresher.look()
    expect(server.asked).toHaveLength(2)
    use('a')
    clock.advance(5 * MINUTE - 1)
    await refresher.look()
    expect(server.asked).toHaveLength(2)
    clock.advance(1)
    await refresher.look()
    expect(server.asked).toHaveLength(3)
  })

  it('is asked with the connection’s own credentials, at its own address', async () => {
    const keys: string[] = []
    const { server, refresher } = await begin([{ id: 'a', key: 'mine' }], (url, sent, response) => {
      keys.push(sent)
      key(1)(url, sent, response)
    })
    await refresher.look()
    expect(server.asked).toEqual(['/v1/key'])
    expect(keys).toEqual(['mine'])
  })

  it('is not asked where the setting says never, where the connection is off, out, or long unused', async () => {
    const { server, clock, refresher, state, out } = await begin(
      [{ id: 'off', enabled: false }, { id: 'banned' }, { id: 'old' }],
      key(1),
    )
    out.add('banned')
    state.used.set('old', clock.now() - 25 * HOUR)
    await refresher.look()
    expect(server.asked).toEqual([])
    state.minutes = 0
    out.clear()
    await refresher.look()
    expect(server.asked).toEqual([])
  })

  it('is looked at by itself, a few seconds after the start', async () => {
    let arrived = (): void => {}
    const asked = new Promise<void>((done) => {
      arrived = done
    })
    const { server, clock, refresher } = await begin([A], (...call) => {
      arrived()
      key(1)(...call)
    })
    refresher.start()
    clock.advance(3_999)
    expect(server.asked).toEqual([])
    clock.advance(1)
    await asked
  })
})

it('the page of a spent account is looked at though nobody uses it: nothing else tells when that is over', async () => {
  const { server, clock, refresher, use } = await begin([A], key(0))
  use('a')
  await refresher.look()
  clock.advance(HOUR)
  await refresher.look()
  expect(server.asked).toHaveLength(2)
  server.answer = key(50)
  clock.advance(HOUR)
  await refresher.look()
  clock.advance(HOUR)
  await refresher.look()
  expect(server.asked).toHaveLength(3)
})

describe('a page that cannot be read', () => {
  it('is noted with the reason, and asked again later and later', async () => {
    const { server, clock, refresher, book } = await begin([A], json({}, 500))
    await refresher.look()
    expect(book.find('a')?.lastFailure).toMatchObject({ why: `${server.origin} answered 500`, at: clock.now() })
    expect(book.view('a', 'm', clock.now())).toEqual({ kind: 'unreadable' })
    const asks: number[] = []
    for (let minute = 1; minute <= 75; minute++) {
      clock.advance(MINUTE)
      const before = server.asked.length
      await refresher.look()
      if (server.asked.length > before) asks.push(minute)
    }
    expect(asks).toEqual([10, 30, 70])
  })

  it('says nothing of quotas where it is about money only', async () => {
    const { clock, refresher, book } = await begin([A], json({ nothing: 1 }), MONEY)
    await refresher.look()
    expect(book.find('a')?.lastFailure?.why).toContain('in a form that cannot be read')
    expect(book.view('a', 'm', clock.now())).toEqual({ kind: 'none' })
  })
})

describe('another key', () => {
  it('is another account: what was known is forgotten, and asked for at once', async () => {
    const { server, clock, refresher, book, connect } = await begin([A], key(40))
    await refresher.look()
    connect([A])
    expect(book.view('a', 'm', clock.now()).kind).toBe('known')
    connect([{ id: 'a', key: 'another' }])
    expect(book.view('a', 'm', clock.now())).toEqual({ kind: 'none' })
    expect(server.asked).toHaveLength(1)
    // The look that follows by itself; the test's own waits for it.
    clock.advance(500)
    await refresher.look()
    await vi.waitFor(() => expect(book.view('a', 'm', clock.now()).kind).toBe('known'))
    expect(server.asked).toHaveLength(2)
  })

  it('an answer to the old one that comes late is nobody’s', async () => {
    const { clock, refresher, book, connect } = await begin([A], key(40))
    const looking = refresher.look()
    connect([{ id: 'a', key: 'another' }])
    await looking
    expect(book.view('a', 'm', clock.now())).toEqual({ kind: 'none' })
  })
})

it('never more than five are asked at once', async () => {
  let open = 0
  let most = 0
  const many = Array.from({ length: 12 }, (_, i) => ({ id: `c${i}` }))
  const { server, refresher } = await begin(many, (...call) => {
    most = Math.max(most, ++open)
    setImmediate(() => {
      open--
      key(50)(...call)
    })
  })
  await refresher.look()
  expect(server.asked).toHaveLength(12)
  expect(most).toBeLessThanOrEqual(5)
  expect(most).toBeGreaterThan(1)
})
