// One connection's turn: made ready, called, and called once more where the first refusal can be mended at once and is
// nobody's fault: a token that has just been renewed, reasoning whose issuer does not know it.
import { afterRefusal, freshConnection, type Ready } from '../oauth/fresh-connection'
import { type Connection, type Endpoint, unusableBecause } from '../providers/registry'
import { classify, type Verdict } from '../resilience/classify'
import type { Target } from '../routing/resolve-model'
import type { AttemptResult } from './answer-reader'
import { runAttempt } from './attempt'
import type { PipelineDeps } from './handle-request'
import { chooseEndpoint, type Running, toCall } from './outgoing'

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
  return ready instanceof Promise ? ready.then((later) => route(target, later, running)) : route(target, ready, running)
}

function route(target: Target, ready: Ready, { caller, unusableFor }: Running): Reached {
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
}

/** @throws GatewayError 400 naming what the connection's dialect cannot carry */
export async function tryConnection(
  target: Target,
  first: Route,
  running: Running,
  deps: PipelineDeps,
): Promise<Tried> {
  let at = first
  let tried = await tryOnce(target, at, running, deps)
  if (refusedToken(tried)) {
    const renewed = await afterRefusal(at.connection, deps.logins, deps.book)
    const next = renewed === null ? null : route(target, renewed, running)
    if (next !== null && !('because' in next)) {
      at = next
      tried = await tryOnce(target, at, running, deps)
    }
  }
  const client = refusedReasoning(tried) ? running.client.withoutThinking() : null
  return client === null ? tried : tryOnce(target, at, { ...running, client }, deps)
}

async function tryOnce(target: Target, route: Route, running: Running, deps: PipelineDeps): Promise<Tried> {
  const call = toCall(target, route, running, deps)
  const { connection } = route
  const attempt = running.record.attempt(target, connection)
  deps.attemptStarted(connection.id)
  const report = await runAttempt(call)
  deps.attemptFinished(connection.id)
  const { result } = report
  switch (result.kind) {
    case 'answered':
    case 'truncated':
      attempt.answered(report, result)
      return { result, verdict: null }
    case 'aborted':
      attempt.aborted(report)
      return { result, verdict: null }
    case 'failed': {
      const judged = classify(result.outcome)
      const verdict = { ...judged, message: deps.redact(judged.message) }
      attempt.failed(report, verdict)
      return { result, verdict }
    }
  }
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
