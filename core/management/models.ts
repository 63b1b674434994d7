// Looking at models, saying what the lists do not, and naming models.
import { FACT_NAMES, type ModelFacts } from '../contract/model-facts'
import type { ModelListState, ModelsPage, ModelView } from '../contract/model-views'
import type { OperationInput } from '../contract/operations'
import { badInput, notFound } from '../errors'
import type { KnownModel } from '../models/known-models'
import { isUsable } from '../models/list-places'
import { nameFault } from '../routing/resolve-model'
import type { UserModel } from '../store/models-table'
import { listStates } from './list-models'
import type { Parts } from './parts'

type FactsInput = NonNullable<OperationInput<'models:add'>['facts']>

export function modelOperations({ book, models, clock }: Pick<Parts, 'book' | 'models' | 'clock'>) {
  const { userModels } = models

  const view = async (provider: string, model: string): Promise<ModelView> => {
    const known = (await models.book.known()).find((each) => each.provider === provider && each.model === model)
    if (known === undefined) throw notFound('model', `${provider}/${model}`)
    return modelView(known, userModels.find(provider, model) !== null)
  }
  const save = (said: UserModel): void => {
    if (isEmpty(said)) userModels.remove(said.provider, said.model)
    else userModels.save(said)
    models.book.reload()
  }

  return {
    'models:list': async ({ provider, search, limit }: OperationInput<'models:list'>): Promise<ModelsPage> => {
      const all = await models.book.known()
      const wanted = (search ?? '').trim().toLowerCase()
      const found = all.filter(
        (model) =>
          (provider === undefined || model.provider === provider) &&
          (wanted === '' || `${model.id}\n${model.label}`.toLowerCase().includes(wanted)),
      )
      const edited = new Set(userModels.list().map((said) => `${said.provider}/${said.model}`))
      return {
        models: found.slice(0, limit).map((model) => modelView(model, edited.has(model.id))),
        total: found.length,
        lists: listStates(models.book),
        tableDate: await models.book.tableDate(),
      }
    },

    'models:edit': async ({ provider, model, label, hidden, facts }: OperationInput<'models:edit'>) => {
      await view(provider, model)
      const said = userModels.find(provider, model) ?? nothingSaid(provider, model)
      save({
        ...said,
        label: label === undefined ? said.label : label === null || label === '' ? null : label,
        hidden: hidden ?? said.hidden,
        facts: withFacts(said.facts, facts ?? {}),
        changedAt: clock.now(),
      })
      return view(provider, model)
    },

    'models:add': async ({ provider, model, label, facts }: OperationInput<'models:add'>) => {
      const owner = book.registry().get(provider)
      if (owner === undefined) throw notFound('provider', provider)
      if (!isUsable(owner)) throw badInput('provider', `${owner.row.label} has no connection that can be used yet.`)
      const fault = nameFault(model)
      if (fault !== null) throw badInput('model', `${fault}.`)
      const known = (await models.book.known()).find((each) => each.provider === provider && each.model === model)
      if (known !== undefined || userModels.find(provider, model)?.added === true) {
        throw badInput('model', `"${provider}/${model}" is there already. Edit it instead.`)
      }
      save({
        ...nothingSaid(provider, model),
        added: true,
        label: label === undefined || label === '' ? null : label,
        facts: withFacts({}, facts ?? {}),
        changedAt: clock.now(),
      })
      return view(provider, model)
    },

    'models:remove': async ({ provider, model }: OperationInput<'models:remove'>) => {
      if (userModels.find(provider, model) === null) {
        throw badInput('model', 'Nothing was added or edited here. What a provider lists can be hidden instead.')
      }
      userModels.remove(provider, model)
      models.book.reload()
      return null
    },

    'models:refresh': async ({ provider }: OperationInput<'models:refresh'>): Promise<ModelListState[]> => {
      if (provider !== undefined && book.registry().get(provider) === undefined) throw notFound('provider', provider)
      await models.refresh(provider)
      return listStates(models.book).filter((list) => provider === undefined || list.provider === provider)
    },
  }
}

const nothingSaid = (provider: string, model: string): UserModel => ({
  provider,
  model,
  added: false,
  hidden: false,
  label: null,
  facts: {},
  changedAt: 0,
})

const isEmpty = ({ added, hidden, label, facts }: UserModel): boolean =>
  !added && !hidden && label === null && Object.keys(facts).length === 0

/** `null` takes a value back. */
function withFacts(said: ModelFacts, input: FactsInput): ModelFacts {
  const merged = { ...said, ...Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)) }
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null)) as ModelFacts
}

function modelView({ facts, ...model }: KnownModel, edited: boolean): ModelView {
  return {
    ...model,
    edited,
    facts: Object.fromEntries(FACT_NAMES.map((name) => [name, facts[name] ?? null])) as ModelView['facts'],
  }
}
