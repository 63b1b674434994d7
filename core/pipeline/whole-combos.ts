// Combos whose members are not alternatives to each other: a fusion asks all of them, a pipeline one after the other.
// Either is carried out as a whole, for the client or as one member of another combo.
import type { Member, ResolvedCombo } from '../routing/combo'
import type { ComboEnd, ComboRun } from './combo-run'
import { runFusion } from './fusion-run'
import type { PipelineDeps } from './handle-request'
import type { Running } from './outgoing'
import { runPipeline } from './pipeline-run'
import type { Run } from './run'

/**
 * @param order members that may be used now, as listed
 * @param owner knows how much time is left
 * @param run gets what fails on the way
 * @returns `exhausted`: nobody could be asked; why, and whether to wait for it, is for the combo to say
 * @throws GatewayError 400 where the combo cannot be carried out as it is
 */
export function runWhole(
  combo: ResolvedCombo,
  order: readonly Member[],
  owner: ComboRun,
  run: Run,
  running: Running,
  deps: PipelineDeps,
): Promise<ComboEnd | 'exhausted'> {
  // A member of a resolved combo may have been copied since; its target is one and the same.
  const targets = new Set(order.map(({ target }) => target))
  const usable = combo.members.filter(({ target }) => targets.has(target))
  const whole = { combo, usable, owner, run, running, deps }
  return combo.strategy === 'fusion' ? runFusion(whole) : runPipeline(whole)
}

/** What carrying out a combo as a whole needs. */
export interface Whole {
  readonly combo: ResolvedCombo
  /** Its members that may be used now, as listed. */
  readonly usable: readonly Member[]
  readonly owner: Pick<ComboRun, 'isOverTime'>
  readonly run: Run
  readonly running: Running
  readonly deps: PipelineDeps
}
