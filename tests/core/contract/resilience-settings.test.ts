// The table of resilience settings itself: whatever row is added, these hold.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { schemaOf } from '../../../core/contract/resilience-fields'
import { checkChange, mergeResilience, valueAt } from '../../../core/contract/resilience-merge'
import {
  isChangeable,
  ORDER_RULES,
  RESILIENCE_KEYS,
  type ResilienceKey,
  rowOf,
} from '../../../core/contract/resilience-settings'

const changeOf = (key: string, value: unknown): object =>
  key.split('.').reduceRight<unknown>((inner, part) => ({ [part]: inner }), value) as object

describe.each(RESILIENCE_KEYS)('%s', (key) => {
  const row = rowOf(key)

  it('has a default that passes its own check', () => {
    expect(schemaOf(row).parse(row.fallback)).toEqual(row.fallback)
    expect(valueAt(mergeResilience({ env: {}, stored: undefined }).settings, key)).toEqual(row.fallback)
  })

  it('says in words what it does', () => {
    expect([row.label.length > 3, row.help.endsWith('.')]).toEqual([true, true])
  })

  it(isChangeable(key) ? 'can be changed to its own default' : 'cannot be changed by a person', () => {
    const changed = checkChange(changeOf(key, row.fallback), { env: {}, stored: undefined })
    expect(changed.ok).toBe(isChangeable(key))
  })
})

it('no environment variable stands for two settings', () => {
  const names = RESILIENCE_KEYS.map((key) => rowOf(key).env).filter((name) => name !== undefined)
  expect(new Set(names).size).toBe(names.length)
})

it('what only operators set has a variable', () => {
  for (const key of RESILIENCE_KEYS) if (!isChangeable(key)) expect(rowOf(key).env).toBeTypeOf('string')
})

/** Any value of a row, also outside its bounds and of other kinds. */
const anyValue = fc.oneof(
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
  fc.string(),
  fc.array(fc.integer()),
)
const goodValue = (key: ResilienceKey): fc.Arbitrary<unknown> => {
  const row = rowOf(key)
  switch (row.kind) {
    case 'int':
      return fc.integer({ min: row.min, max: row.max })
    case 'bool':
      return fc.boolean()
    case 'optional-bool':
      return fc.option(fc.boolean())
    case 'int-list':
      return fc.array(fc.integer({ min: row.min, max: row.max }), { maxLength: 10 })
  }
}
const keys = fc.constantFrom(...RESILIENCE_KEYS)
const entries = fc.array(
  keys.chain((key) => fc.tuple(fc.constant(key), fc.oneof(goodValue(key), anyValue))),
  { maxLength: 12 },
)

const treeOf = (values: readonly (readonly [string, unknown])[]): object => {
  const tree: Record<string, unknown> = {}
  for (const [key, value] of values) {
    const parts = key.split('.')
    let at = tree
    for (const part of parts.slice(0, -1)) {
      at[part] ??= {}
      at = at[part] as Record<string, unknown>
    }
    at[parts.at(-1) as string] = value
  }
  return tree
}
const fits = (settings: object): void => {
  for (const key of RESILIENCE_KEYS) expect(schemaOf(rowOf(key)).safeParse(valueAt(settings, key)).success).toBe(true)
  for (const { low, high, scale, order } of ORDER_RULES) {
    const [lower, higher] = [(valueAt(settings, low) as number) * scale, valueAt(settings, high) as number]
    expect(order === 'below' ? lower < higher : lower <= higher).toBe(true)
  }
}

it('whatever is stored and set in the environment, the merged settings keep every bound and every rule', () => {
  const env = fc.dictionary(
    fc.constantFrom(...RESILIENCE_KEYS.flatMap((key) => rowOf(key).env ?? [])),
    fc.oneof(fc.string(), fc.integer().map(String), fc.nat(2_000).map(String)),
  )
  fc.assert(
    fc.property(fc.oneof(entries.map(treeOf), fc.jsonValue()), env, (stored, variables) => {
      fits(mergeResilience({ env: variables, stored }).settings)
    }),
  )
})

it('whatever change is accepted, every value of it is in force afterwards', () => {
  fc.assert(
    fc.property(entries, entries, (first, second) => {
      const sources = { env: {}, stored: treeOf(first) }
      const checked = checkChange(treeOf(second), sources)
      expect(checked.ok || checked.issues.length > 0).toBe(true)
      if (!checked.ok) return
      const { settings } = mergeResilience({ env: {}, stored: checked.stored })
      fits(settings)
      for (const [key, value] of new Map(second)) expect(valueAt(settings, key)).toEqual(value)
    }),
  )
})

it('a connection’s own word comes before the stored one', () => {
  const key = 'connectionCooldown.apikey.baseCooldownMs'
  const merged = mergeResilience({ env: {}, stored: changeOf(key, 1), connection: changeOf(key, 2) })
  expect(merged.views.find((view) => view.key === key)).toMatchObject({ value: 2, source: 'connection' })
})
