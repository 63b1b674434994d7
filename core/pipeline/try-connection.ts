// One connection's turn: made ready, called, and called once more where the first refusal can be mended at once and is
// nobody's fault: a token that has just been renewed, reasoning whose issuer does not know it.
import { afterRefusal, freshConnection, type Ready } from '../oauth/fresh-connection'
import type { ProviderRow } from '../providers/provider-row'
import { type Connection, type Endpoint, unusableBecause } from '../providers/registry'
import { failureOf } from '../resilience/failure-of'
import type { Admission } from '../resilience/health-events'
import { consequencesOf, type Situation } from '../resilience/verdict/consequences'
import type { Verdict } from '../resilience/verdict/verdict'
import type { Target } from '../routing/resolve-model'
import type { AttemptResult } from './answer-reader'
import { type AttemptReport, runAttempt } from './attempt'
import type { PipelineDeps } from './handle-request'
import { type Asking, chooseEndpoint, type Running, toCall } from './outgoing'
import type { AttemptRecorder } from './request-recorder'

/** Where the connection is called. */
export interface Route {
  readonly connection: Connection
  readonly endpoint: Endpoint
}

export type Reached = Route | { readonly because: string }

/** A promise only where a sign-in must be renewed first. */
export function reach(
  target: Target,
  connection: Connection,
  running: Running,
  { logins, book }: PipelineDeps,
): Reached | Promise<Reached> {
  const because = unusableBecause(target.provider.row, connection)
  if (because !== null) return { because }
  const ready = freshConnection(connection, logins, book)
  return ready instanceof Promise
    ? ready.then((later) => routeOf(target, later, running))
    : routeOf(target, ready, running)
}

/** Where a connection that is ready takes this request. */
export function routeOf(target: Target, ready: Ready, { caller, unusableFor }: Asking): Reached {
  if ('because' in ready) return ready
  const endpoint = chooseEndpoint(target, ready, caller.call)
  if (endpoint === null) return { because: `it does not speak ${caller.call.name}` }
  const because = unusableFor?.(ready, endpoint) ?? null
  return because === null ? { connection: ready, endpoint } : { because }
}

export interface Tried {
  readonly result: AttemptResult
  /** Only of a failure. */
  readonly verdict: Verdict | null
  /** Milliseconds from the call to the answer's first bytes; null: none came. */
  readonly firstByteMs: number | null
}

/**
 * @param admission what health let through; null where nothing is held against anyone
 * @throws GatewayError 400 naming what the connection's dialect cannot carry
 */
export async function tryConnection(
  target: Target,
  first: Route,
  admission: Admission | null,
  running: Running,
  deps: PipelineDeps,
  sameProviderNext = false,
): Promise<Tried> {
  try {
    let tried = await tryOnce(target, first, admission, running, deps)
    if (tried.result.kind === 'failed') tried = await repaired(tried, target, first, admission, running, deps)
    settle(target, first.connection, admission, tried, sameProviderNext, running, deps)
    return tried
  } catch (error) {
    // Nothing was sent, or something of our own broke: it proves nothing.
    if (admission !== null) deps.health.aborted(admission)
    throw error
  }
}

/** The outcome of a second call where the first refusal could be mended; else the first. */
async function repaired(
  first: Tried,
  target: Target,
  route: Route,
  admission: Admission | null,
  running: Running,
  deps: PipelineDeps,
): Promise<Tried> {
  let at = route
  let tried = first
  if (refusedToken(tried)) {
    const renewed = await afterRefusal(at.connection, deps.logins, deps.book)
    const next = renewed === null ? null : routeOf(target, renewed, running)
    if (next !== null && !('because' in next)) {
      at = next
      tried = await tryOnce(target, at, admission, running, deps)
    }
  }
  const client = refusedReasoning(tried) ? running.client.withoutThinking() : null
  return client === null ? tried : tryOnce(target, at, admission, { ...running, client }, deps)
}

function tryOnce(
  target: Target,
  route: Route,
  admission: Admission | null,
  running: Running,
  deps: PipelineDeps,
): Promise<Tried> {
  const call = toCall(target, route, running, deps)
  const { connection } = route
  const attempt = running.record.attempt(target, connection, running.note)
  deps.attemptStarted(connection.id)
  running.answer.onCommit = admission === null ? null : () => deps.health.began(admission)
  return runAttempt(call, (report) => {
    running.answer.onCommit = null
    deps.attemptFinished(connection.id)
    return conclude(report, attempt, target, connection, deps)
  })
}

function conclude(
  report: AttemptReport,
  attempt: AttemptRecorder,
  target: Target,
  connection: Connection,
  deps: PipelineDeps,
): Tried {
  const { result, firstByteMs } = report
  switch (result.kind) {
    case 'answered':
      attempt.answered(report, result)
      return { result, verdict: null, firstByteMs }
    case 'truncated': {
      const verdict = deps.judge(result.outcome, rowFor(target, connection), target.model)
      attempt.answered(report, result, verdict.reason)
      return { result, verdict, firstByteMs }
    }
    case 'aborted':
      attempt.aborted(report)
      return { result, verdict: null, firstByteMs }
    case 'failed': {
      const judged = deps.judge(result.outcome, rowFor(target, connection), target.model)
      const verdict = { ...judged, message: deps.redact(judged.message) }
      attempt.failed(report, verdict)
      return { result, verdict, firstByteMs }
    }
  }
}

/** Tells health what came of it, once. */
function settle(
  target: Target,
  connection: Connection,
  admission: Admission | null,
  { result, verdict }: Tried,
  sameProviderNext: boolean,
  { caller }: Running,
  deps: PipelineDeps,
): void {
  if (admission === null) return
  const { health } = deps
  // Counting tokens says nothing about an upstream's health.
  if (caller.fallback !== null || result.kind === 'aborted') return health.aborted(admission)
  if (verdict === null) return health.succeeded(admission)
  const row = rowFor(target, connection)
  const consequences = consequencesOf(verdict, situationOf(row, connection, target.model, deps))
  health.failed(admission, { ...failureOf(verdict, consequences, deps.queueMs()), sameProviderNext })
}

/** What decides where it rests. How long, health itself knows: levels and streaks are its own. */
function situationOf(row: ProviderRow, connection: Connection, model: string, deps: PipelineDeps): Situation {
  return {
    ...{ row, model, connection: connection.id, settings: deps.resilience(), queueMs: deps.queueMs() },
    ...{ level: 0, modelFailures: 0, rejections: 0, credentialRetries: 0 },
    disableCooling: connection.settings.disableCooling === true,
    now: deps.clock.now(),
    timeZone: deps.timeZone,
  }
}

/** A connection may say for itself whether its limits are kept per model. */
function rowFor({ provider: { row } }: Target, { settings: { perModelQuota } }: Connection): ProviderRow {
  return perModelQuota === undefined || perModelQuota === row.perModelQuota ? row : { ...row, perModelQuota }
}

const refusedToken = ({ result }: Tried): boolean =>
  result.kind === 'failed' && result.outcome.kind === 'http' && result.outcome.status === 401

/** Signatures and encrypted reasoning of another issuer, and servers that take no reasoning back at all. */
const REFUSED_REASONING =
  /signature|encrypted[ _]content|thinking.{0,40}block|(?:reasoning(?:_content|_details)?|extra_content)\b.{0,60}(?:unsupported|not (?:supported|permitted|allowed)|unexpected|unknown|unrecognized)|(?:unsupported|unexpected|unknown|unrecognized|extra)\b.{0,60}(?:reasoning(?:_content|_details)?|extra_content)\b/i

const refusedReasoning = ({ result }: Tried): boolean =>
  result.kind === 'failed' &&
  result.outcome.kind === 'http' &&
  (result.outcome.status === 400 || result.outcome.status === 422) &&
  REFUSED_REASONING.test(result.outcome.text)
