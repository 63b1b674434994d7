import { describe, expect, it } from 'vitest'
import { SETTINGS } from '../../core/contract/settings'
import type { ProviderView, SettingView } from '../../core/contract/views'
import { troublesOf } from '../../renderer/app/troubles'
import { GROUPS, inWords, isFixed, sourceWords, valueWords } from '../../renderer/features/settings/setting-words'
import { dialectFor } from '../../renderer/features/wizard/model-names'
import { nextOf, previousOf, readPlace, START, STEPS } from '../../renderer/features/wizard/wizard-place'

const view = (fields: Partial<SettingView>): SettingView => ({
  key: 'listenPort',
  value: 4517,
  source: 'default',
  stored: null,
  warning: null,
  ...fields,
})

describe('a setting in words', () => {
  it('shows every group of the table but the internal one', () => {
    const groups = new Set(Object.values(SETTINGS).map(({ group }) => group))
    groups.delete('Internal')
    expect([...groups].filter((group) => !GROUPS.includes(group))).toEqual([])
  })
  it('says where the value came from', () => {
    expect(sourceWords(SETTINGS.listenPort, view({ source: 'environment' }))).toBe('Set by BREAKWATER_PORT')
    expect(sourceWords(SETTINGS.listenPort, view({ source: 'flag' }))).toBe('Set by --port')
    expect(sourceWords(SETTINGS.listenPort, view({}))).toBe('')
  })
  it('is read-only only where a stored value would not be felt', () => {
    expect(isFixed(SETTINGS.listenPort, view({ source: 'environment' }))).toBe(true)
    expect(isFixed({ ...SETTINGS.listenPort, precedence: 'resilience' }, view({ source: 'environment' }))).toBe(false)
    expect(isFixed(SETTINGS.listenPort, view({ source: 'stored' }))).toBe(false)
  })
  it('puts large numbers in words', () => {
    expect(inWords(SETTINGS.idleTimeoutMs, 600_000)).toBe('= 10 min')
    expect(inWords(SETTINGS.historyMaxRequests, 500_000)).toBe('= 500,000')
    expect(inWords(SETTINGS.listenPort, 4517)).toBe('')
    expect(valueWords([])).toBe('none')
    expect(valueWords(true)).toBe('on')
  })
})

describe('the first run', () => {
  it('goes on where it was left, and starts where nothing usable was kept', () => {
    expect(readPlace(JSON.stringify({ step: 'tool', connectionId: 'c1', model: 'openai/gpt' }))).toEqual({
      step: 'tool',
      connectionId: 'c1',
      model: 'openai/gpt',
    })
    for (const raw of [null, '', 'null', '[]', '{"step":"gone"}', '{"step":']) expect(readPlace(raw)).toEqual(START)
    expect(readPlace('{"step":"send","model":7}')).toEqual({ ...START, step: 'send' })
  })
  it('has a way on and a way back', () => {
    expect(STEPS.map(nextOf)).toEqual([...STEPS.slice(1), null])
    expect(STEPS.map(previousOf)).toEqual([null, ...STEPS.slice(0, -1)])
  })
  it("asks in the format of the model's provider", () => {
    const providers = [{ id: 'anthropic', dialect: 'anthropic' }] as ProviderView[]
    expect(dialectFor('anthropic/claude', providers)).toBe('anthropic')
    expect(dialectFor('practice/echo', providers)).toBe('openai-chat')
  })
})

it('lists what needs a person before what rests, and not what is off', () => {
  const connections = ['off', 'resting', 'healthy', 'needs-you'].map((state) => ({
    id: state,
    name: state,
    state,
    why: '',
  }))
  const providers = [{ label: 'P', connections }] as unknown as ProviderView[]
  expect(troublesOf(providers).map(({ state }) => state)).toEqual(['needs-you', 'resting'])
})
