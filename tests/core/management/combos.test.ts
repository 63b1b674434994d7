import { describe, expect, it } from 'vitest'
import { COMBO_CONFIG_KEYS } from '../../../core/contract/combo-config'
import { STRATEGIES } from '../../../core/contract/combo-strategies'
import { ComboView } from '../../../core/contract/combo-views'
import { GatewayError } from '../../../core/errors'
import { AUTO_VARIANTS } from '../../../core/routing/strategies/auto/names'
import { openCombos } from './open-combos'

interface Refusal {
  readonly code: string
  readonly status: number
  /** Path and words of each fault. */
  readonly faults: readonly string[]
}

async function refusal(work: Promise<unknown>): Promise<Refusal> {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof GatewayError)) throw error ?? new Error('it was taken')
  const issues = 'issues' in error ? (error.issues as { field: string; message: string }[]) : []
  const faults = issues.length > 0 ? issues.map(({ field, message }) => `${field}: ${message}`) : [error.message]
  return { code: error.code, status: error.httpStatus, faults }
}

describe('a combo that is made', () => {
  it('is kept as it was given, with defaults, and told', async () => {
    const { ask, views, told, clock } = openCombos()
    const made = await ask('combos:create', {
      name: 'coding',
      strategy: 'weighted',
      config: { stickyWeightedLimit: 5, maxRetries: null },
      steps: [{ model: 'openai/gpt-5', weight: 3 }, { model: 'glm-5' }],
    })
    const plain = { combo: null, connection: null, allowedConnections: null, prompt: null }
    expect(made).toEqual({
      ...{ id: made.id, name: 'coding', strategy: 'weighted', config: { stickyWeightedLimit: 5 } },
      steps: [
        { ...plain, model: 'openai/gpt-5', weight: 3, fallbackOnlyOnQuotaExhaustion: false },
        { ...plain, model: 'glm-5', weight: 1, fallbackOnlyOnQuotaExhaustion: false },
      ],
      ...{ usedBy: [], warnings: [], createdAt: clock.now(), updatedAt: clock.now() },
    })
    expect(ComboView.parse(made)).toEqual(made)
    expect(views()).toEqual([made])
    expect(await ask('combos:get', { id: made.id })).toEqual(made)
    expect(await ask('combos:get', { id: 'coding' })).toEqual(made)
    expect(told).toHaveBeenCalled()
  })

  it.each<[string, string]>([
    ['usage', 'least-used'],
    ['context', 'context-optimized'],
    ['weekly-reset', 'reset-window'],
    ['reset-window-order', 'reset-window'],
  ])('by another name of a strategy, %s, has the strategy %s', async (given, kept) => {
    const { ask } = openCombos()
    const made = await ask('combos:create', { name: 'a', strategy: given, steps: [{ model: 'gpt-5' }] })
    expect(made).toMatchObject({ strategy: kept, warnings: [] })
  })

  it('by a strategy nobody knows goes by priority, and says so', async () => {
    const { ask } = openCombos()
    const made = await ask('combos:create', { name: 'a', strategy: 'best', steps: [{ model: 'gpt-5' }] })
    expect(made).toMatchObject({
      strategy: 'priority',
      warnings: [{ step: null, message: '"best" is not a strategy; "priority" is used.' }],
    })
    expect((await ask('combos:get', { id: 'a' })).warnings).toEqual([])
  })

  it('under qtSd/ shares quotas, whatever was chosen', async () => {
    const { ask } = openCombos()
    const made = await ask('combos:create', { name: 'qtSd/team', strategy: 'random', steps: [{ model: 'gpt-5' }] })
    expect(made.strategy).toBe('quota-share')
    expect((await ask('combos:get', { id: 'qtSd/team' })).id).toBe(made.id)
  })

  it.each<[string, object, readonly string[]]>([
    ['a name with a space', { name: 'a b' }, ['name: must consist of letters, digits, "-", "_" and "."']],
    ['a name with a slash', { name: 'x/y' }, ['name: must consist of letters, digits, "-", "_" and "."']],
    ['a name that is too long', { name: 'x'.repeat(101) }, ['name: must have at most 100 characters']],
    [
      'the name auto',
      { name: 'Auto' },
      ['name: "auto" is there already: it chooses among all models; choose another name'],
    ],
    ['the name of a provider', { name: 'openai' }, ['name: "openai" is a provider; choose another name.']],
    ['another name of a provider', { name: 'Zhipu' }, ['name: "Zhipu" is a provider; choose another name.']],
    ['the name of another', { name: 'taken' }, ['name: there is a combo "taken" already. Edit it instead.']],
    ['no step', { steps: [] }, ['steps: must have at least one step']],
    [
      'too many steps',
      { steps: Array.from({ length: 401 }, () => ({ model: 'gpt-5' })) },
      ['steps: must have at most 400 entries'],
    ],
    ['a step that says nothing', { steps: [{}] }, ['steps[0].model: a step needs either a model or a combo']],
    ['a step that is no object', { steps: ['gpt-5'] }, ['steps[0]: must be an object']],
    ['a step of two kinds', { steps: [{ model: 'a/b', combo: 'taken' }] }, ['steps[0].model: a step needs either']],
    [
      'several faults at once',
      { steps: [{ model: 'gpt-5' }, { model: 'gpt-5', wieght: 1 }, { model: 'gpt-5', weight: -1 }] },
      ['steps[1].wieght: is not a known field', 'steps[2].weight: must not be less than 0'],
    ],
    ['a weight that is no number', { steps: [{ model: 'a/b', weight: '3' }] }, ['steps[0].weight: must be a number']],
    [
      'a combo there is not',
      { steps: [{ model: 'gpt-5' }, { combo: 'gone' }] },
      ['steps[1].combo: there is no combo "gone". Make it first, or name a model.'],
    ],
    [
      'a combo there is not, written as a model',
      { steps: [{ model: 'combo/gone' }] },
      ['steps[0].combo: there is no combo "gone". Make it first, or name a model.'],
    ],
    ['a model with a line break', { steps: [{ model: 'a\nb' }] }, ['steps[0].model: must not contain control']],
    [
      'itself as a step',
      { name: 'self', steps: [{ combo: 'self' }] },
      ['steps: the combos self → self lead in a circle'],
    ],
    [
      'a connection of a combo',
      { steps: [{ model: 'combo/taken', connection: 'work' }] },
      ['steps[0].connection: a combo has connections of its own.'],
    ],
    [
      'a connection that several providers have',
      { steps: [{ model: '*', connection: 'work' }] },
      ['steps[0].connection: openai, glm each have a connection "work". Give its id'],
    ],
    [
      'too small a panel',
      { strategy: 'fusion', config: { minPanel: 1 } },
      ['config.minPanel: must be a whole number from 2 to 40'],
    ],
    [
      'a value of another strategy',
      { strategy: 'random', config: { minPanel: 2 } },
      ['config.minPanel: is not for the strategy random'],
    ],
    ['a value nobody knows', { config: { speed: 9 } }, ['config.speed: is not a known field']],
  ])('with %s is refused by path', async (_what, given, faults) => {
    const { ask, make, views } = openCombos()
    await make('taken', 'gpt-5')
    const whole = { name: 'a', steps: [{ model: 'openai/gpt-5' }], ...given }
    const refused = await refusal(ask('combos:create', whole))
    expect(refused).toMatchObject({ code: 'bad_input', status: 400 })
    expect(refused.faults).toEqual(faults.map((words) => expect.stringContaining(words)))
    expect(views()).toHaveLength(1)
  })

  it('may name connections by name or id, and keeps their ids', async () => {
    const { ask } = openCombos()
    const { steps } = await ask('combos:create', {
      name: 'a',
      steps: [
        { model: 'glm/glm-5', connection: 'work' },
        { model: 'zhipu/glm-5', connection: 'con_glm_spare' },
        { model: 'gpt-5', connection: 'work' },
        { model: '*', connection: 'home' },
        { model: 'openai/*', allowedConnections: ['home', 'con_openai_work', 'gone'] },
      ],
    })
    expect(steps.map(({ connection }) => connection)).toEqual([
      ...['con_glm_work', 'con_glm_spare', 'con_openai_work', 'con_openai_home'],
      null,
    ])
    expect(steps[4]?.allowedConnections).toEqual(['con_openai_home', 'con_openai_work', 'gone'])
  })
})

describe('a combo that is changed', () => {
  const begin = async () => {
    const world = openCombos()
    const made = await world.ask('combos:create', {
      name: 'a',
      strategy: 'weighted',
      config: { stickyWeightedLimit: 5, maxRetries: 2 },
      steps: [{ model: 'gpt-5', weight: 3 }],
    })
    return { ...world, made }
  }

  it('keeps what is not given, key by key in its configuration', async () => {
    const { ask, clock, made } = await begin()
    clock.advance(1_000)
    const changed = await ask('combos:update', {
      id: 'a',
      config: { connectionAwareExpansion: true, maxRetries: null },
    })
    expect(changed).toEqual({
      ...made,
      config: { stickyWeightedLimit: 5, connectionAwareExpansion: true },
      updatedAt: clock.now(),
    })
    const renamed = await ask('combos:update', { id: made.id, name: 'b', steps: [{ model: 'glm-5' }] })
    expect(renamed).toMatchObject({ id: made.id, name: 'b', strategy: 'weighted', config: changed.config })
    expect(renamed.steps).toMatchObject([{ model: 'glm-5', weight: 1 }])
  })

  it('loses what is not for its new strategy, and may not be given it', async () => {
    const { ask } = await begin()
    const changed = await ask('combos:update', { id: 'a', strategy: 'random' })
    expect(changed).toMatchObject({ strategy: 'random', config: { maxRetries: 2 } })
    const refused = await refusal(ask('combos:update', { id: 'a', config: { stickyWeightedLimit: 5 } }))
    expect(refused.faults).toEqual(['config.stickyWeightedLimit: is not for the strategy random'])
  })

  it('as a whole falls back to defaults where nothing is given', async () => {
    const { ask } = await begin()
    const steps = [{ model: 'glm-5' }]
    const replaced = await ask('combos:update', { id: 'a', replace: true, steps })
    expect(replaced).toMatchObject({ name: 'a', strategy: 'priority', config: {} })
    expect((await refusal(ask('combos:update', { id: 'a', replace: true }))).faults).toEqual(['steps: is missing'])
  })

  it('is followed to its new name by the steps, judges and names that lead to it', async () => {
    const { ask, make } = await begin()
    await make('by-name', 'a', 'gpt-5')
    await make('by-prefix', 'combo/a')
    await ask('combos:create', {
      name: 'judged',
      strategy: 'fusion',
      config: { judgeModel: 'a' },
      steps: [{ model: 'gpt-5' }],
    })
    await ask('combos:create', {
      name: 'relay',
      strategy: 'context-relay',
      config: { handoffModel: 'combo/a' },
      steps: [{ model: 'gpt-5' }],
    })
    await ask('aliases:add', { pattern: 'claude-*', target: 'a' })
    await ask('aliases:add', { pattern: 'mine', target: 'combo/a' })
    expect((await ask('combos:get', { id: 'a' })).usedBy).toEqual(['by-name', 'by-prefix', 'judged', 'relay'])
    const renamed = await ask('combos:update', { id: 'a', name: 'z' })
    expect(renamed.usedBy).toEqual(['by-name', 'by-prefix', 'judged', 'relay'])
    expect((await ask('combos:get', { id: 'by-name' })).steps).toMatchObject([{ model: 'z' }, { model: 'gpt-5' }])
    expect((await ask('combos:get', { id: 'by-prefix' })).steps).toMatchObject([{ combo: 'z', model: null }])
    expect((await ask('combos:get', { id: 'judged' })).config).toEqual({ judgeModel: 'z' })
    expect((await ask('combos:get', { id: 'relay' })).config).toEqual({ handoffModel: 'z' })
    expect((await ask('aliases:list', undefined)).map(({ target, resolvesTo }) => [target, resolvesTo])).toEqual([
      ['z', 'z'],
      ['combo/z', 'z'],
    ])
  })

  it('to a name that is taken, or of a provider, is refused', async () => {
    const { ask, make } = await begin()
    await make('b', 'gpt-5')
    expect((await refusal(ask('combos:update', { id: 'a', name: 'b' }))).faults[0]).toContain('name: there is a combo')
    expect((await refusal(ask('combos:update', { id: 'a', name: 'glm' }))).faults[0]).toContain('is a provider')
  })

  it('that is gone is refused', async () => {
    const { ask } = openCombos()
    expect(await refusal(ask('combos:update', { id: 'x', name: 'y' }))).toEqual({
      ...{ code: 'not_found', status: 404 },
      faults: ['There is no combo "x". It may have been removed meanwhile.'],
    })
  })
})

describe('combos in combos', () => {
  it.each<[string, readonly (readonly [string, ...string[]])[], readonly [string, ...string[]], string]>([
    [
      'close a circle',
      [
        ['a', 'gpt-5'],
        ['b', 'combo/a'],
      ],
      ['a', 'combo/b'],
      'steps: the combos a → b → a lead in a circle',
    ],
    [
      'close one from afar',
      [
        ['a', 'gpt-5'],
        ['b', 'a'],
        ['c', 'b'],
      ],
      ['a', 'c'],
      'lead in a circle',
    ],
    [
      'make others too deep',
      [
        ['e', 'gpt-5'],
        ['d', 'e'],
        ['c', 'd'],
        ['b', 'c'],
        ['f', 'gpt-5'],
      ],
      ['e', 'f'],
      'steps: the combos b → c → d → e → f lead more than 3 deep',
    ],
  ])('must not %s by an edit elsewhere', async (_what, made, [id, ...models], words) => {
    const { ask, make, views } = openCombos()
    for (const [name, ...steps] of made) await make(name, ...steps)
    const before = views()
    const steps = models.map((model) => ({ model }))
    expect((await refusal(ask('combos:update', { id, steps }))).faults[0]).toContain(words)
    expect(views()).toEqual(before)
  })

  it('must not become circles by a new name', async () => {
    const { ask, make } = openCombos()
    await make('a', 'later')
    await make('b', 'a')
    expect((await refusal(ask('combos:update', { id: 'b', name: 'later' }))).faults[0]).toContain('lead in a circle')
    expect((await refusal(make('later', 'a'))).faults[0]).toContain('lead in a circle')
  })
})

describe('the list of combos', () => {
  it('stands in the order a person gives it', async () => {
    const { ask, make } = openCombos()
    for (const name of ['a', 'b', 'c']) await make(name, 'gpt-5')
    const { id } = await ask('combos:get', { id: 'c' })
    expect((await ask('combos:reorder', { ids: [id, 'a', 'b'] })).map(({ name }) => name)).toEqual(['c', 'a', 'b'])
    expect((await refusal(ask('combos:reorder', { ids: ['a', 'b'] }))).faults).toEqual([
      'ids: leaves out "c". Name all of them.',
    ])
    expect((await refusal(ask('combos:reorder', { ids: ['a', 'a', 'b'] }))).faults).toEqual([
      'ids: names a combo twice.',
    ])
    expect(await refusal(ask('combos:reorder', { ids: ['a', 'b', 'x'] }))).toMatchObject({ status: 404 })
    expect((await ask('combos:list', undefined)).map(({ name }) => name)).toEqual(['c', 'a', 'b'])
  })

  it('has a copy right behind its original', async () => {
    const { ask, make } = openCombos()
    const { id } = await make('a', 'gpt-5', 'glm-5')
    await make('b', 'gpt-5')
    const copy = await ask('combos:duplicate', { id })
    expect(copy).toMatchObject({ name: 'a-copy', steps: (await ask('combos:get', { id })).steps })
    expect(copy.id).not.toBe(id)
    await ask('combos:duplicate', { id: 'a' })
    await ask('combos:duplicate', { id: 'a', name: 'mine' })
    const names = (await ask('combos:list', undefined)).map(({ name }) => name)
    expect(names).toEqual(['a', 'mine', 'a-copy-2', 'a-copy', 'b'])
    expect((await refusal(ask('combos:duplicate', { id: 'a', name: 'b' }))).faults[0]).toContain('there is a combo "b"')
  })

  it('loses what is removed, unless another combo has it', async () => {
    const { ask, make, views } = openCombos()
    const inner = await make('inner', 'gpt-5')
    await make('one', 'combo/inner')
    await make('two', 'inner')
    expect(await refusal(ask('combos:remove', { id: 'inner' }))).toEqual({
      ...{ code: 'combo_in_use', status: 409 },
      faults: ['"inner" is a step of "one", "two". Take it out there first.'],
    })
    await ask('combos:remove', { id: 'one' })
    await ask('combos:remove', { id: 'two' })
    expect(await ask('combos:remove', { id: inner.id })).toBeNull()
    expect(views()).toEqual([])
    expect(await refusal(ask('combos:remove', { id: inner.id }))).toMatchObject({ status: 404 })
  })

  it('gets back what was removed, as it was and where it was, while that still fits', async () => {
    const { ask, make, views } = openCombos()
    const a = await make('a', 'gpt-5')
    const b = await make('b', 'combo/a')
    await make('c', 'glm-5')
    const before = views()
    await ask('combos:remove', { id: 'b' })
    expect(await refusal(ask('combos:restore', { id: a.id }))).toMatchObject({ status: 404 })
    expect(await ask('combos:restore', { id: b.id })).toEqual(b)
    expect(views()).toEqual(before)

    await ask('combos:remove', { id: 'b' })
    await ask('combos:remove', { id: 'a' })
    expect((await refusal(ask('combos:restore', { id: b.id }))).faults).toEqual([
      'steps[0].combo: there is no combo "a". Make it first, or name a model.',
    ])
    await make('a', 'gpt-5')
    expect((await refusal(ask('combos:restore', { id: a.id }))).faults[0]).toContain('there is a combo "a" already')
    expect(await ask('combos:restore', { id: b.id })).toEqual(b)
  })
})

describe('what stands in the way of a step', () => {
  const warningsOf = async (
    steps: readonly object[],
    world = openCombos(),
  ): Promise<(readonly [number | null, string])[]> => {
    const made = await world.ask('combos:create', { name: 'a', steps })
    return made.warnings.map(({ step, message }) => [step, message] as const)
  }

  it.each<[object, string]>([
    [{ model: 'openai/gpt-9' }, 'OpenAI does not list "gpt-9".'],
    [{ model: 'gpt-9' }, 'No model is named "gpt-9".'],
    [{ model: 'shared' }, 'More than one provider has a model "shared".'],
    [{ model: 'nobody/x' }, 'No provider is named "nobody".'],
    [{ model: 'anthropic/claude' }, 'Anthropic has no connection.'],
    [{ model: 'claude-*' }, 'No listed model is called like "claude-*".'],
    [{ model: 'gpt-5', connection: 'con_gone' }, 'Its connection "con_gone" is gone.'],
    [{ model: 'gpt-5', connection: 'con_glm_spare' }, 'Its connection "spare" is one of GLM, not of OpenAI.'],
    [{ model: 'gpt-5', allowedConnections: ['con_gone', 'con_glm_work'] }, 'Its connection "con_gone" is gone.'],
    [{ model: 'openai/*', connection: 'con_gone' }, 'Its connection "con_gone" is gone.'],
  ])('is told: %j', async (step, words) => {
    expect(await warningsOf([step, { model: 'gpt-5' }])).toEqual([[0, expect.stringContaining(words)]])
  })

  it.each<[object]>([
    [{ model: 'openai/gpt-5', connection: 'work' }],
    [{ model: 'GPT-5' }],
    [{ model: 'openai/*' }],
    [{ model: 'gpt-*', allowedConnections: ['con_gone', 'con_openai_home'] }],
    [{ model: 'auto/fast' }],
    [{ combo: 'auto' }],
  ])('is nothing: %j', async (step) => {
    expect(await warningsOf([step])).toEqual([])
  })

  it('is not a list that nobody has fetched', async () => {
    expect(await warningsOf([{ model: 'openai/new' }], openCombos({ listed: {} }))).toEqual([])
  })

  it('is that all its connections, or its own, are switched off', async () => {
    const world = openCombos({ connections: { openai: ['off'], glm: ['work', 'off'] } })
    const steps = [{ model: 'openai/gpt-5' }, { model: 'glm/glm-5', connection: 'off' }, { model: 'glm/glm-5' }]
    expect(await warningsOf(steps, world)).toEqual([
      [0, 'OpenAI has no connection that can be used.'],
      [1, 'Its connection "off" cannot be used: switched off.'],
    ])
  })

  it('goes and comes with connections', async () => {
    const world = openCombos()
    await world.make('a', 'anthropic/claude', 'gpt-5')
    expect(world.views()[0]?.warnings).toHaveLength(1)
    world.connect({ openai: ['work'], anthropic: ['work'] })
    expect(world.views()[0]?.warnings).toEqual([])
    world.connect({})
    expect(world.views()[0]?.warnings.map(({ step }) => step)).toEqual([null, 0, 1])
  })

  it('is told where nobody can write its summaries', async () => {
    const { ask } = openCombos()
    const relay = async (name: string, handoffModel: string) =>
      ask('combos:create', { name, strategy: 'context-relay', config: { handoffModel }, steps: [{ model: 'gpt-5' }] })
    const { warnings } = await relay('a', 'nobody/x')
    expect(warnings.map(({ message }) => message).join()).toContain('No summaries are made for who takes over: ')
    const good = [...(await relay('b', 'gpt-5')).warnings, ...(await relay('c', 'b')).warnings]
    expect(good.map(({ message }) => message).join()).not.toContain('No summaries')
  })

  it('is told where a step’s prompt is given to nobody', async () => {
    const { ask } = openCombos()
    const made = async (name: string, strategy: string): Promise<string[]> => {
      const steps = [{ model: 'gpt-5', prompt: 'Plan it.' }, { model: 'gpt-5' }]
      return (await ask('combos:create', { name, strategy, steps })).warnings.map(({ message }) => message)
    }
    expect(await made('a', 'priority')).toEqual([expect.stringContaining('The prompts of its steps are left out')])
    expect(await made('b', 'pipeline')).toEqual([])
  })

  it('is told of the whole too: no step left, a judge that is nobody, a name that is hidden', async () => {
    const { ask } = openCombos()
    await ask('aliases:add', { pattern: 'a', target: 'openai/gpt-5' })
    const made = await ask('combos:create', {
      ...{ name: 'a', strategy: 'fusion', config: { judgeModel: 'nobody/x' } },
      steps: [{ model: 'nobody/y' }],
    })
    expect(made.warnings.filter(({ step }) => step === null).map(({ message }) => message)).toEqual([
      'One of your names for models is "a" too; it is not reached any more.',
      'Its judge "nobody/x" leads to nothing: the first of the list judges instead.',
      'None of its steps can be used now.',
    ])
    expect((await ask('aliases:list', undefined))[0]?.broken).toBe('A combo is called "a" too, and comes first.')
  })
})

it('the names of auto are listed with what they stand for', async () => {
  const { ask } = openCombos()
  const variants = await ask('combos:auto', undefined)
  expect(variants.map(({ name }) => name)).toEqual(AUTO_VARIANTS.map(({ name }) => name))
  expect(variants[1]).toEqual({
    name: 'auto/fast',
    help: 'Quick answers first.',
    strategy: 'auto',
    config: { modePack: 'ship-fast' },
  })
})

it('every strategy can be chosen, and takes what the table has for it', async () => {
  const { ask } = openCombos()
  for (const strategy of STRATEGIES) {
    const config = Object.fromEntries(COMBO_CONFIG_KEYS.map((key) => [key, null]))
    const made = await ask('combos:create', { name: `by-${strategy}`, strategy, config, steps: [{ model: 'gpt-5' }] })
    expect(made).toMatchObject({ strategy, config: {} })
  }
})
