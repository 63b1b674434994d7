// A request as the log keeps it: a list instead of an object, for names would be half of what is written. New members
// are added at the end of a list; one that an older version wrote does not have them.
import type { Dialect, Reason } from '../contract/kinds'
import type { AttemptView, RequestView } from '../contract/views'

export type StoredRequest = [
  id: string,
  at: number,
  clientKey: string,
  tool: string,
  endpoint: string,
  dialect: Dialect,
  model: string,
  target: string | null,
  stream: 0 | 1,
  outcome: RequestView['outcome'],
  status: number,
  code: string | null,
  message: string,
  firstByteMs: number | null,
  totalMs: number,
  inputTokens: number | null,
  outputTokens: number | null,
  attempts: StoredAttempt[],
]

/** An attempt's place in the list is its index. */
type StoredAttempt = [
  provider: string,
  model: string,
  connectionId: string,
  connectionName: string,
  outcome: AttemptView['outcome'],
  status: number | null,
  reason: Reason | null,
  message: string,
  next: string,
  startedAt: number,
  firstByteMs: number | null,
  totalMs: number,
]

export const toStored = (r: RequestView): StoredRequest => [
  r.id,
  r.at,
  r.clientKey,
  r.tool,
  r.endpoint,
  r.dialect,
  r.model,
  r.target,
  r.stream ? 1 : 0,
  r.outcome,
  r.status,
  r.code,
  r.message,
  r.firstByteMs,
  r.totalMs,
  r.inputTokens,
  r.outputTokens,
  r.attempts.map(toStoredAttempt),
]

const toStoredAttempt = (a: AttemptView): StoredAttempt => [
  a.provider,
  a.model,
  a.connectionId,
  a.connectionName,
  a.outcome,
  a.status,
  a.reason,
  a.message,
  a.next,
  a.startedAt,
  a.firstByteMs,
  a.totalMs,
]

export function fromStored(stored: StoredRequest): RequestView {
  const [id, at, clientKey, tool, endpoint, dialect, model, target, stream, ...end] = stored
  const [outcome, status, code, message, firstByteMs, totalMs, inputTokens, outputTokens, attempts] = end
  return {
    ...{ id, at, clientKey, tool, endpoint, dialect, model, target, stream: stream === 1 },
    ...{ outcome, status, code, message, firstByteMs, totalMs, inputTokens, outputTokens },
    attempts: attempts.map(fromStoredAttempt),
  }
}

function fromStoredAttempt(stored: StoredAttempt, index: number): AttemptView {
  const [provider, model, connectionId, connectionName, outcome, status, reason, message, next, ...times] = stored
  const [startedAt, firstByteMs, totalMs] = times
  return {
    ...{ index, provider, model, connectionId, connectionName, outcome, status, reason, message, next },
    ...{ startedAt, firstByteMs, totalMs },
  }
}
