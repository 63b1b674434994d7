// What is known of an account's allowances, over real sockets: read off answers and off the provider's own page, shown,
// and acted upon where that is switched on (docs/resilience.md, "Allowances").
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ComboExplanation } from '../../../core/contract/combo-views'
import type { ConnectionQuota } from '../../../core/contract/quota-views'
import type { ConnectionView } from '../../../core/contract/views'
import { error, json } from '../../support/fake-answers'
import type { Script } from '../../support/fake-script'
import { byKey, eventually, keyOf, type Pools, servedBy, startPools, wellFrom } from '../../support/pools'

let pools: Pools
beforeAll(async () => {
  pools = await startPools({
    pools: [byKey('plan', 2), byKey('rates', 1)],
    combos: [{ name: 'both', steps: [{ model: 'plan/m' }], config: { connectionAwareExpansion: true } }],
    resilience: { quotaPreflight: { enabled: false } },
  })
})
afterAll(() => pools.stop())
beforeEach(() => pools.forget())

async function connections(provider: string): Promise<ConnectionView[]> {
  const { connections: all } = (await pools.manage('/api/providers')).json<{ connections: ConnectionView[] }>()
  return all.filter((one) => one.provider === provider).toSorted((a, b) => a.priority - b.priority)
}
const quotaOf = async (provider: string): Promise<ConnectionQuota | null> =>
  (await connections(provider))[0]?.quota ?? null

const withHeaders = (script: Script, headers: Readonly<Record<string, string>>): Script => ({
  ...script,
  headers: { ...script.headers, ...headers },
})
const hours = (count: number): string => String(Math.floor(Date.now() / 1000) + count * 3600)
const used = (five: string, week: string): Readonly<Record<string, string>> => ({
  'anthropic-ratelimit-unified-status': 'allowed',
  'anthropic-ratelimit-unified-5h-utilization': five,
  'anthropic-ratelimit-unified-5h-reset': hours(2),
  'anthropic-ratelimit-unified-7d-utilization': week,
  'anthropic-ratelimit-unified-7d-reset': hours(90),
})

describe('the headers of an answer', () => {
  test('are shown with the connection: each window, its reset, and from where it is known', async () => {
    const from = Date.now()
    expect(await quotaOf('plan')).toBeNull()
    await pools.upstream.answer(keyOf('plan', 1), 'told', withHeaders(wellFrom('plan', 1), used('0.9', '0.25')))
    expect(servedBy(await pools.chat('plan/told'))).toBe('plan-1')
    const quota = await quotaOf('plan')
    expect(quota).toMatchObject({
      windows: [
        { span: '5h', usedPercent: 90, from: 'headers', level: 'low', model: null },
        { span: '7d', usedPercent: 25, from: 'headers', level: 'ok', model: null },
      ],
      ...{ money: null, refused: false, page: null },
    })
    expect(quota?.windows[0]?.readAt).toBeGreaterThanOrEqual(from)
    const [{ id } = { id: '' }] = await connections('plan')
    const { quotaMonitor } = (await pools.manage('/api/monitoring/health')).json<{ quotaMonitor: object }>()
    expect(quotaMonitor).toEqual({ [id]: quota })
  })

  test('a minute’s limit is shown as one, for the model that was asked', async () => {
    const limits = {
      'x-ratelimit-limit-requests': '60',
      'x-ratelimit-remaining-requests': '3',
      'x-ratelimit-reset-requests': '57s',
    }
    await pools.upstream.answer(keyOf('rates', 1), 'm', withHeaders(wellFrom('rates', 1), limits))
    await pools.chat('rates/m')
    expect((await quotaOf('rates'))?.windows).toMatchObject([{ span: 'minute', counts: 'requests', model: 'm' }])
  })
})

describe('the cutoff before a quota is spent', () => {
  test('keeps an account out once it is switched on, says why everywhere, and ends with the switch', async () => {
    await pools.upstream.answer(keyOf('plan', 1), 'nearly', withHeaders(wellFrom('plan', 1), used('0.985', '0.25')))
    await pools.chat('plan/nearly')
    expect(servedBy(await pools.chat('plan/next'))).toBe('plan-1')
    await pools.patch({ quotaPreflight: { enabled: true } })
    expect(servedBy(await pools.chat('plan/next'))).toBe('plan-2')
    const why = '1.5 % of its quota (five hours) is left: it is not asked below 2 %.'
    expect((await connections('plan'))[0]).toMatchObject({ state: 'resting', why })
    const [combo] = (await pools.manage('/api/combos')).json<{ combos: { id: string }[] }>().combos
    const explained = await pools.manage(`/api/combos/${combo?.id}/explain`, { method: 'POST', body: '{}' })
    expect(explained.json<ComboExplanation>().excluded).toMatchObject([
      { connection: 'plan-1', gate: 'quota-preflight', reason: 'quota_exhausted', why },
    ])
    await pools.patch({ quotaPreflight: { enabled: false } })
    expect(servedBy(await pools.chat('plan/next'))).toBe('plan-1')
  })

  test('with nobody left, the answer is that of spent quotas, with the earliest reset', async () => {
    for (const n of [1, 2]) {
      await pools.upstream.answer(keyOf('plan', n), `spent ${n}`, withHeaders(wellFrom('plan', n), used('0.1', '0.99')))
      if (n === 2) await pools.upstream.answer(keyOf('plan', 1), 'spent 2', error(500))
      await pools.chat(`plan/spent ${n}`)
    }
    await pools.forget()
    await pools.patch({ quotaPreflight: { enabled: true } })
    const refused = await pools.chat('plan/anything')
    expect(refused.status).toBe(429)
    expect(refused.json<{ error: { code: string } }>().error.code).toBe('quota_exhausted')
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(89 * 3600)
    await pools.patch({ quotaPreflight: { enabled: false } })
  })
})

describe('the provider’s own page', () => {
  const key = 'sk-page-fake'
  async function connect(name: string, apiKey: string): Promise<string> {
    const body = { provider: 'openrouter', name, apiKey, baseUrl: pools.upstream.baseUrl }
    const made = await pools.manage('/api/providers', { method: 'POST', body: JSON.stringify(body) })
    expect(made.status, made.text).toBe(201)
    return made.json<{ connection: ConnectionView }>().connection.id
  }
  const shown = async (id: string): Promise<ConnectionQuota | null> =>
    (await connections('openrouter')).find((one) => one.id === id)?.quota ?? null

  test('is read soon after a connection was made, with its own key', async () => {
    const page = { data: { label: 'sk-or…', limit: 10, limit_remaining: 4, limit_reset: 'monthly' } }
    await pools.upstream.answer(key, '', json(page))
    const id = await connect('read', key)
    const quota = await eventually(
      () => shown(id),
      (found) => found !== null,
    )
    expect(quota).toMatchObject({
      windows: [{ span: 'monthly', counts: 'dollars', usedPercent: 60, from: 'provider' }],
      page: { failure: null },
    })
    expect((await pools.upstream.seen('')).filter(({ path }) => path === '/v1/key').map((one) => one.key)).toEqual([
      key,
    ])
  })

  test('a failure is shown and touches no request', async () => {
    const refused = 'sk-page-refused-fake'
    await pools.upstream.answer(refused, '', error(500, { error: `no page for ${refused}` }))
    const id = await connect('refused', refused)
    const quota = await eventually(
      () => shown(id),
      (found) => found !== null,
    )
    expect(quota?.windows).toEqual([])
    expect(quota?.page?.failure?.why).toContain('answered 500')
    expect(JSON.stringify(quota)).not.toContain(refused)
    expect((await connections('openrouter')).find((one) => one.id === id)?.state).toBe('healthy')
    expect((await pools.rests('openrouter')).every(({ gate }) => gate === null)).toBe(true)
  })
})
