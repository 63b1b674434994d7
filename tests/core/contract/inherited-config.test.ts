import { expect, test } from 'vitest'
import { inheritedConfig } from '../../../core/contract/inherited-config'

test('a turn in a combo lasts as long as that of a key, unless combos have a setting of their own', () => {
  const settings = { stickyRoundRobinLimit: 7, comboStickyRoundRobinLimit: 0, comboConcurrencyPerModel: 5 }
  expect(inheritedConfig(settings)).toEqual({ stickyRoundRobinLimit: 7, concurrencyPerModel: 5 })
  expect(inheritedConfig({ ...settings, comboStickyRoundRobinLimit: 2 }).stickyRoundRobinLimit).toBe(2)
})
