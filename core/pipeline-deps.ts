// What the pipeline works with: the opened data, and what is only remembered for as long as the gateway runs.
import { ResponseStore } from './dialects/openai-responses/response-store'
import { Slots } from './flow/slots'
import type { Host } from './host'
import type { OpenParts } from './open-parts'
import type { ClientAnswer } from './pipeline/client-answer'
import type { PipelineDeps } from './pipeline/handle-request'
import { judgeOutcome } from './pipeline/outcome'
import { SilenceWatch } from './pipeline/silence-watch'
import { judge } from './resilience/verdict/judge'
import { AccountSessions } from './routing/account-sessions'
import { ComboSessions } from './routing/combo-sessions'
import { ComboStates } from './routing/combo-states'
import { ContextRelays } from './routing/context-relays'
import { OutputSizes } from './routing/output-sizes'
import { PromisedPlaces } from './routing/promised-places'
import { resolveTarget } from './routing/resolve-name'
import { TargetStats } from './routing/target-stats'
import { newId } from './store/ids'
import { logFailure } from './telemetry/log-failure'
import { logNobodyLeft } from './telemetry/log-nobody-left'

/** How long the request queue holds a request at most (docs/resilience.md, "Stated waits"). */
const QUEUE_MS = 30_000
/** Of the user, for quotas that return at midnight. */
export const { timeZone } = Intl.DateTimeFormat().resolvedOptions()

export type Memories = ReturnType<typeof createMemories>

/** Outlive the data, which may be closed and opened anew. */
export const createMemories = ({ clock }: Pick<Host, 'clock'>) => ({
  responses: new ResponseStore(clock),
  comboStates: new ComboStates(),
  comboSessions: new ComboSessions(),
  promised: new PromisedPlaces(),
  relays: new ContextRelays(),
  slots: new Slots(clock),
  watch: new SilenceWatch(clock),
  stats: new TargetStats(),
  outputSizes: new OutputSizes(),
  sessions: new AccountSessions(),
})

export interface RequestEvents {
  started(answer: ClientAnswer): void
  /** Its entry has been handed to the log. */
  finished(answer: ClientAnswer): void
}

export function pipelineDeps(host: Host, opened: OpenParts, memories: Memories, events: RequestEvents): PipelineDeps {
  const { clock, log } = host
  const { activity, combos, models } = opened
  const { promised, outputSizes } = memories
  return {
    ...memories,
    clock,
    transport: opened.transport,
    world: models.book.world,
    book: opened.book,
    logins: opened.logins,
    health: opened.health,
    resilience: opened.resilience.snapshot,
    resolve(name, clientKeyId) {
      const found = resolveTarget(name, models.book.world(), combos.snapshot(), clientKeyId)
      return found.kind === 'combo' ? { kind: 'combo', combo: combos.resolved(found.combo) } : found
    },
    factsOf: (provider, model) => models.book.factsOf(provider, model),
    factsLearned: () => models.book.factsLearned(),
    inFlight: (id) => activity.of(id).inFlight + promised.count(id, clock.now()),
    random: host.random,
    quotas: opened.quotas,
    judge: (outcome, provider, model) =>
      judgeOutcome(outcome, { provider, model, now: clock.now(), timeZone }, (signal) =>
        judge(signal, opened.rules.snapshot()),
      ),
    queueMs: () => QUEUE_MS,
    timeZone,
    newId,
    settings: opened.settings.snapshot,
    started: events.started,
    finished(answer, record, caller) {
      opened.metrics.finished(record)
      if (record.outcome === 'failed' || record.outcome === 'truncated') logFailure(log, record)
      // Counting tokens says nothing about an upstream's health.
      if (caller.fallback === null) activity.finished(record)
      if (record.outcome === 'ok' && record.outputTokens !== null) outputSizes.note(record.model, record.outputTokens)
      opened.requestLog.add(record)
      events.finished(answer)
    },
    attemptStarted(id) {
      promised.taken(id)
      activity.started(id)
    },
    attemptFinished: (id) => activity.ended(id),
    nobodyLeft: (error, requestId) => logNobodyLeft(log, error, requestId, clock.now()),
    unexpected: (error, requestId) =>
      log.error(
        { requestId, error: error instanceof Error ? error.stack : String(error) },
        'a request failed inside the gateway',
      ),
    redact: host.redact,
  }
}
