import { describe, expect, it } from 'vitest'
import { mergeResilience } from '../../../core/contract/resilience-merge'
import { ProviderCooldown, pauseMs } from '../../../core/resilience/provider-cooldown'

const { providerCooldown: SETTINGS } = mergeResilience({ env: {}, stored: undefined }).settings
const WINDOW = { failureThreshold: 3, failureWindowMs: 10_000, cooldownMs: 4_000 }
const NOW = 1_000_000

function failing(...at: number[]): ProviderCooldown {
  const cooldown = new ProviderCooldown()
  for (const ms of at) cooldown.failed('openai', 'a', WINDOW, NOW + ms)
  return cooldown
}

describe('a provider', () => {
  it('cools only after enough failures inside the window, then for its cooldown', () => {
    expect(failing(0, 1).provider('openai', WINDOW, NOW + 2)).toBeNull()
    const cooling = failing(0, 1, 2)
    expect(cooling.provider('openai', WINDOW, NOW + 3)).toEqual({ since: NOW + 2, until: NOW + 4_002, failures: 3 })
    expect(cooling.provider('openai', WINDOW, NOW + 4_002)).toBeNull()
    expect(cooling.provider('anthropic', WINDOW, NOW + 3)).toBeNull()
  })

  it('does not count what is older than the window', () => {
    expect(failing(0, 1, 10_001).provider('openai', WINDOW, NOW + 10_001)).toBeNull()
    expect(failing(0, 2, 9_999).provider('openai', WINDOW, NOW + 9_999)).not.toBeNull()
  })

  it('is not cooled longer by failures that come meanwhile, and cools again after', () => {
    const cooling = failing(0, 1, 2, 2_000)
    expect(cooling.provider('openai', WINDOW, NOW + 2_000)?.until).toBe(NOW + 4_002)
    cooling.failed('openai', 'a', WINDOW, NOW + 5_000)
    expect(cooling.provider('openai', WINDOW, NOW + 5_000)?.until).toBe(NOW + 9_000)
  })

  it('begins anew after a success', () => {
    const cooling = failing(0, 1, 2)
    cooling.succeeded('openai', 'a')
    expect(cooling.provider('openai', WINDOW, NOW + 3)).toBeNull()
    expect(cooling.size).toBe(0)
  })

  it('cools no longer under a clock that was set back', () => {
    expect(failing(0, 1, 2).provider('openai', WINDOW, NOW - 1)).toBeNull()
  })
})

describe('a connection', () => {
  it.each([
    [1, 5_000],
    [2, 10_000],
    [6, 160_000],
    [7, 300_000],
    [1_000, 300_000],
  ])('after %i failures pauses %i ms', (failures, ms) => {
    expect(pauseMs(failures, SETTINGS)).toBe(ms)
  })

  it('pauses from its last failure', () => {
    const cooling = failing(0, 3_000)
    expect(cooling.connection('openai', 'a', SETTINGS, NOW + 3_000)).toMatchObject({ until: NOW + 13_000, failures: 2 })
    expect(cooling.connection('openai', 'a', SETTINGS, NOW + 13_000)).toBeNull()
    expect(cooling.connection('openai', 'b', SETTINGS, NOW)).toBeNull()
    expect(cooling.connection('anthropic', 'a', SETTINGS, NOW)).toBeNull()
  })
})

it('what is long over is forgotten', () => {
  const cooling = failing(0)
  cooling.cleanUp(SETTINGS, NOW + 1_800_000)
  expect(cooling.size).toBe(2)
  cooling.cleanUp(SETTINGS, NOW + 1_800_001)
  expect(cooling.size).toBe(0)
})
