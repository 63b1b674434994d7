// A combo that is carried out as a whole: the members of a fusion or a pipeline are not alternatives to each other.
import type { Member, ResolvedCombo } from '../routing/combo'
import type { ComboEnd, ComboRun } from './combo-run'
import type { PipelineDeps } from './handle-request'
import type { Running } from './outgoing'
import type { Run } from './run'

export async function runWhole(
  _combo: ResolvedCombo,
  _order: readonly Member[],
  _owner: ComboRun,
  _run: Run,
  _running: Running,
  _deps: PipelineDeps,
): Promise<ComboEnd | 'exhausted'> {
  return 'exhausted'
}
