import { describe, expect, it, onTestFinished } from 'vitest'
import { AliasView, ModelListState, ModelsPage, ModelView } from '../../../core/contract/model-views'
import { OPERATIONS, type OperationInput } from '../../../core/contract/operations'
import { ClientKeys } from '../../../core/management/client-keys'
import { aliasOperations } from '../../../core/management/model-aliases'
import { modelOperations } from '../../../core/management/models'
import { openModels } from '../../../core/models/open-models'
import { modelsCall } from '../../../core/providers/models-call'
import { providerRow } from '../../../core/providers/provider-row'
import { NO_COMBOS } from '../../../core/routing/combo-book'
import { openClientKeysTable } from '../../../core/store/client-keys-table'
import { openListedModelsTable } from '../../../core/store/listed-models-table'
import { openModelAliasesTable } from '../../../core/store/model-aliases-table'
import { openModelsTable } from '../../../core/store/models-table'
import { ManualClock } from '../../support/manual-clock'
import { memoryDatabase } from '../../support/memory-databases'
import { json, listOf, startListServer } from '../models/fake-lists'
import { registryOf } from '../models/worlds'
import { quietLogger } from './open-config'

async function begin(answer = listOf('gpt-5', 'gpt-5-mini', 'shared')) {
  const server = await startListServer(answer)
  const rows = ['openai', 'other', 'unused'].map((id) =>
    providerRow({ id, label: id.toUpperCase(), endpoints: { 'openai-chat': `${server.origin}/${id}` } }),
  )
  const registry = registryOf(['openai', 'other'], rows)
  const [config, state, clock, log] = [
    memoryDatabase('config'),
    memoryDatabase('state'),
    new ManualClock(),
    quietLogger(),
  ]
  const pushed = { count: 0 }
  const models = openModels({
    ...{ clock, log, registry: () => registry, callOf: modelsCall, transport: () => server.transport },
    ...{ random: () => 0, redact: (text) => text, everyHours: () => 6, changed: () => void pushed.count++ },
    lists: openListedModelsTable(state),
    userModels: openModelsTable(config),
    aliases: openModelAliasesTable(config),
  })
  const keys = new ClientKeys(openClientKeysTable(config), clock, log)
  onTestFinished(() => {
    models.close()
    keys.close()
  })
  const combos = { snapshot: () => NO_COMBOS } as Parameters<typeof aliasOperations>[0]['combos']
  const book = { registry: () => registry } as unknown as Parameters<typeof modelOperations>[0]['book']
  const operations = {
    ...modelOperations({ book, models, clock }),
    ...aliasOperations({ models, combos, keys, clock }),
  }
  const list = (input: object = {}) => operations['models:list'](OPERATIONS['models:list'].input.parse(input))
  return { server, operations, list, keys, pushed, clock }
}

const refusal = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work
  } catch (error) {
    return (error as Error).message
  }
  return ''
}

describe('models:list', () => {
  it('shows what was fetched, where and when', async () => {
    const { operations, list, clock, server } = await begin()
    expect(await operations['models:refresh']({})).toEqual([
      { provider: 'openai', address: `${server.origin}/openai/models`, fetchedAt: clock.now(), count: 3, why: '' },
      { provider: 'other', address: `${server.origin}/other/models`, fetchedAt: clock.now(), count: 3, why: '' },
    ])
    const page = ModelsPage.parse(await list())
    expect(page.total).toBe(6)
    expect(page.models[0]).toMatchObject({ id: 'openai/gpt-5', label: 'gpt-5', added: false, edited: false })
    expect(page.models[0]?.facts).toMatchObject({
      contextWindow: { value: 400_000, source: 'table' },
      inputPrice: null,
    })
    expect(page.tableDate).toBe('2026-09-23')
  })

  it.each<[object, number, number]>([
    [{ provider: 'other' }, 3, 3],
    [{ search: 'MINI' }, 2, 2],
    [{ search: 'openai/gpt' }, 2, 2],
    [{ limit: 1 }, 1, 6],
    [{ search: 'nothing like it' }, 0, 0],
  ])('finds by %j: %i of %i', async (input, shown, total) => {
    const { operations, list } = await begin()
    await operations['models:refresh']({})
    const page = await list(input)
    expect([page.models.length, page.total]).toEqual([shown, total])
  })

  it('says why a list could not be fetched, and refuses a provider there is not', async () => {
    const { operations, server } = await begin(json({}, 401))
    const [state] = await operations['models:refresh']({ provider: 'other' })
    expect(ModelListState.parse(state)).toMatchObject({
      fetchedAt: null,
      why: `Not fetched: ${server.origin} answered 401.`,
    })
    expect(await refusal(operations['models:refresh']({ provider: 'x' }))).toContain('There is no provider "x"')
  })
})

describe('what the user says of a model', () => {
  const model = { provider: 'openai', model: 'gpt-5' }

  it('counts until it is taken back', async () => {
    const { operations, list } = await begin()
    await operations['models:refresh']({})
    const edited = await operations['models:edit']({ ...model, label: 'Mine', facts: { maxOutput: 5, tools: false } })
    expect(ModelView.parse(edited)).toMatchObject({
      ...{ label: 'Mine', edited: true, hidden: false },
      facts: { maxOutput: { value: 5, source: 'user' }, tools: { value: false, source: 'user' } },
    })
    expect(await operations['models:edit']({ ...model, hidden: true, facts: { maxOutput: null } })).toMatchObject({
      hidden: true,
      facts: { maxOutput: { value: 128_000, source: 'table' }, tools: { source: 'user' } },
    })
    const last = await operations['models:edit']({ ...model, label: null, hidden: false, facts: { tools: null } })
    expect(last).toMatchObject({ label: 'gpt-5', edited: false })
    expect((await list()).models.some(({ edited }) => edited)).toBe(false)
  })

  it('adds one that is not listed, and removes it', async () => {
    const { operations, list } = await begin()
    const added = await operations['models:add']({ provider: 'other', model: 'x/y', facts: { contextWindow: 9 } })
    expect(added).toMatchObject({ id: 'other/x/y', added: true, facts: { contextWindow: { value: 9 } } })
    expect(await refusal(operations['models:add']({ provider: 'other', model: 'x/y' }))).toContain('is there already')
    expect((await list()).total).toBe(1)
    await operations['models:remove']({ provider: 'other', model: 'x/y' })
    expect((await list()).total).toBe(0)
  })

  it.each<[(operations: Awaited<ReturnType<typeof begin>>['operations']) => Promise<unknown>, string]>([
    [
      (operations) => operations['models:edit']({ provider: 'openai', model: 'none' }),
      'There is no model "openai/none"',
    ],
    [(operations) => operations['models:remove'](model), 'Nothing was added or edited here'],
    [(operations) => operations['models:add']({ provider: 'x', model: 'm' }), 'There is no provider "x"'],
    [(operations) => operations['models:add']({ provider: 'unused', model: 'm' }), 'UNUSED has no connection'],
    [
      (operations) => operations['models:add']({ provider: 'openai', model: 'a\tb' }),
      'model: must not contain control',
    ],
  ])('is refused in words %#', async (work, words) => {
    expect(await refusal(work((await begin()).operations))).toContain(words)
  })

  it.each([
    { contextWindow: 0 },
    { contextWindow: 1.5 },
    { inputPrice: -1 },
    { inputPrice: Number.NaN },
    { tools: 'yes' },
  ])('must make sense: %j', (facts) => {
    expect(OPERATIONS['models:edit'].input.safeParse({ ...model, facts }).success).toBe(false)
  })
})

describe('the user’s names', () => {
  const add = (input: OperationInput<'aliases:add'>) => input

  it('show where they lead, and for whom', async () => {
    const { operations, keys, clock } = await begin()
    await operations['models:refresh']({})
    const { view: key } = keys.create('main', [])
    const made: AliasView[] = []
    for (const input of [
      add({ pattern: 'fast', target: 'gpt-5-mini', clientKeyId: key.id }),
      add({ pattern: 'best', target: 'openai/gpt-5' }),
      add({ pattern: 'claude-*', target: 'best' }),
    ]) {
      clock.advance(1)
      made.push(await operations['aliases:add'](input))
    }
    expect(made.map(({ resolvesTo, broken }) => broken ?? resolvesTo)).toEqual([
      '"fast" stands for "gpt-5-mini". More than one provider has a model "gpt-5-mini". Write one of openai/gpt-5-mini, other/gpt-5-mini.',
      'openai/gpt-5',
      'openai/gpt-5',
    ])
    const list = await operations['aliases:list']()
    expect(AliasView.array().parse(list)).toEqual(made)
    expect(list.map(({ kind, clientKey }) => [kind, clientKey])).toEqual([
      ['name', 'main'],
      ['name', null],
      ['pattern', null],
    ])
  })

  it('can be changed and removed, and every change is told', async () => {
    const { operations, pushed } = await begin()
    const { id } = await operations['aliases:add'](add({ pattern: 'a', target: 'openai/x' }))
    const changed = await operations['aliases:update']({ id, target: 'unused/y' })
    expect(changed).toMatchObject({ resolvesTo: 'unused/y', broken: 'UNUSED has no connection that can be used.' })
    await operations['aliases:remove']({ id })
    expect(await operations['aliases:list']()).toEqual([])
    expect(pushed.count).toBe(3)
    expect(await refusal(operations['aliases:update']({ id }))).toContain(`There is no name "${id}"`)
    expect(await refusal(operations['aliases:remove']({ id }))).toContain(`There is no name "${id}"`)
  })

  it('that lead in a circle, or are of a key there is not, are not saved', async () => {
    const { operations } = await begin()
    await operations['aliases:add'](add({ pattern: 'a', target: 'b' }))
    expect(await refusal(operations['aliases:add'](add({ pattern: 'b', target: 'a' })))).toContain('target: The names')
    expect(await refusal(operations['aliases:add'](add({ pattern: 'c', target: 'x', clientKeyId: 'k' })))).toContain(
      'There is no key "k"',
    )
    expect(await operations['aliases:list']()).toHaveLength(1)
  })
})
