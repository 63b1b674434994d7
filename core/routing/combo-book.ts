// All combos, ready to be resolved, kept in step with the table and with the models there are. Replaced whole on a
// change, so that a running request keeps what it began with.
import type { SetConfig } from '../contract/combo-config'
import type { Combo } from '../contract/combos'
import { GatewayError } from '../errors'
import type { StoredCombo } from '../store/combos-table'
import { type Target as Leaf, modelString, type ResolvedCombo } from './combo'
import type { ModelWorld } from './model-world'
import { type ComboWorld, type NamedModel, resolveCombo } from './resolve-combo'
import { resolveModel, type Target } from './resolve-model'

/** The combos of one moment. Never changed. */
export interface ComboSnapshot {
  /** In the user's order. */
  readonly list: readonly StoredCombo[]
  readonly byName: ReadonlyMap<string, StoredCombo>
  readonly byId: ReadonlyMap<string, StoredCombo>
  /** By name in lower case. */
  readonly folded: ReadonlyMap<string, readonly StoredCombo[]>
}

export const snapshotOf = (list: readonly StoredCombo[]): ComboSnapshot => ({
  list,
  byName: new Map(list.map((combo) => [combo.name, combo])),
  byId: new Map(list.map((combo) => [combo.id, combo])),
  folded: Map.groupBy(list, ({ name }) => name.toLowerCase()),
})
export const NO_COMBOS = snapshotOf([])

/** What a step's model means: a model, or why it means none. */
export type StepModel = { readonly target: Target } | { readonly why: string }

export interface ComboBookDeps {
  /** In the user's order. */
  readonly stored: () => readonly StoredCombo[]
  readonly models: () => ModelWorld
  /** Settings for all combos, used where a combo says nothing. The same object until one of them changes. */
  readonly inherited: () => SetConfig
  readonly changed: () => void
}

interface Built {
  readonly snapshot: ComboSnapshot
  readonly models: ModelWorld
  readonly inherited: SetConfig
  readonly world: ComboWorld
  /** `auto` and its variants too. */
  readonly resolved: WeakMap<Combo, ResolvedCombo>
}

export class ComboBook {
  private current: ComboSnapshot
  private built: Built | null = null

  constructor(private readonly deps: ComboBookDeps) {
    this.current = snapshotOf(deps.stored())
  }

  /** For each request. */
  snapshot = (): ComboSnapshot => this.current

  /** What combos are resolved in right now. */
  world = (): ComboWorld => this.build().world

  /** A combo's members; found out once for each combo until something changes. */
  resolved(combo: Combo): ResolvedCombo {
    const { world, resolved } = this.build()
    const known = resolved.get(combo)
    if (known !== undefined) return known
    const fresh = resolveCombo(combo, world)
    resolved.set(combo, fresh)
    return fresh
  }

  /** provider/model of each member, those of combos inside it too. */
  membersOf = (combo: Combo): readonly string[] => [...new Set(targetsOf(this.resolved(combo)).map(modelString))]

  /** What a step's model means: the same for all callers, whatever names a client key has of its own. */
  stepModel = (name: string): StepModel => stepModel(name, this.deps.models())

  /** After combos were written. */
  reload(): void {
    this.current = snapshotOf(this.deps.stored())
    this.deps.changed()
  }

  private build(): Built {
    const { built, current: snapshot } = this
    const [models, inherited] = [this.deps.models(), this.deps.inherited()]
    if (built?.snapshot === snapshot && built.models === models && built.inherited === inherited) return built
    const world = comboWorld(snapshot, models, inherited)
    this.built = { snapshot, models, inherited, world, resolved: new WeakMap() }
    return this.built
  }
}

export function comboWorld({ byName }: ComboSnapshot, models: ModelWorld, inherited: SetConfig = {}): ComboWorld {
  return {
    combos: byName,
    // Sorted only where a pattern or `auto` asks for it.
    get models() {
      return poolOf(models)
    },
    resolveModel(name) {
      const found = stepModel(name, models)
      return 'why' in found ? null : { provider: found.target.provider.row.id, model: found.target.model }
    },
    inherited,
  }
}

/** Down to the models. */
export const targetsOf = ({ members, judge }: ResolvedCombo): readonly Leaf[] =>
  (judge === null ? members : [...members, judge]).flatMap((member) =>
    member.kind === 'combo' ? targetsOf(member.combo) : [member.target],
  )

/** Names are few and come again with every request, and that nobody has a name takes long to find out. */
const known = new WeakMap<ModelWorld, Map<string, StepModel>>()

function stepModel(name: string, models: ModelWorld): StepModel {
  const names = known.get(models) ?? new Map<string, StepModel>()
  known.set(models, names)
  const before = names.get(name)
  if (before !== undefined) return before
  const found = look(name, models)
  names.set(name, found)
  return found
}

function look(name: string, models: ModelWorld): StepModel {
  try {
    return { target: resolveModel(name, models, null) }
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    return { why: error.message }
  }
}

const pools = new WeakMap<ModelWorld, readonly NamedModel[]>()

/**
 * What patterns and `auto` choose among, by provider and name: models that clients see and that can hold a conversation.
 * Those of the practice provider fail on purpose, so they are used only where they are named.
 */
function poolOf(models: ModelWorld): readonly NamedModel[] {
  const before = pools.get(models)
  if (before !== undefined) return before
  const places = new Map([...models.registry.keys()].map((id, i) => [id, i]))
  const pool = [...models.names.exact.values()]
    .flat()
    .filter(({ provider, embeds }) => embeds !== true && models.registry.get(provider)?.row.exempt !== true)
    .sort((a, b) => (places.get(a.provider) ?? 0) - (places.get(b.provider) ?? 0) || (a.model < b.model ? -1 : 1))
    .map(({ provider, model }) => ({ provider, model }))
  pools.set(models, pool)
  return pool
}
