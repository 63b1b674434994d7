import { describe, expect, it } from 'vitest'
import type { ListPlace } from '../../../core/models/list-places'
import { ModelBook } from '../../../core/models/model-book'
import { loadModelTable } from '../../../core/models/model-table'
import type { ListedModel } from '../../../core/models/parse-model-list'
import { modelsCall } from '../../../core/providers/models-call'
import type { Registry } from '../../../core/providers/registry'
import { resolveModel } from '../../../core/routing/resolve-model'
import { openListedModelsTable } from '../../../core/store/listed-models-table'
import { openModelAliasesTable } from '../../../core/store/model-aliases-table'
import { openModelsTable, type UserModel } from '../../../core/store/models-table'
import { memoryDatabase } from '../../support/memory-databases'
import { registryOf } from './worlds'

const NOW = 1_750_000_000_000

function openBook(connected: readonly string[]) {
  const [config, state] = [memoryDatabase('config'), memoryDatabase('state')]
  config.exec("INSERT INTO client_keys VALUES ('key_1', 'main', x'01', 'm', '', 1, NULL)")
  const changes = { count: 0 }
  const current: { registry: Registry } = { registry: registryOf(connected) }
  const deps = {
    registry: () => current.registry,
    callOf: modelsCall,
    lists: openListedModelsTable(state),
    userModels: openModelsTable(config),
    aliases: openModelAliasesTable(config),
    loadTable: loadModelTable,
    startedAt: NOW,
    changed: () => void changes.count++,
  }
  const book = new ModelBook(deps)
  return {
    book,
    deps,
    changes,
    connect: (next: readonly string[]) => {
      current.registry = registryOf(next)
    },
    reopen: () => new ModelBook(deps),
    fetched: (provider: string, ...models: readonly (string | ListedModel)[]) => {
      const { place } = book.places().find((known) => known.place.provider === provider) as { place: ListPlace }
      book.fetched(
        place,
        models.map((model) =>
          typeof model === 'string' ? { id: model, label: null, embeds: false, facts: {} } : model,
        ),
        NOW,
      )
    },
    say: (provider: string, model: string, said: Partial<UserModel>) => {
      const nothing = { added: false, hidden: false, label: null, facts: {}, changedAt: NOW + 1 }
      deps.userModels.save({ provider, model, ...nothing, ...said })
      book.reload()
    },
    name: (pattern: string, target: string, clientKeyId: string | null = null) => {
      deps.aliases.insert({ pattern, target, clientKeyId, createdAt: NOW })
      book.reload()
    },
  }
}

const idsFor = async (book: ModelBook, key: string | null = null): Promise<string[]> =>
  (await book.listFor(key)).entries.map(({ id }) => id)

describe('the book of models', () => {
  it('knows the models of the providers that can be used, and keeps them', async () => {
    const { book, fetched, connect, reopen } = openBook(['openai', 'openrouter'])
    expect(await idsFor(book)).toEqual([])
    fetched('openai', 'gpt-5', 'gpt-4o')
    fetched('openrouter', 'meta/llama')
    expect(await idsFor(book)).toEqual(['openai/gpt-4o', 'openai/gpt-5', 'openrouter/meta/llama'])
    expect(resolveModel('gpt-5', book.world(), null).provider.row.id).toBe('openai')
    connect(['openrouter'])
    expect(await idsFor(book)).toEqual(['openrouter/meta/llama'])
    expect(() => resolveModel('gpt-5', book.world(), null)).toThrow(/No model is named/)
    connect(['openai', 'openrouter'])
    expect(await idsFor(reopen())).toEqual(['openai/gpt-4o', 'openai/gpt-5', 'openrouter/meta/llama'])
  })

  it('takes a value from the user, else from the provider, else from the table, and says which', async () => {
    const { book, fetched, say } = openBook(['openai'])
    fetched('openai', { id: 'gpt-5', label: 'GPT-5', embeds: false, facts: { contextWindow: 111, tools: false } })
    say('openai', 'gpt-5', { facts: { contextWindow: 222 }, label: 'Mine' })
    const [model] = await book.known()
    expect(model).toMatchObject({
      id: 'openai/gpt-5',
      label: 'Mine',
      facts: {
        contextWindow: { value: 222, source: 'user', at: NOW + 1 },
        tools: { value: false, source: 'provider', at: NOW },
        maxOutput: { value: 128_000, source: 'table', at: Date.parse('2026-08-16') },
        inputPrice: { value: 1.25, source: 'table', at: Date.parse('2026-09-23') },
      },
    })
  })

  it('tells whoever chooses among targets what is known, also of models that no list has', async () => {
    const { book, fetched, say } = openBook(['openai'])
    fetched('openai', 'gpt-4o')
    expect(book.factsOf('openai', 'gpt-4o')).toBeNull()
    await book.factsLearned()
    expect(book.factsLearned()).toBeNull()
    expect(book.factsOf('openai', 'gpt-4o')?.inputPrice).toMatchObject({ source: 'table' })
    expect(book.factsOf('openai', 'gpt-5')?.inputPrice).toMatchObject({ source: 'table' })
    expect(book.factsOf('nobody', 'gpt-5')).toBeNull()

    // What was known is at hand until the change is learned.
    say('openai', 'gpt-4o', { facts: { inputPrice: 9 } })
    expect(book.factsOf('openai', 'gpt-4o')?.inputPrice).toMatchObject({ source: 'table' })
    await book.factsLearned()
    expect(book.factsOf('openai', 'gpt-4o')?.inputPrice).toMatchObject({ source: 'user', value: 9 })
  })

  it('gives models on this machine no price and no size that it does not know', async () => {
    const { book, fetched } = openBook(['ollama'])
    fetched('ollama', 'gpt-oss-20b')
    expect((await book.known())[0]?.facts).toEqual({})
  })

  it('lists what was added by hand, and not what is hidden', async () => {
    const { book, fetched, say } = openBook(['openai', 'glm'])
    fetched('openai', 'seen', 'unseen')
    say('openai', 'unseen', { hidden: true })
    say('glm', 'unseen', { added: true })
    say('glm', 'gone', { label: 'An edit of a model that is no longer listed' })
    expect(await idsFor(book)).toEqual(['openai/seen', 'glm/unseen'])
    expect((await book.known()).map(({ id }) => id)).toEqual(['openai/seen', 'openai/unseen', 'glm/unseen'])
    // Hiding settles which of two is meant, and the hidden one can still be written out.
    expect(resolveModel('unseen', book.world(), null).provider.row.id).toBe('glm')
    expect(resolveModel('openai/unseen', book.world(), null).model).toBe('unseen')
    expect((await book.listFor(null)).find('openai/unseen')).toMatchObject({ id: 'openai/unseen' })
  })

  it('lists the names of all keys for all, those of one for that one, and none that leads nowhere', async () => {
    const { book, fetched, name } = openBook(['openai'])
    fetched('openai', { id: 'gpt-5', label: null, embeds: false, facts: { contextWindow: 9 } })
    name('fast', 'gpt-5')
    name('mine', 'fast', 'key_1')
    name('lost', 'nobody/x')
    name('claude-*', 'openai/gpt-5')
    expect(await idsFor(book)).toEqual(['fast', 'openai/gpt-5'])
    expect(await idsFor(book, 'key_2')).toEqual(['fast', 'openai/gpt-5'])
    expect(await idsFor(book, 'key_1')).toEqual(['fast', 'mine', 'openai/gpt-5'])
    expect((await book.listFor('key_1')).byId.get('mine')).toMatchObject({ contextWindow: 9, owner: 'breakwater' })
    expect((await book.listFor(null)).find('claude-opus-9[1m]')).toMatchObject({ id: 'claude-opus-9[1m]' })
    expect((await book.listFor(null)).find('mine')).toBeNull()
  })

  it('makes a list once, until something changes', async () => {
    const { book, fetched } = openBook(['openai'])
    fetched('openai', 'a')
    const list = await book.listFor(null)
    expect(await book.listFor(null)).toBe(list)
    // Keys without names of their own share it.
    expect(await book.listFor('key_9')).toBe(list)
    expect(book.world()).toBe(book.world())
    fetched('openai', 'a')
    expect(await book.listFor(null)).not.toBe(list)
  })

  it('forgets lists of addresses that are long gone', () => {
    const { deps } = openBook(['openai'])
    const old = { provider: 'openai', address: 'http://127.0.0.1:1/v1/models', models: [] }
    deps.lists.save({ ...old, fetchedAt: NOW - 40 * 86_400_000 })
    deps.lists.save({ ...old, address: 'http://127.0.0.1:2/v1/models', fetchedAt: NOW - 86_400_000 })
    const book = new ModelBook(deps)
    for (const { place } of book.places()) book.fetched(place, [], NOW)
    expect(deps.lists.all().map(({ address }) => address)).toEqual([
      'http://127.0.0.1:2/v1/models',
      'https://api.openai.com/v1/models',
    ])
  })

  it('keeps the old list and the reason when a fetch fails, and tells of every change', () => {
    const { book, fetched, changes } = openBook(['openai'])
    fetched('openai', 'a')
    for (const { place } of book.places()) book.failed(place, 'it answered 500')
    expect(book.places()).toMatchObject([{ fetchedAt: NOW, count: 1, failure: 'it answered 500' }])
    fetched('openai', 'a', 'b')
    expect(book.places()).toMatchObject([{ count: 2, failure: null }])
    expect(changes.count).toBe(3)
  })
})
