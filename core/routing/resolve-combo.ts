// A combo → its members, nested ones included. What a client's name means is found in resolve-name. Pure.
import { completeConfig, type SetConfig } from '../contract/combo-config'
import { COMBO_PREFIX, type Combo, type Step, strategyOf } from '../contract/combos'
import type { DroppedStep, Member, ResolvedCombo, Target } from './combo'
import { isPattern, matchesGlob } from './glob'
import { autoVariant } from './strategies/auto/names'

/** How many combos deep a combo may reach below itself. */
export const MAX_COMBO_DEPTH = 3
/** Wildcards and nests together lead to no more members than this. */
export const MOST_MEMBERS = 2_000

export interface NamedModel {
  /** The provider's id. */
  readonly provider: string
  readonly model: string
}

export interface ComboWorld {
  readonly combos: ReadonlyMap<string, Combo>
  /** What a step with a pattern may mean, and `auto` chooses among: listed models that clients see. */
  readonly models: readonly NamedModel[]
  /** provider/model or a plain name; null: nobody has it. */
  readonly resolveModel: (name: string) => NamedModel | null
  /** Settings for all combos, where a combo says nothing. */
  readonly inherited: SetConfig
}

/** By its name, with or without `combo/` before it. */
export const comboNamed = (name: string, combos: ReadonlyMap<string, Combo>): Combo | null =>
  combos.get(name) ?? (name.startsWith(COMBO_PREFIX) ? (combos.get(name.slice(COMBO_PREFIX.length)) ?? null) : null)

const ANY_MODEL: Step = {
  model: '*',
  combo: null,
  weight: 1,
  connection: null,
  allowedConnections: null,
  prompt: null,
  fallbackOnlyOnQuotaExhaustion: false,
}

/** The combo of all models that `auto` and its variants stand for; null: it is no such name. */
export function autoCombo(name: string): Combo | null {
  const variant = autoVariant(name)
  return variant === null ? null : { name: variant.name, strategy: 'auto', config: variant.config, steps: [ANY_MODEL] }
}

/** A combo by any name it can be asked for, `auto` and its variants too. */
const anyCombo = (name: string, combos: ReadonlyMap<string, Combo>): Combo | null =>
  comboNamed(name, combos) ?? autoCombo(name)

/** The combo a step leads to: said so, or by a model's name that is one's. null: it leads to a model. */
export const nestedCombo = (step: Pick<Step, 'combo' | 'model'>, combos: ReadonlyMap<string, Combo>): Combo | null => {
  const name = step.combo ?? step.model
  return name === null ? null : anyCombo(name, combos)
}

/** Never fails: what leads to nothing, or back to where it came from, is dropped and named. */
export const resolveCombo = (combo: Combo, world: ComboWorld): ResolvedCombo =>
  new Resolver(world).resolve(combo, [], false)

class Resolver {
  /** Members that may still be added. */
  private left = MOST_MEMBERS

  constructor(private readonly world: ComboWorld) {}

  /** @param above the combos on the way here. @param heldBack a step on the way waits for a spent quota: all below do */
  resolve(combo: Combo, above: readonly string[], heldBack: boolean): ResolvedCombo {
    const path = [...above, combo.name]
    const keys = new Keys(combo, heldBack)
    const dropped: DroppedStep[] = []
    const lead = (place: DroppedStep['step'], step: Step): readonly Member[] => {
      const name = step.combo ?? step.model ?? ''
      const found = this.membersOf(step, path, keys)
      if (typeof found === 'string') {
        dropped.push({ step: place, because: found, name })
        return []
      }
      if (found.length > this.left) dropped.push({ step: place, because: 'too-many', name })
      const taken = found.slice(0, this.left)
      this.left -= taken.length
      return taken
    }
    const members = combo.steps.flatMap((step, place) => lead(place, step))
    const strategy = strategyOf(combo)
    const config = completeConfig(strategy, combo.config, this.world.inherited)
    const { judgeModel } = config
    const judge = strategy === 'fusion' && judgeModel !== null ? lead('judge', { ...ANY_MODEL, model: judgeModel }) : []
    return { name: combo.name, strategy, config, members, judge: judge[0] ?? null, dropped }
  }

  private membersOf(step: Step, path: readonly string[], keys: Keys): readonly Member[] | DroppedStep['because'] {
    const nested = nestedCombo(step, this.world.combos)
    if (nested !== null) return this.nestedIn(step, nested, path, keys)
    if (step.model === null) return 'unknown-combo'
    return isPattern(step.model) ? this.matching(step, step.model, keys) : this.named(step, step.model, keys)
  }

  private nestedIn(step: Step, combo: Combo, path: readonly string[], keys: Keys): Member[] | DroppedStep['because'] {
    if (path.includes(combo.name)) return 'cycle'
    if (path.length > MAX_COMBO_DEPTH) return 'too-deep'
    const target = keys.target(step, { provider: 'combo', model: combo.name })
    return [{ kind: 'combo', target, combo: this.resolve(combo, path, target.onlyAfterQuota) }]
  }

  private named(step: Step, model: string, keys: Keys): Member[] | DroppedStep['because'] {
    const found = this.world.resolveModel(model)
    return found === null ? 'unknown-model' : [{ kind: 'target', target: keys.target(step, found) }]
  }

  private matching(step: Step, pattern: string, keys: Keys): Member[] | DroppedStep['because'] {
    const matching = this.world.models.filter(
      ({ provider, model }) => matchesGlob(pattern, `${provider}/${model}`) || matchesGlob(pattern, model),
    )
    if (matching.length === 0) return 'no-match'
    const fresh = matching.filter((known) => !keys.has(step, known))
    return fresh.map((known) => ({ kind: 'target', target: keys.target(step, known) }))
  }
}

/** Gives each target of a combo its key: its model and connection, and a number where they are listed again. */
class Keys {
  private readonly given = new Map<string, number>()
  /** Models that steps name themselves: a pattern does not add them again. */
  private readonly named: ReadonlySet<string>

  constructor(
    { steps }: Combo,
    private readonly heldBack: boolean,
  ) {
    this.named = new Set(
      steps.flatMap((step) => (step.model === null || isPattern(step.model) ? [] : [baseKey(step, step.model)])),
    )
  }

  has(step: Step, { provider, model }: NamedModel): boolean {
    const key = baseKey(step, `${provider}/${model}`)
    return this.given.has(key) || this.named.has(key)
  }

  target(step: Step, { provider, model }: NamedModel): Target {
    const key = baseKey(step, `${provider}/${model}`)
    const times = (this.given.get(key) ?? 0) + 1
    this.given.set(key, times)
    return {
      executionKey: times === 1 ? key : `${key}#${times}`,
      provider,
      model,
      connectionId: step.connection,
      allowedConnections: step.allowedConnections,
      weight: step.weight,
      prompt: step.prompt,
      onlyAfterQuota: this.heldBack || step.fallbackOnlyOnQuotaExhaustion,
    }
  }
}

const baseKey = ({ connection }: Step, name: string): string => (connection === null ? name : `${name}@${connection}`)
