// Combos as the window shows them, with what stands in the way of their steps.
import type { ComboView } from '../contract/combo-views'
import { strategyOf } from '../contract/combos'
import { comboWarnings, type WarningWorld } from '../routing/combo-warnings'
import type { StoredCombo } from '../store/combos-table'
import { usersOf } from './combo-uses'
import type { Parts } from './parts'

type ViewParts = Pick<Parts, 'combos' | 'models' | 'book'>

/** In the user's order. */
export function comboViews(parts: ViewParts): ComboView[] {
  const world = warningWorld(parts)
  const { list } = parts.combos.snapshot()
  return list.map((combo) => viewIn(world, combo, list))
}

export const comboView = (combo: StoredCombo, parts: ViewParts): ComboView =>
  viewIn(warningWorld(parts), combo, parts.combos.snapshot().list)

/** Read out: what is in force must not be changed by whoever looks. */
const viewIn = (world: WarningWorld, combo: StoredCombo, all: readonly StoredCombo[]): ComboView => ({
  id: combo.id,
  name: combo.name,
  strategy: strategyOf(combo),
  config: structuredClone({ ...combo.config }),
  steps: combo.steps.map((step) => structuredClone(step)),
  usedBy: usersOf(
    combo.name,
    all.filter(({ id }) => id !== combo.id),
  ).map(({ name }) => name),
  warnings: comboWarnings(combo, world),
  createdAt: combo.createdAt,
  updatedAt: combo.updatedAt,
})

export function warningWorld({ combos, models, book }: ViewParts): WarningWorld {
  const world = models.book.world()
  return {
    registry: book.registry(),
    combos: combos.snapshot().byName,
    stepModel: combos.stepModel,
    has: (provider, model) => models.book.has(provider, model),
    resolved: (combo) => combos.resolved(combo),
    ownNames: new Set(world.aliases.forAll.exact.keys()),
  }
}
