import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { COMBO_CONFIG_KEYS, type ComboConfigKey, keysOf } from '../../core/contract/combo-config'
import { QUOTA_SHARE, STRATEGIES } from '../../core/contract/combo-strategies'
import type { ComboView } from '../../core/contract/combo-views'
import {
  COMBO_NAME_LIMIT,
  MOST_STEPS as CONTRACT_MOST_STEPS,
  Combo,
  comboNameFault,
  configFault,
  Step,
  WEIGHT_LIMIT,
} from '../../core/contract/combos'
import type { ModelView } from '../../core/contract/model-views'
import { AUTO_VARIANTS } from '../../core/routing/strategies/auto/names'
import { plainNames, suffixesOf } from '../../renderer/features/combos/auto-words'
import {
  type ComboDraft,
  checkCombo,
  draftOf,
  EMPTY_COMBO,
  isSound,
  isTouched,
  placeComboError,
  stepWarnings,
  toCreate,
  toPreview,
  toUpdate,
} from '../../renderer/features/combos/combo-draft'
import {
  comboLook,
  MOST_NAME_CHARACTERS,
  MOST_STEPS,
  MOST_WEIGHT,
  nameFault,
  stepsInShort,
  strategyInForce,
  usesQuotaReserve,
} from '../../renderer/features/combos/combo-words'
import {
  boundsWords,
  checkConfig,
  configChanges,
  fieldOf,
  inWords,
  textsOf,
} from '../../renderer/features/combos/config-texts'
import { findTargets } from '../../renderer/features/combos/find-targets'
import { orderNote, partsOf } from '../../renderer/features/combos/order-words'
import { readyStarts } from '../../renderer/features/combos/ready-starts'
import {
  connectionsFor,
  moved,
  newStep,
  pinnedTo,
  stepDraftOf,
  stepNotes,
  toStep,
} from '../../renderer/features/combos/step-draft'
import { aConnection, aProvider } from '../electron/samples'

const NOBODY: ReadonlySet<string> = new Set()
const ALONE = { providerIds: NOBODY, taken: NOBODY }

const aStep = (part: Partial<ComboView['steps'][number]> = {}): ComboView['steps'][number] => ({
  ...{ model: 'openai/gpt', combo: null, weight: 1, connection: null, allowedConnections: null, prompt: null },
  fallbackOnlyOnQuotaExhaustion: false,
  ...part,
})
const aCombo = (part: Partial<ComboView> = {}): ComboView => ({
  ...{ id: 'b1', name: 'fast', strategy: 'priority', config: {}, steps: [aStep()], usedBy: [], warnings: [] },
  ...{ createdAt: 0, updatedAt: 0 },
  ...part,
})
const aDraft = (part: Partial<ComboDraft> = {}): ComboDraft => ({
  ...{ ...EMPTY_COMBO, name: 'fast', steps: [newStep('model', 'openai/gpt')] },
  ...part,
})
const aModel = (part: Partial<ModelView> = {}): ModelView => {
  const model = { provider: 'openai', model: 'gpt', label: 'gpt', added: false, hidden: false, edited: false, ...part }
  const none = { contextWindow: null, maxOutput: null, inputPrice: null, outputPrice: null }
  const facts = { ...none, cacheReadPrice: null, cacheWritePrice: null, tools: null, images: null, reasoning: null }
  return { embeds: false, facts, ...model, id: `${model.provider}/${model.model}` }
}
const known = <T>(value: T) => ({ value, source: 'table' as const, at: 0 })

describe('the name of a combo', () => {
  it.each([
    ['', /Give the combo a name/],
    ['a b', /Only letters/],
    ['--', /Only letters/],
    ['Auto', /is there already/],
    ['OpenAI', /is a provider/],
    ['taken', /There is a combo/],
    ['fast', null],
    ['qtSd/team', null],
  ])('%j', (name, fault) => {
    const said = nameFault(name, new Set(['openai']), new Set(['taken']))
    if (fault === null) expect(said).toBeNull()
    else expect(said).toMatch(fault)
  })
  it('is refused where the core would refuse it, and nowhere else', () => {
    const names = fc.oneof(
      fc.string({ maxLength: 110 }),
      fc.stringMatching(/^(qtSd\/)?[A-Za-z0-9._-]{0,104}$/),
      fc.constantFrom('auto', 'AUTO', 'openai', 'qtSd/', 'combo/x', 'a/b', '.'),
    )
    const ids = new Set(['openai'])
    fc.assert(
      fc.property(names, (name) => (nameFault(name, ids, NOBODY) === null) === (comboNameFault(name, ids) === null)),
    )
  })
  it('has the limits of the contract', () =>
    expect([MOST_NAME_CHARACTERS, MOST_STEPS, MOST_WEIGHT]).toEqual([
      ...[COMBO_NAME_LIMIT, CONTRACT_MOST_STEPS, WEIGHT_LIMIT],
    ]))
  it('decides the strategy where it begins with qtSd/', () =>
    expect([
      ...[strategyInForce('qtSd/x', 'weighted'), strategyInForce('x', 'weighted'), strategyInForce('x', QUOTA_SHARE)],
    ]).toEqual([QUOTA_SHARE, 'weighted', 'priority']))
})

describe('a combo in short', () => {
  it('shows its first steps, with arrows where their order counts', () => {
    const steps = ['a', 'b', 'c', 'd', 'e'].map((model) => aStep({ model }))
    expect(stepsInShort({ strategy: 'priority', steps })).toBe('a → b → c and 2 more')
    expect(stepsInShort({ strategy: 'weighted', steps: steps.slice(0, 4) })).toBe('a, b, c, d')
    expect(stepsInShort({ strategy: 'auto', steps: [aStep({ model: null, combo: 'cheap' })] })).toBe('cheap')
  })
  it('says whether it can answer', () => {
    const steps = [aStep(), aStep()]
    const warning = (step: number | null) => ({ step, message: 'No.' })
    expect(comboLook({ steps, warnings: [] }).word).toBe('Ready')
    expect(comboLook({ steps, warnings: [warning(null), warning(1)] }).word).toBe('2 warnings')
    expect(comboLook({ steps, warnings: [warning(0), warning(0)] }).word).toBe('2 warnings')
    expect(comboLook({ steps, warnings: [warning(null), warning(0), warning(1)] }).word).toBe('Cannot answer')
  })
})

describe('the configuration as it is typed', () => {
  it('is what the core takes, whenever the form takes it', () => {
    const text = fc.oneof(
      fc.integer({ min: -5, max: 4e6 }).map(String),
      fc.double({ min: 0, max: 3, noNaN: true }).map((value) => value.toFixed(3)),
      fc.constantFrom('', 'on', 'off', 'weekly', 'weekly, session', 'codex claude', 'x', 'rules', 'openai/gpt'),
    )
    const keys = fc.constantFrom(...COMBO_CONFIG_KEYS.filter((key) => fieldOf(key).kind !== 'choice'))
    fc.assert(
      fc.property(keys, text, (key, typed) => {
        const kind = fieldOf(key).kind
        const name = kind === 'shares' ? `${key}.quota` : key
        const strategy = STRATEGIES.find((each) => keysOf(each).includes(key)) ?? 'priority'
        const texts = { [name]: kind === 'flag' && typed !== '' ? 'on' : typed }
        if (Object.keys(checkConfig(strategy, texts)).length > 0) return
        const value = configChanges(strategy, texts, {})[key]
        if (value !== undefined) expect(configFault(key, value), `${key} ${typed}`).toBeNull()
      }),
    )
  })
  it('reads back what is stored, and then nothing has changed', () => {
    const stored = {
      ...{
        maxRetries: 3,
        connectionAwareExpansion: true,
        failoverBeforeRetry: false,
        modePack: 'ship-fast',
        explorationRate: 0.2,
      },
      ...{ weights: { quota: 0.5, health: 1 }, slaMaxErrorRate: 0.01 },
    }
    expect(configChanges('auto', textsOf(stored), stored)).toEqual({})
    expect(configChanges('auto', textsOf(stored), {})).toEqual(stored)
    const windows = { resetWindows: ['monthly', 'weekly'] }
    expect(configChanges('reset-window', textsOf(windows), windows)).toEqual({})
  })
  it('takes back with null what is emptied', () =>
    expect(configChanges('auto', { maxRetries: ' ' }, { maxRetries: 3, weights: { quota: 1 } })).toEqual({
      ...{ maxRetries: null, weights: null },
    }))
  it('leaves out what is not for the strategy', () =>
    expect(configChanges('priority', { minPanel: '3', maxRetries: '2' }, {})).toEqual({ maxRetries: 2 }))
  it.each<[ComboConfigKey, string, RegExp]>([
    ['maxRetries', '11', /from 0 to 10/],
    ['maxRetries', '1.5', /whole number/],
    ['explorationRate', '2', /from 0 to 0.5/],
    ['slaMaxErrorRate', '-1', /from 0 to 1/],
    ['judgeModel', 'x'.repeat(257), /At most 256/],
    ['resetWindows', 'weekly, yearly', /"yearly" is none of/],
  ])('refuses %s of %j', (key, text, message) => {
    const strategy = STRATEGIES.find((each) => keysOf(each).includes(key)) ?? 'priority'
    expect(checkConfig(strategy, { [key]: text })[key]).toMatch(message)
  })
  it('refuses a single share at its own field', () =>
    expect(checkConfig('auto', { 'weights.quota': '2', 'weights.health': '1' })).toEqual({
      'weights.quota': 'A number from 0 to 1.',
    }))
  it('says bounds, what holds otherwise, and long times in words', () => {
    expect(boundsWords('round-robin', 'queueTimeoutMs')).toBe('0 to 600,000 ms; 120,000 if left empty.')
    expect(boundsWords(QUOTA_SHARE, 'queueTimeoutMs')).toContain('30,000 if left empty')
    expect([
      inWords('queueTimeoutMs', '120000'),
      inWords('queueTimeoutMs', '5'),
      inWords('maxRetries', '9000'),
    ]).toEqual([...['= 2 min', '', '']])
  })
})

describe('a step', () => {
  const step = fc.record({
    name: fc.constantFrom('openai/gpt', 'gpt', 'openai/*'),
    isCombo: fc.boolean(),
    weight: fc.integer({ min: 0, max: 10_000 }),
    connection: fc.constantFrom(null, 'c1', 'c2'),
    allowed: fc.constantFrom(null, ['c1'], ['c2', 'c1']),
    prompt: fc.constantFrom(null, 'Plan.'),
    afterQuota: fc.boolean(),
  })
  it('is the same again after it was only looked at', () =>
    fc.assert(
      fc.property(step, ({ name, isCombo, weight, connection, allowed, prompt, afterQuota }) => {
        const read = Step.safeParse({
          ...(isCombo ? { combo: name } : { model: name, connection, allowedConnections: allowed }),
          ...{ weight, prompt, fallbackOnlyOnQuotaExhaustion: afterQuota },
        })
        if (read.success) expect(toStep(stepDraftOf(read.data, 0))).toEqual(read.data)
      }),
    ))
  it('forgets a list of connections that leaves its one out', () => {
    const both = stepDraftOf(aStep({ connection: 'c1', allowedConnections: ['c1', 'c2'] }), 0)
    expect(toStep({ ...both, one: 'c3' })).toMatchObject({ connection: 'c3', allowedConnections: null })
    expect(toStep({ ...both, by: 'any' })).toMatchObject({ connection: null, allowedConnections: null })
  })
  it('may be carried by the connections of its provider, or by any where that cannot be told', () => {
    const providers = [
      aProvider({ aliases: ['oai'], connections: [aConnection()] }),
      aProvider({ id: 'lab', label: 'Lab', connections: [aConnection({ id: 'c2', provider: 'lab' })] }),
    ]
    const ids = (name: string) => connectionsFor(name, providers, [aModel()]).map(({ connection }) => connection.id)
    expect([ids('openai/x'), ids('oai/x'), ids('gpt'), ids('lab/x'), ids('mine')]).toEqual([
      ...[['c1'], ['c1'], ['c1'], ['c2']],
      ['c1', 'c2'],
    ])
  })
  it('says beside its name what is special, as far as the strategy looks at it', () => {
    const draft = { ...pinnedTo(newStep('model', 'openai/gpt'), 'c1'), afterQuota: true, prompt: 'Plan.' }
    const providers = [aProvider({ connections: [aConnection()] })]
    expect(stepNotes(draft, 'priority', providers)).toEqual(['only work', 'only after a quota is spent'])
    expect(stepNotes(draft, 'pipeline', [])).toEqual(['only a connection that is gone', 'with a prompt'])
    expect(STRATEGIES.filter((strategy) => !usesQuotaReserve(strategy))).toEqual(['fusion', 'pipeline'])
  })
  it('can be moved to another place, and nowhere else', () => {
    expect(moved(['a', 'b', 'c'], 0, 2)).toEqual(['b', 'c', 'a'])
    expect(moved(['a', 'b', 'c'], 2, 0)).toEqual(['c', 'a', 'b'])
    expect(moved(['a'], 0, 1)).toEqual(['a'])
    const places = fc.tuple(fc.array(fc.nat(), { minLength: 1 }), fc.nat(), fc.nat())
    fc.assert(
      fc.property(places, ([list, from, to]) => {
        const after = moved(list, from % list.length, to % list.length)
        expect([...after].sort()).toEqual([...list].sort())
        expect(after[to % list.length]).toBe(list[from % list.length])
      }),
    )
  })
})

describe('a combo as it is edited', () => {
  it('is what the core takes when nothing is wrong with it', () => {
    const draft = aDraft({
      strategy: 'auto',
      config: { maxRetries: '2', 'weights.quota': '0.5', connectionAwareExpansion: 'on', minPanel: '3' },
      steps: [{ ...newStep('model', ' openai/gpt '), weight: '2,5' }, newStep('combo', 'cheap')],
    })
    expect(isSound(checkCombo(draft, ALONE))).toBe(true)
    expect(Combo.parse(toCreate(draft))).toMatchObject({
      config: { maxRetries: 2, weights: { quota: 0.5 }, connectionAwareExpansion: true },
      steps: [
        { model: 'openai/gpt', weight: 2.5 },
        { combo: 'cheap', model: null },
      ],
    })
  })
  it.each<[string, Partial<ComboDraft>, object]>([
    ['no steps', { steps: [] }, { steps: 'Add one model at least.' }],
    [
      'a pipeline with a pattern',
      { strategy: 'pipeline', steps: [{ ...newStep('model', 'a/*'), key: 'k' }] },
      {
        ofSteps: { k: { name: expect.stringContaining('one model') } },
      },
    ],
    [
      'three steps of planner and executor',
      { strategy: 'pipeline', config: { agentic: 'on' } },
      {
        steps: 'Planner and executor need exactly two steps.',
      },
    ],
    [
      'a weight that is none, and connections that are none',
      {
        steps: [{ ...newStep('model', ''), key: 'k', weight: '-1', by: 'some' }],
      },
      { ofSteps: { k: { name: expect.anything(), weight: expect.anything(), connections: expect.anything() } } },
    ],
    ['a value out of bounds', { config: { maxRetries: '99' } }, { config: { maxRetries: expect.anything() } }],
  ])('says what is wrong: %s', (_, part, errors) => {
    const found = checkCombo(aDraft(part), ALONE)
    expect(found).toMatchObject(errors)
    expect(isSound(found)).toBe(false)
  })
  it('sends only what differs', () => {
    const base = aCombo({ config: { maxRetries: 3 }, steps: [aStep(), aStep({ model: 'lab/llama' })] })
    const draft = draftOf(base)
    expect([toUpdate(draft, base), isTouched(draft, base)]).toEqual([null, false])
    expect(toUpdate({ ...draft, name: ' quick ' }, base)).toEqual({ id: 'b1', name: 'quick' })
    expect(toUpdate({ ...draft, config: {} }, base)).toEqual({ id: 'b1', config: { maxRetries: null } })
    expect(toUpdate({ ...draft, steps: draft.steps.slice(1) }, base)).toMatchObject({ steps: [{ model: 'lab/llama' }] })
  })
  it('leaves to the core what another strategy does not have', () => {
    const base = aCombo({ strategy: 'fusion', config: { minPanel: 3, maxRetries: 2 } })
    expect(toUpdate({ ...draftOf(base), strategy: 'weighted' }, base)).toEqual({ id: 'b1', strategy: 'weighted' })
  })
  it('never names the strategy that only a name gives', () => {
    const base = aCombo({ name: 'qtSd/team', strategy: QUOTA_SHARE })
    expect(toUpdate(draftOf(base), base)).toBeNull()
    expect(toUpdate({ ...draftOf(base), name: 'team' }, base)).toEqual({ id: 'b1', name: 'team', strategy: 'priority' })
    expect(toCreate(aDraft({ name: 'qtSd/x', strategy: QUOTA_SHARE }))).not.toHaveProperty('strategy')
  })
  it('is touched by what is not understood too', () => {
    const base = aCombo()
    expect(isTouched({ ...draftOf(base), config: { maxRetries: 'x' } }, base)).toBe(true)
    expect(isTouched({ ...draftOf(base), config: { maxRetries: '' } }, base)).toBe(false)
    expect([isTouched(EMPTY_COMBO, null), isTouched(aDraft(), null)]).toEqual([false, true])
  })
  it('shows a refusal of the core at the field or the step it is about', () => {
    const draft = aDraft({ steps: [newStep('model', 'a'), { ...newStep('model', 'b'), key: 'k' }] })
    const placed = (field: string | null) =>
      placeComboError({ code: 'bad_input', message: `${field}: is wrong`, field }, draft)
    expect(placed('steps[1].weight')).toMatchObject({ ofSteps: { k: { weight: 'Is wrong.' } } })
    expect(placed('steps[1].allowedConnections[0]')).toMatchObject({ ofSteps: { k: { connections: 'Is wrong.' } } })
    expect(placed('steps[1].combo')).toMatchObject({ ofSteps: { k: { name: 'Is wrong.' } } })
    expect(placed('config.retryDelayMs')).toMatchObject({ config: { retryDelayMs: 'Is wrong.' } })
    expect([placed('name').name, placed('steps').steps, placed('steps[7].model').general]).toEqual([
      ...['Is wrong.', 'Is wrong.', 'Is wrong.'],
    ])
  })
  it('warns at a step as long as the step is as it was saved, wherever it is moved', () => {
    const base = aCombo({ steps: [aStep(), aStep({ model: 'b' })], warnings: [{ step: 1, message: 'No.' }] })
    const draft = draftOf(base)
    expect(stepWarnings({ ...draft, steps: moved(draft.steps, 1, 0) }, base)).toEqual({ s1: 'No.' })
    const edited = draft.steps.map((step) => ({ ...step, name: 'c' }))
    expect(stepWarnings({ ...draft, steps: edited }, base)).toEqual({})
  })
})

describe('the search for a step', () => {
  const models = [aModel(), aModel({ model: 'embed', embeds: true }), aModel({ model: 'old', hidden: true })]
  const source = { models, combos: [aCombo({ name: 'cheap' })] }
  const names = (typed: string) => findTargets(source, typed).map(({ kind, name }) => `${kind} ${name}`)

  it('finds combos and models that can answer, and offers what was typed as it stands', () => {
    expect(names('')).toEqual(['combo cheap', 'model openai/gpt'])
    expect(names('openai/gpt')).toEqual(['model openai/gpt'])
    expect(names('combo ch')).toEqual(['combo cheap', 'model combo ch'])
    expect(names('openai/*')).toEqual(['model openai/*'])
  })
})

describe('the combos to begin with', () => {
  const openai = aProvider({ connections: [aConnection(), aConnection({ id: 'c2', name: 'home' })] })
  const lab = aProvider({ id: 'lab', label: 'Lab', connections: [aConnection({ id: 'c3', provider: 'lab' })] })
  const small = aModel({ model: 'small' })
  const large = aModel({ model: 'large', facts: { ...aModel().facts, contextWindow: known(1000) } })
  const able = aModel({ model: 'able', facts: { ...aModel().facts, tools: known(true) } })
  const llama = aModel({ provider: 'lab', model: 'llama' })
  const steps = ({ draft }: { draft: ComboDraft }) => draft.steps.map(({ name, one }) => [name, one])

  it('are made of the best models of the user’s own providers', () => {
    const { failOver, share, practice } = readyStarts([openai, lab], [small, large, able, llama], new Set(['shared']))
    expect(steps(failOver)).toEqual([
      ['openai/able', ''],
      ['lab/llama', ''],
    ])
    expect(steps(share)).toEqual([
      ['openai/able', 'c1'],
      ['openai/able', 'c2'],
    ])
    expect([failOver.draft.name, share.draft.name, practice]).toEqual(['failover', 'shared-2', false])
  })
  it('begin with a provider that answers', () => {
    const { failOver } = readyStarts([{ ...openai, state: 'needs-you' }, lab], [small, llama])
    expect(steps(failOver)[0]).toEqual(['lab/llama', ''])
  })
  it('are of practice models where the user has too little', () => {
    const off = { ...lab, connections: [aConnection({ id: 'c3', enabled: false })] }
    const { failOver, share, practice } = readyStarts([off], [llama])
    expect([steps(failOver)[0]?.[0], steps(share)[0]?.[0], practice]).toEqual([
      'practice/outage',
      'practice/echo',
      true,
    ])
  })
  it('can be saved as they are', () => {
    for (const providers of [[], [openai, lab], [openai], [lab]]) {
      const { failOver, share } = readyStarts(providers, [small, llama])
      for (const { draft } of [failOver, share]) {
        expect(isSound(checkCombo(draft, ALONE))).toBe(true)
        expect(Combo.safeParse(toCreate(draft)).success).toBe(true)
      }
    }
  })
})

describe('what a score is made of', () => {
  it('shows shares as bars, and weights as they are', () => {
    expect(partsOf({ health: 1, quota: 0.625 })).toEqual([
      { key: 'health', label: 'Health', text: '100 %', share: 1 },
      { key: 'quota', label: 'Quota left', text: '63 %', share: 0.625 },
    ])
    expect(partsOf({ weight: 1 })[0]).toMatchObject({ text: '1', share: null })
    expect(partsOf({ oddity: 12.3456 })[0]).toEqual({
      ...{ key: 'oddity', label: 'oddity', text: '12.346', share: null },
    })
  })
})

describe('the preview of a combo', () => {
  it('needs no name, but steps and values that can be', () => {
    const steps = [newStep('model', 'practice/echo')]
    expect(toPreview(aDraft({ name: '', steps }), ALONE)).toMatchObject({ name: 'preview' })
    expect(toPreview(aDraft({ name: 'mine', steps }), ALONE)).toMatchObject({ name: 'mine' })
    expect(toPreview(aDraft({ name: 'mine', steps: [] }), ALONE)).toBeNull()
    expect(toPreview(aDraft({ name: 'mine', steps, config: { maxRetries: 'many' } }), ALONE)).toBeNull()
  })
})

describe('the names of auto', () => {
  it('are listed without what can stand behind them, and that once', () => {
    const variants = AUTO_VARIANTS.map(({ name, help }) => ({ name, help, strategy: 'auto' as const, config: {} }))
    expect(plainNames(variants)).toHaveLength(12)
    expect(suffixesOf(variants)).toEqual([':fast', ':cheap', ':floor', ':reliable', ':free', ':pro'])
  })
})

describe('what is said of the order', () => {
  it('says when a second one is asked, and that summaries want a model', () => {
    expect(orderNote({ strategy: 'priority', config: {} })).toBe('The first that can answer does.')
    expect(orderNote({ strategy: 'round-robin', config: { hedging: true, hedgeDelayMs: 1500 } })).toBe(
      'Whose turn it is now. Where it has not begun after 1,500 ms, the next is asked too.',
    )
    expect(orderNote({ strategy: 'context-relay', config: {} })).toMatch(/No model is named for summaries/)
    expect(orderNote({ strategy: 'context-relay', config: { handoffModel: 'a/b' } })).not.toMatch(/No model/)
  })
})
