// The list a client is shown: what it may write as a model, with what is known of it. Pure.
import type { Combo } from '../contract/combos'
import { type ComboSnapshot, NO_COMBOS } from '../routing/combo-book'
import { aliasSetsFor, type ModelWorld } from '../routing/model-world'
import { type NamedTarget, resolveTarget } from '../routing/resolve-name'
import type { KnownModel } from './known-models'

export interface ModelListEntry {
  /** As clients write it: provider/model, or the name of a combo or one of the user's. */
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

/** Combos as they stand when a list is made. */
export interface ShownCombos {
  readonly snapshot: ComboSnapshot
  /** provider/model of each, those of combos inside it too. */
  readonly membersOf: (combo: Combo) => readonly string[]
}

const NONE_SHOWN: ShownCombos = { snapshot: NO_COMBOS, membersOf: () => [] }

const OWN = 'breakwater'
const COMBO = 'combo'

export function buildModelList(
  models: readonly KnownModel[],
  world: ModelWorld,
  clientKeyId: string | null,
  at: number,
  { snapshot, membersOf }: ShownCombos = NONE_SHOWN,
): ModelList {
  const all = models.map((model) => entryOf(model, world.registry.get(model.provider)?.row.label ?? model.provider))
  const byTarget = new Map(all.map((entry) => [entry.id, entry]))
  const shown = all.filter((_, i) => models[i]?.hidden !== true)
  const comboEntry = (combo: Combo): ModelListEntry => ({
    ...inCommon(membersOf(combo).map((member) => byTarget.get(member) ?? UNKNOWN)),
    ...{ id: combo.name, label: combo.name, owner: COMBO },
  })
  const lead = (name: string): ModelListEntry | null => {
    const found = tryResolve(name, world, snapshot, clientKeyId)
    if (found === null) return null
    if (found.kind === 'combo') return comboEntry(found.combo)
    return byTarget.get(`${found.target.provider.row.id}/${found.target.model}`) ?? null
  }
  const combos = snapshot.list.map(comboEntry)
  const names = new Set(aliasSetsFor(world, clientKeyId).flatMap(({ exact }) => [...exact.keys()]))
  for (const { id } of combos) names.delete(id)
  const own = [...names].sort().flatMap((name) => {
    // A name that leads nowhere is not offered; the window says why.
    if (tryResolve(name, world, snapshot, clientKeyId) === null) return []
    const target = lead(name)
    return [{ ...(target ?? UNKNOWN), id: name, label: name, owner: OWN }]
  })
  const entries = [...combos, ...own, ...shown.filter(({ id }) => !names.has(id))]
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

type Known = Pick<ModelListEntry, 'contextWindow' | 'maxOutput' | 'images' | 'embeds'>
const UNKNOWN: Known = { contextWindow: null, maxOutput: null, images: null, embeds: false }

/** Whoever answers must hold the conversation: the smallest window counts. Images go to a member that takes them. */
function inCommon(members: readonly Known[]): Known {
  return {
    contextWindow: smallest(members.map(({ contextWindow }) => contextWindow)),
    maxOutput: smallest(members.map(({ maxOutput }) => maxOutput)),
    images: members.some(({ images }) => images === true)
      ? true
      : members.length > 0 && members.every(({ images }) => images === false)
        ? false
        : null,
    embeds: members.length > 0 && members.every(({ embeds }) => embeds),
  }
}

function smallest(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : known.reduce((least, value) => Math.min(least, value))
}

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

function tryResolve(
  name: string,
  world: ModelWorld,
  combos: ComboSnapshot,
  clientKeyId: string | null,
): NamedTarget | null {
  try {
    return resolveTarget(name, world, combos, clientKeyId)
  } catch {
    return null
  }
}
