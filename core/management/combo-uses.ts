// Which combos have another one as a step, as a judge or for their summaries, and how they follow it to a new name. Pure.
import { COMBO_PREFIX, type Combo } from '../contract/combos'

/** Those that have the combo of this name in them. */
export const usersOf = <T extends Combo>(name: string, others: readonly T[]): T[] =>
  others.filter(({ steps, config: { judgeModel, handoffModel } }) =>
    [...steps.map(({ combo, model }) => combo ?? model), judgeModel, handoffModel].some((used) => means(used, name)),
  )

/** The very same object where it does not use the one that is renamed. */
export function renamedIn<T extends Combo>(combo: T, from: string, to: string): T {
  if (from === to || usersOf(from, [combo]).length === 0) return combo
  const { judgeModel, handoffModel } = combo.config
  return {
    ...combo,
    steps: combo.steps.map((step) => ({
      ...step,
      combo: means(step.combo, from) ? to : step.combo,
      model: means(step.model, from) ? to : step.model,
    })),
    config: {
      ...combo.config,
      ...(means(judgeModel, from) ? { judgeModel: to } : {}),
      ...(means(handoffModel, from) ? { handoffModel: to } : {}),
    },
  }
}

const means = (used: string | null | undefined, name: string): boolean => used === name || used === COMBO_PREFIX + name
