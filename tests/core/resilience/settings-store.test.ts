// The resilience settings: whose word counts, what a change must look like, and what is stored of it.
import { describe, expect, it, vi } from 'vitest'
import { ResilienceSettingView } from '../../../core/contract/resilience-merge'
import { GatewayError } from '../../../core/errors'
import { createResilienceStore, SettingsRefusedError } from '../../../core/resilience/settings-store'
import { openSettingsTable } from '../../../core/store/settings-table'
import { memoryDatabase } from '../../support/memory-databases'

type Env = Record<string, string>

function open(env: Env = {}, database = memoryDatabase('config')) {
  const table = openSettingsTable(database)
  const store = createResilienceStore(table, env)
  const view = (key: string) => store.list().find((each) => each.key === key)
  const stored = () => table.all().get('resilienceSettings')
  const refused = (change: unknown) => {
    const before = JSON.stringify([...table.all()])
    try {
      store.patch(change)
    } catch (error) {
      expect(JSON.stringify([...table.all()])).toBe(before)
      if (error instanceof SettingsRefusedError) return error.body().error.details
      throw error
    }
    throw new Error('was accepted')
  }
  return { store, table, database, view, stored, refused }
}

const BASE = 'connectionCooldown.apikey.baseCooldownMs'
const OPENS = 'providerBreaker.apikey.failureThreshold'
const RESET = 'providerBreaker.apikey.resetTimeoutMs'

describe('whose word counts', () => {
  it('the defaults at first, each shown with its source', () => {
    const { store } = open()
    for (const view of store.list()) {
      expect(ResilienceSettingView.parse(view)).toEqual(view)
      expect(view).toMatchObject({ source: 'default', warning: null })
    }
    expect(store.snapshot()).toMatchObject({
      providerBreaker: {
        oauth: { failureThreshold: 8, degradationThreshold: 5, resetTimeoutMs: 60_000, maxBackoffMultiplier: 8 },
        apikey: { failureThreshold: 12, degradationThreshold: 7, resetTimeoutMs: 30_000, backoffEscalationCount: 3 },
        local: { failureThreshold: 2, resetTimeoutMs: 15_000 },
      },
      providerCooldown: {
        ...{ enabled: false, minRetryCooldownMs: 5_000, maxRetryCooldownMs: 300_000 },
        oauth: { failureThreshold: 10, failureWindowMs: 900_000, cooldownMs: 300_000 },
        apikey: { failureThreshold: 15, failureWindowMs: 1_800_000, cooldownMs: 600_000 },
        local: { failureThreshold: 2, failureWindowMs: 300_000, cooldownMs: 60_000 },
      },
      connectionCooldown: {
        oauth: { baseCooldownMs: 5_000, useUpstreamRetryHints: false, maxBackoffSteps: 8 },
        apikey: { baseCooldownMs: 3_000, useUpstreamRetryHints: true, maxBackoffSteps: 5 },
      },
      modelLockout: {
        ...{ enabled: false, errorCodes: [403, 404, 429, 502, 503, 504], baseCooldownMs: 120_000 },
        ...{ maxCooldownMs: 1_800_000, maxBackoffSteps: 10, useExponentialBackoff: true },
      },
      waitForCooldown: { enabled: true, maxRetries: 5, maxRetryWaitSec: 90, budgetMs: 300_000 },
      streamStallCooldown: { enabled: false },
    })
  })

  it('an environment value does not beat a stored one', () => {
    const { store, view } = open({ OMNIROUTE_CIRCUIT_BREAKER_API_KEY_RESET_MS: '5000' })
    expect(view(RESET)).toMatchObject({ value: 5_000, source: 'environment' })
    store.patch({ providerBreaker: { apikey: { resetTimeoutMs: 9_000 } } })
    expect(view(RESET)).toMatchObject({ value: 9_000, source: 'stored' })
    store.change(RESET, null)
    expect(view(RESET)).toMatchObject({ value: 5_000, source: 'environment' })
  })

  it.each<[string, string, string, unknown]>([
    ['OMNIROUTE_CIRCUIT_BREAKER_OAUTH_THRESHOLD', '20', 'providerBreaker.oauth.failureThreshold', 20],
    ['OMNIROUTE_CIRCUIT_BREAKER_LOCAL_THRESHOLD', '3', 'providerBreaker.local.failureThreshold', 3],
    ['OMNIROUTE_CIRCUIT_BREAKER_LOCAL_RESET_MS', '2000', 'providerBreaker.local.resetTimeoutMs', 2_000],
    ['OMNIROUTE_PROVIDER_BREAKER_OAUTH_DEGRADATION_THRESHOLD', '3', 'providerBreaker.oauth.degradationThreshold', 3],
    [
      'OMNIROUTE_PROVIDER_BREAKER_API_KEY_MAX_BACKOFF_MULTIPLIER',
      '6',
      'providerBreaker.apikey.maxBackoffMultiplier',
      6,
    ],
    [
      'OMNIROUTE_PROVIDER_BREAKER_API_KEY_BACKOFF_ESCALATION_COUNT',
      '0',
      'providerBreaker.apikey.backoffEscalationCount',
      0,
    ],
    ['OMNIROUTE_PROVIDER_BREAKER_LOCAL_FAILURE_WINDOW_MS', '7', 'providerCooldown.local.failureWindowMs', 7],
    ['OMNIROUTE_PROVIDER_BREAKER_API_KEY_FAILURE_THRESHOLD', '4', 'providerCooldown.apikey.failureThreshold', 4],
    ['OMNIROUTE_PROVIDER_BREAKER_OAUTH_COOLDOWN_MS', '9', 'providerCooldown.oauth.cooldownMs', 9],
    ['PROVIDER_COOLDOWN_ENABLED', 'on', 'providerCooldown.enabled', true],
    ['PROVIDER_COOLDOWN_ENABLED', '1', 'providerCooldown.enabled', true],
    ['PROVIDER_COOLDOWN_MIN_MS', '3600000', 'providerCooldown.minRetryCooldownMs', 3_600_000],
    ['PROVIDER_COOLDOWN_MAX_MS', '86400000', 'providerCooldown.maxRetryCooldownMs', 86_400_000],
  ])('%s=%s', (name, value, key, expected) => {
    expect(open({ [name]: value }).view(key)).toMatchObject({ value: expected, source: 'environment' })
  })

  it.each(['', ' ', 'many', '-5', 'NaN', '1.5', '99999999999'])(
    'an environment of "%s" leaves the default',
    (value) => {
      const { view } = open({ OMNIROUTE_CIRCUIT_BREAKER_API_KEY_RESET_MS: value })
      expect(view(RESET)).toMatchObject({ value: 30_000, source: 'default' })
      expect(view(RESET)?.warning === null).toBe(value.trim() === '')
    },
  )

  it('what is stored and makes no sense is passed over with a warning; the rest counts', () => {
    const { table, store, view } = open()
    table.set('resilienceSettings', {
      connectionCooldown: { apikey: { baseCooldownMs: 'soon', maxBackoffSteps: 2 }, oauth: null },
      modelLockout: 7,
      unknown: true,
    })
    store.reload()
    expect(view(BASE)).toMatchObject({ value: 3_000, source: 'default' })
    expect(view(BASE)?.warning).toBe('The stored value must be a whole number from 0 to 86400000; it is ignored')
    expect(view('connectionCooldown.apikey.maxBackoffSteps')).toMatchObject({ value: 2, source: 'stored' })
  })

  it('what only operators set cannot be stored', () => {
    const { table, store, view } = open()
    table.set('resilienceSettings', { providerBreaker: { local: { failureThreshold: 9 } } })
    store.reload()
    expect(view('providerBreaker.local.failureThreshold')).toMatchObject({ value: 2, source: 'default' })
  })

  it('numbers of two sources that contradict each other are mended', () => {
    const { store } = open({ OMNIROUTE_CIRCUIT_BREAKER_API_KEY_THRESHOLD: '3', PROVIDER_COOLDOWN_MIN_MS: '400000' })
    expect(store.snapshot().providerBreaker.apikey).toMatchObject({ failureThreshold: 3, degradationThreshold: 2 })
    expect(store.snapshot().providerCooldown).toMatchObject({
      minRetryCooldownMs: 400_000,
      maxRetryCooldownMs: 400_000,
    })
  })

  it('the two numbers older tools wrote count while nothing newer is stored', () => {
    const { table, store, view } = open()
    table.set('requestRetry', 2)
    table.set('maxRetryIntervalSec', 30)
    store.reload()
    expect([view('waitForCooldown.maxRetries')?.value, view('waitForCooldown.maxRetryWaitSec')?.value]).toEqual([2, 30])
    store.patch({ waitForCooldown: { maxRetries: 4 } })
    expect(table.all().get('requestRetry')).toBe(4)
    expect(table.all().get('maxRetryIntervalSec')).toBe(30)
  })
})

describe('a change', () => {
  it('is any subset; the rest stays as it was', () => {
    const { store, stored, view } = open()
    store.patch({ connectionCooldown: { apikey: { baseCooldownMs: 1_000 } }, modelLockout: { errorCodes: [500] } })
    store.patch({ connectionCooldown: { oauth: { maxBackoffSteps: 1 } } })
    expect(stored()).toEqual({
      connectionCooldown: { apikey: { baseCooldownMs: 1_000 }, oauth: { maxBackoffSteps: 1 } },
      modelLockout: { errorCodes: [500] },
    })
    expect(view(BASE)).toMatchObject({ value: 1_000, source: 'stored' })
  })

  it('with null takes the stored word on the hints back', () => {
    const { store, stored, view } = open()
    const key = 'connectionCooldown.apikey.useUpstream429BreakerHints'
    const hints = (value: boolean | null) => ({ connectionCooldown: { apikey: { useUpstream429BreakerHints: value } } })
    store.patch(hints(false))
    expect(view(key)).toMatchObject({ value: false, source: 'stored' })
    store.patch(hints(null))
    expect(view(key)).toMatchObject({ value: null, source: 'default' })
    expect(stored()).toEqual({})
  })

  it('is felt at once, and told', () => {
    const { store } = open()
    const listener = vi.fn()
    const stop = store.onChange(listener)
    store.patch({ streamStallCooldown: { enabled: true } })
    const [next, previous] = listener.mock.calls[0] ?? []
    expect([next.streamStallCooldown.enabled, previous.streamStallCooldown.enabled]).toEqual([true, false])
    expect(store.snapshot()).toBe(next)
    stop()
    store.patch({ streamStallCooldown: { enabled: false } })
    expect(listener).toHaveBeenCalledTimes(1)
  })

  it('survives a listener that fails', () => {
    const { store, view } = open()
    store.onChange(() => {
      throw new Error('a listener')
    })
    expect(() => store.patch({ streamStallCooldown: { enabled: true } })).toThrow('a listener')
    expect(view('streamStallCooldown.enabled')?.value).toBe(true)
  })

  it.each<[string, unknown, readonly (readonly [string, string])[]]>([
    ['nothing', {}, [['', 'must name at least one setting']]],
    ['no object', [], [['', 'must be an object']]],
    ['an unknown group', { providerBreakers: {} }, [['providerBreakers', 'is not a setting']]],
    [
      'unknown keys',
      { connectionCooldown: { apikey: { base: 1, steps: 2 } } },
      [
        ['connectionCooldown.apikey.base', 'is not a setting'],
        ['connectionCooldown.apikey.steps', 'is not a setting'],
      ],
    ],
    [
      'a group that is no object',
      { connectionCooldown: { apikey: 3 } },
      [['connectionCooldown.apikey', 'must be an object']],
    ],
    [
      'a text for a number',
      { connectionCooldown: { apikey: { baseCooldownMs: '3000' } } },
      [[BASE, 'must be a whole number from 0 to 86400000']],
    ],
    [
      'a number out of bounds',
      { providerBreaker: { apikey: { resetTimeoutMs: 999 } } },
      [[RESET, 'must be a whole number from 1000 to 86400000']],
    ],
    [
      'one failure to open',
      { providerBreaker: { apikey: { failureThreshold: 1 } } },
      [[OPENS, 'must be a whole number from 2 to 1000']],
    ],
    [
      'a status that is none',
      { modelLockout: { errorCodes: [429, 700] } },
      [['modelLockout.errorCodes.1', 'must be a whole number from 100 to 599']],
    ],
    [
      'what only operators set',
      { providerBreaker: { local: { failureThreshold: 3 } } },
      [['providerBreaker.local', 'is not a setting']],
    ],
    [
      'more than a person may set',
      { providerCooldown: { minRetryCooldownMs: 300_001 } },
      [['providerCooldown.minRetryCooldownMs', 'must be a whole number from 0 to 300000']],
    ],
    [
      'two things wrong',
      { streamStallCooldown: { enabled: 1 }, waitForCooldown: { maxRetries: 11 } },
      [
        ['waitForCooldown.maxRetries', 'must be a whole number from 0 to 10'],
        ['streamStallCooldown.enabled', 'must be true or false'],
      ],
    ],
  ])('of %s is refused, field by field', (_what, change, details) => {
    expect(open().refused(change)).toEqual(details.map(([field, message]) => ({ field, message })))
  })

  it.each<[string, object, string, string]>([
    [
      'strained only when open',
      { providerBreaker: { apikey: { degradationThreshold: 12 } } },
      'providerBreaker.apikey.degradationThreshold',
      'must be less than failureThreshold (12)',
    ],
    [
      'open before strained, by the default of the other',
      { providerBreaker: { apikey: { failureThreshold: 7 } } },
      OPENS,
      'must be greater than degradationThreshold (7)',
    ],
    [
      'a longest pause below the shortest',
      { providerCooldown: { maxRetryCooldownMs: 4_999 } },
      'providerCooldown.maxRetryCooldownMs',
      'must be greater than or equal to minRetryCooldownMs (5000)',
    ],
    [
      'a first lock above the longest',
      { modelLockout: { baseCooldownMs: 6_000, maxCooldownMs: 5_000 } },
      'modelLockout.baseCooldownMs',
      'must be less than or equal to maxCooldownMs (5000)',
    ],
    [
      'a budget below one wait',
      { waitForCooldown: { budgetMs: 89_999 } },
      'waitForCooldown.budgetMs',
      'must be greater than or equal to maxRetryWaitSec (90000)',
    ],
    [
      'a wait above the budget',
      { waitForCooldown: { maxRetryWaitSec: 100, budgetMs: 99_000 } },
      'waitForCooldown.maxRetryWaitSec',
      'must be less than or equal to budgetMs (99)',
    ],
  ])('of %s is refused on the merged result', (_what, change, field, message) => {
    expect(open().refused(change)).toEqual([{ field, message }])
  })

  it('is not refused for what it does not touch', () => {
    const { store, view } = open({ OMNIROUTE_CIRCUIT_BREAKER_API_KEY_THRESHOLD: '3' })
    store.patch({ providerBreaker: { apikey: { resetTimeoutMs: 2_000 } } })
    expect(view(RESET)?.value).toBe(2_000)
    store.patch({ providerBreaker: { apikey: { failureThreshold: 8, degradationThreshold: 7 } } })
    expect(view(OPENS)?.value).toBe(8)
  })

  it('answers in words, too', () => {
    const { store } = open()
    const change = { streamStallCooldown: { enabled: 1 }, nothing: 1 }
    expect(() => store.patch(change)).toThrow(
      'Nothing was changed: streamStallCooldown.enabled must be true or false (and 1 more).',
    )
  })
})

describe('one value', () => {
  it('is changed and taken back by its path', () => {
    const { store, view, stored } = open()
    store.change(BASE, 500)
    expect(view(BASE)).toMatchObject({ value: 500, source: 'stored' })
    store.change(BASE, null)
    expect(view(BASE)).toMatchObject({ value: 3_000, source: 'default' })
    expect(stored()).toEqual({})
  })

  it.each(['nothing', 'connectionCooldown', 'providerBreaker.local.failureThreshold', '__proto__.x'])(
    'under the path %s does not exist',
    (key) => {
      expect(() => open().store.change(key, 3)).toThrow(GatewayError)
    },
  )

  it('is checked like any change', () => {
    expect(() => open().store.change(BASE, -1)).toThrow('must be a whole number from 0 to 86400000')
  })
})

it('a store that is opened again reads what was stored', () => {
  const { store, database } = open()
  store.patch({ modelLockout: { enabled: true, maxBackoffSteps: 0 } })
  expect(open({}, database).store.snapshot().modelLockout).toMatchObject({ enabled: true, maxBackoffSteps: 0 })
})

it('shows what a person can change as one object', () => {
  const tree = open().store.tree() as Record<string, Record<string, unknown>>
  expect(Object.keys(tree)).toEqual([
    ...['providerBreaker', 'providerCooldown', 'connectionCooldown', 'modelLockout'],
    ...['comboCooldownWait', 'waitForCooldown', 'streamStallCooldown', 'quotaPreflight'],
  ])
  expect(tree.providerCooldown).toEqual({ enabled: false, minRetryCooldownMs: 5_000, maxRetryCooldownMs: 300_000 })
  expect(tree.providerBreaker).not.toHaveProperty('local')
})
