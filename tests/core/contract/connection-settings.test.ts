import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  ConnectionSettings,
  ConnectionSettingsPatch,
  readConnectionSettings,
  settingsOf,
  withPatch,
} from '../../../core/contract/connection-settings'

const patch = (raw: unknown): ConnectionSettingsPatch => ConnectionSettingsPatch.parse(raw)
const faultOf = (raw: unknown): string => {
  const { error } = ConnectionSettingsPatch.safeParse(raw)
  const [issue] = error?.issues ?? []
  return issue === undefined ? 'it was taken' : `${issue.path.join('.')}: ${issue.message}`
}
const overrides = (members: object): object => ({ rateLimitOverrides: members })

describe('a limit', () => {
  it.each<[string, number]>([
    ['rpm', 1_000_000],
    ['rpd', 10_000_000],
    ['tpm', 100_000_000],
    ['tpd', 10_000_000_000],
    ['minTime', 60_000],
    ['maxConcurrent', 10_000],
    ['maxWaitMs', 120_000],
    ['executionMaxWaitMs', 600_000],
  ])('%s goes up to %i', (key, max) => {
    for (const value of [0, 1, max]) expect(patch(overrides({ [key]: value }))).toEqual(overrides({ [key]: value }))
    const fault = `rateLimitOverrides.${key}: must be a whole number from 0 to ${max}`
    for (const value of [max + 1, -1, 1.5, '', ' ', 'many', '1e3', true, [], {}])
      expect(faultOf(overrides({ [key]: value }))).toBe(fault)
  })

  it('may come as the text of a form', () => {
    expect(patch({ maxConcurrent: '3', ...overrides({ rpm: ' 60 ' }) })).toEqual({
      maxConcurrent: 3,
      ...overrides({ rpm: 60 }),
    })
    expect(faultOf({ maxConcurrent: '' })).toBe('maxConcurrent: must be a whole number from 0 to 10000')
  })

  it('of models at once is at least one, by their names', () => {
    const all = overrides({ modelConcurrency: { 'glm-5': 2, 'a/b': 10_000 } })
    expect(patch(all)).toEqual(all)
    for (const value of [0, -1, 1.5, 10_001, 'two', null]) {
      expect(faultOf(overrides({ modelConcurrency: { 'glm-5': value } }))).toContain(
        'rateLimitOverrides.modelConcurrency.glm-5: must be a whole number from 1 to 10000',
      )
    }
    expect(faultOf(overrides({ modelConcurrency: [] }))).toContain('must be an object')
    expect(faultOf(overrides({ modelConcurrency: { ' ': 1 } }))).not.toBe('it was taken')
  })
})

it.each([
  [{ surprise: 1 }],
  [overrides({ surprise: 1 })],
  [{ disableCooling: 'true' }],
  [{ lowPriorityMode: 1 }],
  [overrides([])],
  [{ rateLimitOverrides: 5 }],
  [{ organizationUUID: '../admin' }],
  [{ organizationUUID: '' }],
  [{ quotaWindowThresholds: { weekly: 100 } }],
  [{ providerSpecificData: 'x' }],
  [{ providerSpecificData: { surprise: true } }],
  ['text'],
  [null],
])('%j is refused', (raw) => expect(faultOf(raw)).not.toBe('it was taken'))

it('the wire’s other names are known', () => {
  const specific = { passthroughModels: true, lowPriorityMode: true, autoLimitReset: false, organizationUUID: 'a-1' }
  expect(patch({ max_concurrent: 4, providerSpecificData: specific })).toEqual({
    ...{ maxConcurrent: 4, perModelQuota: true, lowPriorityMode: true, autoLimitReset: false, organizationUUID: 'a-1' },
  })
  // Our own names come first.
  expect(patch({ maxConcurrent: 1, max_concurrent: 2 })).toEqual({ maxConcurrent: 1 })
  expect(patch({ max_concurrent: null })).toEqual({ maxConcurrent: null })
})

describe('a change', () => {
  const present: ConnectionSettings = { maxConcurrent: 2, rateLimitOverrides: { rpm: 10, modelConcurrency: { a: 1 } } }

  it.each<[object, object]>([
    [{}, present],
    [{ maxConcurrent: null }, { rateLimitOverrides: present.rateLimitOverrides }],
    [{ disableCooling: true }, { ...present, disableCooling: true }],
    [overrides({ rpm: null, tpm: 5 }), { maxConcurrent: 2, ...overrides({ tpm: 5, modelConcurrency: { a: 1 } }) }],
    [overrides({ modelConcurrency: null }), { maxConcurrent: 2, ...overrides({ rpm: 10 }) }],
    [
      overrides({ modelConcurrency: { b: 2 } }),
      { maxConcurrent: 2, ...overrides({ rpm: 10, modelConcurrency: { b: 2 } }) },
    ],
    [overrides({ rpm: null, modelConcurrency: null }), { maxConcurrent: 2 }],
    [{ rateLimitOverrides: null }, { maxConcurrent: 2 }],
    [overrides({}), present],
  ])('%j', (change, after) => expect(withPatch(present, patch(change))).toEqual(after))

  it('leaves only what may be stored, and repeated changes nothing more', () => {
    const limit = fc.option(fc.nat(60_000))
    const change = fc.record(
      {
        maxConcurrent: fc.option(fc.nat(10_000)),
        disableCooling: fc.option(fc.boolean()),
        quotaWindowThresholds: fc.option(fc.dictionary(fc.constantFrom('session', 'weekly'), fc.nat(99))),
        rateLimitOverrides: fc.option(
          fc.record({ rpm: limit, minTime: limit, modelConcurrency: fc.constant({ m: 1 }) }, { requiredKeys: [] }),
        ),
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(fc.array(change, { maxLength: 5 }), (changes) => {
        let settings: ConnectionSettings = {}
        for (const each of changes) {
          settings = withPatch(settings, patch(each))
          expect(ConnectionSettings.parse(settings)).toEqual(settings)
          expect(withPatch(settings, patch(each))).toEqual(settings)
          expect(readConnectionSettings(JSON.parse(JSON.stringify(settings)))).toEqual(settings)
          expect(withPatch({}, settingsOf(settings))).toEqual(settings)
        }
      }),
    )
  })
})

describe('what was stored', () => {
  it('counts member by member', () => {
    const stored = {
      ...{ maxConcurrent: -1, disableCooling: true, surprise: 1, lowPriorityMode: 'yes' },
      ...overrides({ rpm: 10, tpm: 'x', modelConcurrency: { a: 0 } }),
    }
    expect(readConnectionSettings(stored)).toEqual({ disableCooling: true, ...overrides({ rpm: 10 }) })
  })

  it('is nothing where it is something else, and never makes it fail', () => {
    expect(readConnectionSettings({ __proto__: { maxConcurrent: 1 } })).toEqual({})
    fc.assert(
      fc.property(fc.jsonValue(), (stored) => {
        expect(ConnectionSettings.safeParse(readConnectionSettings(stored)).success).toBe(true)
      }),
    )
  })
})
