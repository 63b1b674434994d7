// Combos that are carried out as a whole: a fusion asks all its members at once, a pipeline one after the other.
import type { Member } from '../../../core/routing/combo'
import { fusionPlan, panelDecision } from '../../../core/routing/strategies/fusion'
import { blockedStage, isStageRetried } from '../../../core/routing/strategies/pipeline'
import type { SimGateway } from './gateway'
import { type Process, Signal, start } from './processes'
import type { RequestRun } from './request-run'
import type { SimRequest } from './traffic'

/** A run of the whole combo's, or of one of its members alone, with a request of its own. */
export type RunOf = (request: SimRequest, member?: Member) => RequestRun

/** Milliseconds until the first content of what the client gets; null: it was not answered. */
export type WholeEnd = number | null

export function* fusionRun(request: SimRequest, runOf: RunOf, { clock }: SimGateway): Process<WholeEnd> {
  const run = runOf(request)
  const { members, config } = run.combo
  const startedAt = clock.now()
  for (;;) {
    const plan = fusionPlan({ members, usable: run.choose(), judge: null, usesTools: false }, config)
    if (plan.kind === 'panel') {
      const answered = yield* panelOf(plan.panel, plan.quorum)
      const panelMs = clock.now() - startedAt
      if (answered === 0) return null
      if (answered === 1) return panelMs
      const read = { ...request, inputTokens: request.inputTokens + answered * request.outputTokens }
      return yield* last(runOf(read, plan.judge), panelMs)
    }
    if (!(yield* run.wait())) return null
  }

  /** How many answered in time. */
  function* panelOf(panel: readonly Member[], quorum: number): Process<number> {
    const begunAt = clock.now()
    const changed = new Signal()
    let answered = 0
    let failed = 0
    let quorumAt: number | null = null
    for (const member of panel) {
      start(runOf(request, member).answer(), clock, (ok) => {
        if (ok) answered++
        else failed++
        if (answered >= quorum) quorumAt ??= clock.now()
        changed.fire()
      })
    }
    for (;;) {
      const progress = { size: panel.length, answered, failed, startedAt: begunAt, quorumAt }
      const decision = panelDecision(progress, config, clock.now())
      if (decision.kind === 'stop') return answered
      yield { ms: decision.until - clock.now(), signal: changed }
    }
  }
}

export function* pipelineRun(request: SimRequest, runOf: RunOf, { clock }: SimGateway): Process<WholeEnd> {
  const run = runOf(request)
  const { members, config } = run.combo
  const startedAt = clock.now()
  while (blockedStage(members, new Set(run.choose())) >= 0) if (!(yield* run.wait())) return null
  let { inputTokens } = request
  for (const [place, member] of members.entries()) {
    const isLast = place === members.length - 1
    for (let retries = 0; ; retries++) {
      const stage = runOf({ ...request, inputTokens }, member)
      const beforeMs = clock.now() - startedAt
      const firstMs = yield* last(stage, beforeMs)
      if (firstMs !== null) {
        if (isLast) return firstMs
        break
      }
      if (stage.status === null || !isStageRetried(stage.status, retries, config)) return null
      yield { ms: config.retryDelayMs }
    }
    inputTokens += request.outputTokens
  }
  return null
}

function* last(run: RequestRun, beforeMs: number): Process<WholeEnd> {
  return (yield* run.answer()) ? beforeMs + (run.firstMs ?? 0) : null
}
