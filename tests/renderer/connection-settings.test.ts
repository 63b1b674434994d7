import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ConnectionSettings, ConnectionSettingsPatch, withPatch } from '../../core/contract/connection-settings'
import { draftOf, emptyDraft, planTest, toAdd, toUpdate } from '../../renderer/features/connections/draft'
import { formFields, placeError } from '../../renderer/features/connections/place-error'
import {
  checkSettings,
  LIMITS,
  readCaps,
  readThresholds,
  SETTINGS_FIELDS,
  settingsDraft,
  settingsPatch,
} from '../../renderer/features/connections/settings-draft'
import { aConnection, aProvider } from '../electron/samples'

const anySettings = fc.record(
  {
    disableCooling: fc.boolean(),
    rateLimitProtection: fc.boolean(),
    lowPriorityMode: fc.boolean(),
    egressRotating: fc.boolean(),
    perModelQuota: fc.boolean(),
    maxConcurrent: fc.integer({ min: 0, max: 100 }),
    weight: fc.integer({ min: 0, max: 100 }),
    organizationUUID: fc.constantFrom('a-1', 'b-2'),
    quotaWindowThresholds: fc.dictionary(fc.constantFrom('weekly', '5h', 'total'), fc.integer({ min: 0, max: 99 }), {
      minKeys: 1,
    }),
    rateLimitOverrides: fc.record(
      {
        rpm: fc.integer({ min: 0, max: 1000 }),
        maxWaitMs: fc.integer({ min: 0, max: 1000 }),
        modelConcurrency: fc.dictionary(
          fc.constantFrom('glm-5', 'org/model=x', 'a:b'),
          fc.integer({ min: 1, max: 9 }),
          { minKeys: 1 },
        ),
      },
      { requiredKeys: ['rpm'] },
    ),
  },
  { requiredKeys: [] },
)

describe('the settings of a connection in its form', () => {
  it('change nothing while nothing is changed', () => {
    fc.assert(
      fc.property(anySettings, (settings) => {
        expect(settingsPatch(settingsDraft(settings), settings)).toBeUndefined()
      }),
    )
  })

  it('lead from any settings to any others, by a patch that the contract takes', () => {
    const meant = (settings: ConnectionSettings): ConnectionSettings =>
      // A switch that is off and one that was never touched are the same to a form.
      Object.fromEntries(Object.entries(settings).filter(([key, value]) => value !== false || key === 'perModelQuota'))
    fc.assert(
      fc.property(anySettings, anySettings, (before, wanted) => {
        const patch = settingsPatch(settingsDraft(wanted), before) ?? {}
        const taken = withPatch(before, ConnectionSettingsPatch.parse(patch))
        expect(meant(taken)).toEqual(meant(wanted))
      }),
    )
  })

  it('know every number that the contract knows', () => {
    const overrides = Object.keys(ConnectionSettings.shape.rateLimitOverrides.unwrap().shape)
    expect([...LIMITS, 'modelConcurrency'].sort()).toEqual(overrides.sort())
  })

  it('are refused where they are no numbers, each at its field', () => {
    const draft = settingsDraft({})
    expect(checkSettings(draft)).toEqual({})
    const wrong = { ...draft, maxConcurrent: 'two', limits: { ...draft.limits, rpm: '-1', tpd: ' 5 ' } }
    expect(Object.keys(checkSettings(wrong))).toEqual(['settings.maxConcurrent', 'settings.rateLimitOverrides.rpm'])
  })
})

describe('caps by model', () => {
  it('are one a line; the last equals sign divides', () => {
    expect(readCaps(' glm-5 = 2 \n\norg/m=x=10')).toEqual({ ok: true, caps: { 'glm-5': 2, 'org/m=x': 10 } })
    expect(readCaps('')).toEqual({ ok: true, caps: {} })
  })
  it.each([
    ['glm-5', 1],
    ['glm-5=2\nglm-4', 2],
    ['=3', 1],
    ['glm-5=0', 1],
    ['glm-5=two', 1],
    ['glm-5=1\n\nglm-5=2', 3],
  ])('%j is refused with its line', (text, line) => {
    const read = readCaps(text)
    expect(read.ok ? '' : read.message).toMatch(new RegExp(`^Line ${line}: `))
  })
})

describe('what is left unused of quotas', () => {
  it('is one window a line, by any of its names', () => {
    expect(readThresholds(' Weekly = 10 \n\n5h=0')).toEqual({ ok: true, thresholds: { weekly: 10, '5h': 0 } })
    expect(readThresholds('')).toEqual({ ok: true, thresholds: {} })
  })
  it.each([
    ['7d', 1],
    ['7d=10\nyearly=3', 2],
    ['minute=3', 1],
    ['7d=100', 1],
    ['7d=1\n\n7d=2', 3],
  ])('%j is refused with its line', (text, line) => {
    const read = readThresholds(text)
    expect(read.ok ? '' : read.message).toMatch(new RegExp(`^Line ${line}: `))
    expect(checkSettings({ ...settingsDraft({}), quotaThresholds: text })).toHaveProperty([
      'settings.quotaWindowThresholds',
    ])
  })
})

describe('the proxy of a connection', () => {
  const label = 'http://10.0.0.2:3128'
  const through = aConnection({ proxy: { label, locked: false } })
  const provider = aProvider()

  it('stays while its label stands there, goes when it is emptied, and is sent when it is another', () => {
    expect(toUpdate(draftOf(through), through)).toBeNull()
    expect(toUpdate({ ...draftOf(through), proxy: ' ' }, through)).toEqual({ id: 'c1', proxy: null })
    expect(toUpdate({ ...draftOf(through), proxy: 'socks5://u:p@h:1' }, through)).toEqual({
      id: 'c1',
      proxy: 'socks5://u:p@h:1',
    })
    expect(toAdd({ ...emptyDraft('openai'), proxy: label }, 'openai')).toMatchObject({ proxy: label })
    expect(toAdd(emptyDraft('openai'), 'openai')).not.toHaveProperty('proxy')
  })

  it('is part of a test: what is stored goes through what is stored only', () => {
    const plan = (part: object, connection = through) =>
      planTest({ ...draftOf(connection), ...part }, { provider, editing: connection })
    expect(plan({})).toEqual({ kind: 'test', input: { id: 'c1' } })
    expect(plan({ proxy: 'http://other:1' }).kind).toBe('save-first')
    expect(plan({ apiKey: 'sk-new' }).kind).toBe('save-first')
    expect(plan({ apiKey: 'sk-new', proxy: 'http://other:1' })).toMatchObject({
      input: { apiKey: 'sk-new', proxy: 'http://other:1' },
    })
    expect(plan({ apiKey: 'sk-new', proxy: '' })).toMatchObject({ input: { proxy: null } })
  })
})

describe('a refusal of the core about settings', () => {
  const shown = formFields(aProvider())
  it('stands at its field, that of one of several lines too', () => {
    for (const field of SETTINGS_FIELDS)
      expect(placeError({ code: 'bad_input', message: `${field}: must be less`, field }, shown)).toEqual({
        errors: { [field]: 'Must be less.' },
        general: null,
      })
    const field = 'settings.rateLimitOverrides.modelConcurrency.glm-5'
    expect(placeError({ code: 'bad_input', message: `${field}: must be less`, field }, shown).errors).toEqual({
      'settings.rateLimitOverrides.modelConcurrency': 'Must be less.',
    })
  })
})
