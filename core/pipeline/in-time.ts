// A combo's time for a request. When it is over before an answer has begun, whatever is under way is broken off, and nothing
// is held against it: whoever hangs would have the client wait for as long as upstreams may be silent.
import type { ResolvedCombo } from '../routing/combo'
import { timedOut } from './combo-limits'
import { type ComboEnd, ComboRun } from './combo-run'
import type { PipelineDeps } from './handle-request'
import { Lane } from './lane'
import type { Running } from './outgoing'
import { Run } from './run'

const GIVEN_UP = 'given up: the time of the combo was over'

export type End = ComboEnd | 'exhausted'

/** A combo asked as a combo is, with its rounds and waits. */
export const answerInTime = (combo: ResolvedCombo, run: Run, running: Running, deps: PipelineDeps): Promise<ComboEnd> =>
  inTime(combo, run, running, deps, (asked) => asked.answer())

/** @param into gets what fails on the way */
export function inTime<E extends End>(
  combo: ResolvedCombo,
  into: Run,
  running: Running,
  deps: PipelineDeps,
  ask: (asked: ComboRun) => Promise<E>,
): Promise<E | ComboEnd> {
  return combo.config.comboTimeoutMs === 0
    ? ask(new ComboRun(combo, into, running, deps))
    : timed(combo, into, running, deps, ask)
}

async function timed<E extends End>(
  combo: ResolvedCombo,
  into: Run,
  running: Running,
  deps: PipelineDeps,
  ask: (asked: ComboRun) => Promise<E>,
): Promise<E | ComboEnd> {
  const { answer, record, caller } = running
  let isOver = false
  const lane = new Lane(answer, () => {
    if (!isOver) timer.cancel()
    return !isOver
  })
  const timer = deps.clock.after(combo.config.comboTimeoutMs, () => {
    isOver = true
    lane.leave()
  })
  const beside: Running = {
    ...running,
    answer: lane,
    record: record.aside(caller, null, () => (isOver ? GIVEN_UP : null)),
  }
  const run = new Run(beside, deps)
  answer.listen(
    () => lane.leave(),
    () => lane.drained(),
  )
  try {
    const end = await ask(new ComboRun(combo, run, beside, deps))
    if (end === 'done') record.adopt(beside.record)
    return isOver && end === 'left' ? { error: timedOut(combo, run.failed) } : end
  } finally {
    timer.cancel()
    answer.listen(null, null)
    into.take(run)
  }
}
