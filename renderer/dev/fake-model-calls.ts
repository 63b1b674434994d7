// Models and names in the fake core: kept in memory, changed as the real one would. Development only.
import type { CallInput, CallName, CallOutput } from '../../core/contract/ipc'
import { FACT_NAMES } from '../../core/contract/model-facts'
import type { AliasView, ModelView } from '../../core/contract/model-views'
import type { ClientKeyView } from '../../core/contract/views'
import { model as makeModel, aliases as someAliases, lists as someLists, models as someModels } from './fake-models'
import { Refused } from './refused'

type ModelCall = Extract<CallName, `models:${string}` | `aliases:${string}`>
type Handlers = { readonly [N in ModelCall]: (input: CallInput<N>) => CallOutput<N> | Promise<CallOutput<N>> }

interface FakeModelDeps {
  readonly empty: boolean
  readonly count: number
  readonly keys: () => readonly ClientKeyView[]
  readonly push: (data: { lists: ReturnType<typeof someLists>; aliases: AliasView[] }) => void
}

export function fakeModelCalls({ empty, count, keys, push }: FakeModelDeps): Handlers {
  let models: ModelView[] = empty ? [] : someModels(count)
  let aliases: AliasView[] = empty ? [] : someAliases()
  let lists = empty ? [] : someLists()
  const tell = (): void => push({ lists, aliases })

  const edit = (provider: string, name: string, change: (model: ModelView) => ModelView): ModelView => {
    const known = models.find((each) => each.provider === provider && each.model === name)
    if (known === undefined) throw new Refused(`There is no model "${provider}/${name}".`)
    const next = change(known)
    models = models.map((each) => (each === known ? next : each))
    tell()
    return next
  }
  const withFacts = (model: ModelView, given: NonNullable<CallInput<'models:edit'>['facts']>): ModelView => {
    const facts = { ...model.facts }
    for (const name of FACT_NAMES) {
      const value = given[name]
      if (value === undefined) continue
      Object.assign(facts, { [name]: value === null ? null : { value, source: 'user', at: Date.now() } })
    }
    return { ...model, facts, edited: true }
  }
  const aliasOf = (id: string, { pattern, target, clientKeyId }: CallInput<'aliases:add'>): AliasView => {
    if (target.includes('*')) throw new Refused('target: must be one model, without "*".', 'target')
    const known = models.some((each) => each.id === target)
    return {
      id,
      pattern,
      kind: /[*?]/.test(pattern) ? 'pattern' : 'name',
      clientKeyId: clientKeyId ?? null,
      clientKey: keys().find((key) => key.id === clientKeyId)?.name ?? null,
      target,
      resolvesTo: known ? target : null,
      broken: known ? null : `No provider lists "${target}".`,
      createdAt: Date.now(),
    }
  }

  return {
    'models:list': ({ provider, search = '', limit = 500 }) => {
      const found = models.filter(
        (each) =>
          (provider === undefined || each.provider === provider) &&
          `${each.id}\n${each.label}`.toLowerCase().includes(search.toLowerCase()),
      )
      return { models: found.slice(0, limit), total: found.length, lists, tableDate: '2026-11-20' }
    },
    'models:edit': ({ provider, model, label, hidden, facts }) =>
      edit(provider, model, (known) => ({
        ...withFacts(known, facts ?? {}),
        label: label === undefined ? known.label : label === null || label === '' ? known.model : label,
        hidden: hidden ?? known.hidden,
      })),
    'models:add': ({ provider, model, label, facts }) => {
      if (models.some((each) => each.provider === provider && each.model === model))
        throw new Refused(`model: "${provider}/${model}" is there already. Edit it instead.`, 'model')
      models = [makeModel(provider, model, { added: true, label: label || model }), ...models]
      return edit(provider, model, (known) => withFacts(known, facts ?? {}))
    },
    'models:remove': ({ provider, model }) => {
      models = models.flatMap((each) => {
        if (each.provider !== provider || each.model !== model) return [each]
        return each.added ? [] : [makeModel(provider, model)]
      })
      tell()
      return null
    },
    'models:refresh': async ({ provider }) => {
      await new Promise((resolve) => setTimeout(resolve, 1200))
      lists = lists.map((list) =>
        provider === undefined || list.provider === provider
          ? { ...list, ...(list.why === '' ? { fetchedAt: Date.now() } : {}) }
          : list,
      )
      tell()
      return lists
    },
    'aliases:list': () => aliases,
    'aliases:add': (input) => {
      if (aliases.some(({ pattern }) => pattern === input.pattern))
        throw new Refused(`pattern: "${input.pattern}" is there already. Edit it instead.`, 'pattern')
      const made = aliasOf(`a${Date.now()}`, input)
      aliases = [...aliases, made]
      tell()
      return made
    },
    'aliases:update': ({ id, pattern, target, clientKeyId }) => {
      const known = aliases.find((each) => each.id === id)
      if (known === undefined) throw new Refused('This name does not exist any more.')
      const next = aliasOf(id, {
        pattern: pattern ?? known.pattern,
        target: target ?? known.target,
        clientKeyId: clientKeyId === undefined ? known.clientKeyId : clientKeyId,
      })
      aliases = aliases.map((each) => (each.id === id ? next : each))
      tell()
      return next
    },
    'aliases:remove': ({ id }) => {
      aliases = aliases.filter((each) => each.id !== id)
      tell()
      return null
    },
  }
}
