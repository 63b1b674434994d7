// A name as a client writes it → a combo, or a model of a provider. In this order: the exact name of a combo,
// `combo/<name>`, the user's names and those patterns that lead to a combo, `auto` and its variants, provider/model or a
// plain name (docs/resilience.md, "The pipeline of one request"). Pure; runs for each request.
import { COMBO_PREFIX, type Combo } from '../contract/combos'
import { GatewayError } from '../errors'
import type { ComboSnapshot } from './combo-book'
import type { Alias, ModelWorld } from './model-world'
import { autoCombo, comboNamed } from './resolve-combo'
import { followAny, type OtherNames, resolveAny, type Target } from './resolve-model'
import { AUTO_VARIANTS } from './strategies/auto/names'

export type NamedTarget =
  | { readonly kind: 'model'; readonly target: Target }
  /** Stored, or one that a name of `auto` stands for. */
  | { readonly kind: 'combo'; readonly combo: Combo }
type NamedCombo = Extract<NamedTarget, { readonly kind: 'combo' }>

/** An error names this many combos at most. */
const SHOWN = 8

/**
 * @param clientKeyId whose own names count besides those for all
 * @throws GatewayError 400 for a name that cannot be one or means several models, 404 for one nobody has
 */
export const resolveTarget = (
  name: string,
  world: ModelWorld,
  combos: ComboSnapshot,
  clientKeyId: string | null,
): NamedTarget => told(resolveAny(name, world, clientKeyId, comboNames(combos, world)))

/**
 * Where one of the user's names or patterns leads, for the caller it is meant for.
 * @throws GatewayError when it leads nowhere
 */
export const followName = (
  alias: Alias,
  world: ModelWorld,
  combos: ComboSnapshot,
  clientKeyId: string | null,
): NamedTarget => told(followAny(alias, world, clientKeyId, comboNames(combos, world)))

const told = (found: Target | NamedCombo): NamedTarget => ('kind' in found ? found : { kind: 'model', target: found })

function comboNames({ list, byName, folded }: ComboSnapshot, { registry }: ModelWorld): OtherNames<NamedCombo> {
  return {
    first(name) {
      const combo = comboNamed(name, byName)
      if (combo !== null) return { kind: 'combo', combo }
      if (!name.startsWith(COMBO_PREFIX) || registry.has(COMBO_PROVIDER)) return null
      throw new GatewayError('model_not_found', 404, noCombo(name.slice(COMBO_PREFIX.length), list), { field: 'model' })
    },
    next: (name) => AUTO.get(name.toLowerCase()) ?? null,
    folded(name) {
      const [combo, more] = folded.get(name.toLowerCase()) ?? []
      return combo === undefined || more !== undefined ? null : { kind: 'combo', combo }
    },
    unknown: (name) => (/^auto\//i.test(name) && !registry.has('auto') ? noAuto(name) : null),
  }
}

function noAuto(name: string): string {
  const short = AUTO_VARIANTS.filter((variant) => !variant.name.includes(':')).map((variant) => variant.name)
  return `There is no "${name}". The names of auto are ${short.join(', ')}; GET /api/combos/auto lists all.`
}

/** A provider of that id would have the names that begin so, where no combo has them. */
const COMBO_PROVIDER = COMBO_PREFIX.slice(0, -1)

/** Made once: they are the same combos from request to request. */
const AUTO: ReadonlyMap<string, NamedCombo> = new Map(
  AUTO_VARIANTS.flatMap(({ name }) => {
    const combo = autoCombo(name)
    return combo === null ? [] : [[name, { kind: 'combo', combo }]]
  }),
)

function noCombo(name: string, list: ComboSnapshot['list']): string {
  if (list.length === 0) return `There is no combo "${name}": there are none yet.`
  const shown = list.slice(0, SHOWN).map((combo) => combo.name)
  return `There is no combo "${name}". The combos are ${shown.join(', ')}${
    list.length > SHOWN ? ` and ${list.length - SHOWN} more` : ''
  }.`
}
