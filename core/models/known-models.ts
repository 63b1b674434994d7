// One provider's models out of everything that names them: its own lists, its row, and the user. Pure.

import type { UserModel } from '../store/models-table'
import type { FactsFrom } from './known-facts'
import { type KnownFacts, mergeFacts } from './known-facts'
import type { ListedModel } from './parse-model-list'

/** A model before anything is known of its facts. */
export interface NamedModel {
  readonly provider: string
  /** As the provider calls it. */
  readonly model: string
  /** null: the provider did not list it. */
  readonly listed: { readonly entry: ListedModel; readonly at: number } | null
  /** null: the user has said nothing of it. */
  readonly user: UserModel | null
}

export interface KnownModel {
  readonly provider: string
  readonly model: string
  /** As clients write it: provider/model. */
  readonly id: string
  readonly label: string
  readonly added: boolean
  readonly hidden: boolean
  readonly embeds: boolean
  readonly facts: KnownFacts
}

export interface ListAt {
  readonly fetchedAt: number
  readonly models: readonly ListedModel[]
}

/** By name. Of several lists the newest counts where they name the same model. */
export function nameModels(
  provider: string,
  lists: readonly ListAt[],
  rowModels: readonly string[],
  user: readonly UserModel[],
): NamedModel[] {
  const found = new Map<string, NamedModel>()
  for (const model of rowModels) found.set(model, { provider, model, listed: null, user: null })
  for (const { fetchedAt, models } of [...lists].sort((a, b) => a.fetchedAt - b.fetchedAt)) {
    for (const entry of models) {
      found.set(entry.id, { provider, model: entry.id, listed: { entry, at: fetchedAt }, user: null })
    }
  }
  for (const said of user) {
    const known = found.get(said.model)
    // An edit of a model that the provider no longer lists is kept, and shows again when the model does.
    if (known === undefined && !said.added) continue
    found.set(said.model, { provider, model: said.model, listed: known?.listed ?? null, user: said })
  }
  return [...found.values()].sort((a, b) => (a.model < b.model ? -1 : a.model > b.model ? 1 : 0))
}

/** `table`: what the table says of it, strongest first. */
export function knownModel({ provider, model, listed, user }: NamedModel, table: readonly FactsFrom[]): KnownModel {
  const sources: FactsFrom[] = [...table]
  if (listed !== null) sources.unshift({ source: 'provider', at: listed.at, facts: listed.entry.facts })
  if (user !== null) sources.unshift({ source: 'user', at: user.changedAt, facts: user.facts })
  return {
    provider,
    model,
    id: `${provider}/${model}`,
    label: user?.label ?? listed?.entry.label ?? model,
    added: user?.added ?? false,
    hidden: user?.hidden ?? false,
    embeds: listed?.entry.embeds ?? false,
    facts: mergeFacts(sources),
  }
}
