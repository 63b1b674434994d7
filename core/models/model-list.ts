// The list a client is shown: what it may write as a model, with what is known of it. Pure.
import { aliasSetsFor, type ModelWorld } from '../routing/model-world'
import { resolveModel, type Target } from '../routing/resolve-model'
import type { KnownModel } from './known-models'

export interface ModelListEntry {
  /** As clients write it: provider/model, or a name of the user's. */
  readonly id: string
  readonly label: string
  readonly owner: string
  /** Tokens; null: unknown. */
  readonly contextWindow: number | null
  readonly maxOutput: number | null
  readonly images: boolean | null
  readonly embeds: boolean
}

export interface ModelList {
  readonly entries: readonly ModelListEntry[]
  readonly byId: ReadonlyMap<string, ModelListEntry>
  /** Entry of what a name leads to, under that name; null where it leads to nothing that is listed. */
  find(name: string): ModelListEntry | null
  /** Epoch milliseconds; shown as the models' date, since nobody says a truer one. */
  readonly at: number
}

const OWN = 'breakwater'

export function buildModelList(
  models: readonly KnownModel[],
  world: ModelWorld,
  clientKeyId: string | null,
  at: number,
): ModelList {
  const all = models.map((model) => entryOf(model, world.registry.get(model.provider)?.row.label ?? model.provider))
  const byTarget = new Map(all.map((entry) => [entry.id, entry]))
  const shown = all.filter((_, i) => models[i]?.hidden !== true)
  const lead = (name: string): ModelListEntry | null => {
    const target = tryResolve(name, world, clientKeyId)
    return target === null ? null : (byTarget.get(`${target.provider.row.id}/${target.model}`) ?? null)
  }
  const names = new Set(aliasSetsFor(world, clientKeyId).flatMap(({ exact }) => [...exact.keys()]))
  const own = [...names].sort().flatMap((name) => {
    // A name that leads nowhere is not offered; the window says why.
    if (tryResolve(name, world, clientKeyId) === null) return []
    const target = lead(name)
    return [{ ...(target ?? UNKNOWN), id: name, label: name, owner: OWN }]
  })
  const entries = [...own, ...shown.filter(({ id }) => !names.has(id))]
  const byId = new Map(entries.map((entry) => [entry.id, entry]))
  return {
    entries,
    byId,
    find(name) {
      const known = byId.get(name) ?? lead(name)
      return known === null ? null : { ...known, id: name }
    },
    at,
  }
}

const UNKNOWN = { contextWindow: null, maxOutput: null, images: null, embeds: false }

/** Several providers have the same models: each is called by both names. */
const entryOf = ({ id, label, provider, embeds, facts }: KnownModel, providerLabel: string): ModelListEntry => ({
  id,
  label: `${providerLabel}: ${label}`,
  owner: provider,
  contextWindow: facts.contextWindow?.value ?? null,
  maxOutput: facts.maxOutput?.value ?? null,
  images: facts.images?.value ?? null,
  embeds,
})

function tryResolve(name: string, world: ModelWorld, clientKeyId: string | null): Target | null {
  try {
    return resolveModel(name, world, clientKeyId)
  } catch {
    return null
  }
}
