// One request from top to bottom: read, resolve, choose, try, answer, log. A stranger learns the product here.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Clock } from '../clock'
import type { Settings } from '../contract/settings'
import type { RequestView } from '../contract/views'
import type { DialectModule } from '../dialects/dialect'
import { GatewayError } from '../errors'
import { readJsonBody } from '../http/read-body'
import type { RequestBody } from '../http/request-body'
import type { Connection, Endpoint, Registry } from '../providers/registry'
import { unusableBecause } from '../providers/registry'
import { classify } from '../resilience/classify'
import { resolveModel, type Target } from '../routing/resolve-model'
import { runAttempt } from './attempt'
import { ClientAnswer } from './client-answer'
import { type Exclusion, type FailedAttempt, finalAnswer } from './final-error'
import { downstreamHeaders, headerSafe, upstreamHeaders } from './headers'
import { RequestRecorder } from './request-recorder'
import type { Transport } from './transport'

export interface PipelineDeps {
  readonly clock: Clock
  readonly transport: () => Transport
  readonly registry: () => Registry
  readonly settings: () => Settings
  readonly started: (answer: ClientAnswer) => void
  /** Exactly once per request. */
  readonly finished: (answer: ClientAnswer, record: RequestView) => void
  readonly attemptStarted: (connectionId: string) => void
  readonly attemptFinished: (connectionId: string) => void
  /** A fault of our own: its stack belongs in the log and nowhere else. */
  readonly unexpected: (error: unknown, requestId: string) => void
  /** Takes known secrets out of an upstream's words before anyone sees them. */
  readonly redact: (text: string) => string
}

export interface Caller {
  readonly requestId: string
  /** What the client calls the request; ours where it gave none. */
  readonly echoedId: string
  readonly clientKey: string
  readonly endpoint: string
  readonly dialect: DialectModule
}

/** Never rejects: whatever happens becomes the client's answer and one log entry. */
export async function handleRequest(
  request: IncomingMessage,
  response: ServerResponse,
  caller: Caller,
  deps: PipelineDeps,
): Promise<void> {
  const answer = new ClientAnswer(response, caller.dialect, caller.echoedId, deps.clock)
  const record = new RequestRecorder(caller, request.headers['user-agent'], deps.clock)
  deps.started(answer)
  try {
    const settings = deps.settings()
    if (settings.paused) throw pausedError()
    const limits = { maxBytes: settings.bodyLimitMb * 1_048_576 }
    const body = await readJsonBody(request, caller.dialect.wantedFields, limits, deps.clock)
    caller.dialect.checkRequest(body)
    const name = body.string('model') as string
    const stream = body.isTrue('stream')
    record.asked(name, stream)
    const target = resolveModel(name, deps.registry())
    if (stream) answer.openAfter(settings.headerHoldMs)
    await answerFrom(target, { request, body, stream, settings, answer, record, caller }, deps)
  } catch (error) {
    if (!(error instanceof GatewayError)) deps.unexpected(error, caller.requestId)
    const known = error instanceof GatewayError ? error : internalError(error)
    record.refused(known)
    answer.fail(known)
  }
  deps.finished(answer, record.finish(answer))
}

interface Running {
  readonly request: IncomingMessage
  readonly body: RequestBody
  readonly stream: boolean
  readonly settings: Settings
  readonly answer: ClientAnswer
  readonly record: RequestRecorder
  readonly caller: Caller
}

/** Tries the provider's connections in order until one answers or none can. */
async function answerFrom(target: Target, running: Running, deps: PipelineDeps): Promise<void> {
  const { answer, caller, record } = running
  const failed: FailedAttempt[] = []
  const excluded: Exclusion[] = []
  for (const connection of target.provider.connections) {
    // The gates of health (breaker, cooldown, lockout) belong here, each adding its exclusion.
    const because = unusableBecause(target.provider.row, connection)
    const endpoint = connection.endpoints.find(({ dialect }) => dialect === caller.dialect.name)
    if (because !== null || endpoint === undefined) {
      excluded.push({ connection: connection.name, because: because ?? `it does not speak ${caller.dialect.name}` })
      continue
    }
    const attempt = record.attempt(target, connection)
    deps.attemptStarted(connection.id)
    const report = await runAttempt(callTo(target, connection, endpoint, running, deps))
    deps.attemptFinished(connection.id)
    const { result } = report
    switch (result.kind) {
      case 'answered':
      case 'truncated':
        attempt.answered(report, result)
        return
      case 'aborted':
        attempt.aborted(report)
        return
      case 'failed': {
        const judged = classify(result.outcome)
        const verdict = { ...judged, message: deps.redact(judged.message) }
        attempt.failed(report, verdict)
        failed.push({ connection: connection.name, verdict, error: result.error })
        if (verdict.next === 'stop') return giveUp()
      }
    }
  }
  return giveUp()

  function giveUp(): void {
    const final = finalAnswer(target, caller.dialect.name, failed, excluded)
    if (final.kind === 'own') {
      record.refused(final.error)
      answer.fail(final.error, ownHeaders(running, null))
      return
    }
    const { status, headers, body } = final.error
    const text = deps.redact(body.toString('utf8'))
    record.relayed(status)
    if (answer.isOpen) answer.fail(openError(status, text))
    else
      answer.sendWhole(
        status,
        [...downstreamHeaders(headers).map((text) => headerSafe(deps.redact(text))), ...ownHeaders(running, null)],
        text,
      )
  }
}

function callTo(target: Target, connection: Connection, endpoint: Endpoint, running: Running, deps: PipelineDeps) {
  const { body, caller, stream, settings, answer, request } = running
  const { dialect } = caller
  const asksUsage = target.provider.row.reportsUsageOnRequest && dialect.canAskForUsage(body)
  const chunks = upstreamBody(body, target.model, asksUsage)
  let length = 0
  for (const chunk of chunks) length += chunk.length
  return {
    transport: deps.transport(),
    origin: endpoint.origin,
    path: endpoint.basePath + dialect.generatePath,
    headers: upstreamHeaders(request.headers, dialect, endpoint, length),
    body: chunks,
    dialect,
    stream,
    removeUsage: asksUsage,
    answer,
    answerHeaders: (upstream: Parameters<typeof downstreamHeaders>[0]) => [
      ...downstreamHeaders(upstream),
      ...ownHeaders(running, { target, connection }),
    ],
    redact: deps.redact,
    settings,
    clock: deps.clock,
  }
}

/** The client's bytes with the bare model name in place of the one it wrote. */
function upstreamBody(body: RequestBody, model: string, asksUsage: boolean): readonly Buffer[] {
  const field = body.notes.fields.get('model')
  if (field === undefined) return body.chunks
  const rename = { start: field.start, end: field.end, text: JSON.stringify(model) }
  if (!asksUsage) return body.edited([rename])
  const at = body.notes.firstMember
  return body.edited([{ start: at, end: at, text: '"stream_options":{"include_usage":true},' }, rename])
}

function ownHeaders(
  { caller, record }: Running,
  answered: { target: Target; connection: Connection } | null,
): string[] {
  const headers = ['x-request-id', caller.echoedId, 'x-breakwater-attempts', String(record.attempts)]
  if (answered === null) return headers
  const { target, connection } = answered
  headers.push(
    'x-breakwater-target',
    headerSafe(`${target.provider.row.id}/${target.model}`),
    'X-OmniRoute-Selected-Connection-Id',
    connection.id,
  )
  return headers
}

const pausedError = (): GatewayError =>
  new GatewayError('gateway_paused', 503, 'The gateway is paused. Resume it from the tray or the window.')

const openError = (status: number, text: string): GatewayError =>
  new GatewayError('upstream_error', status, `The upstream answered ${status}: ${text.slice(0, 500)}`)

const internalError = (error: unknown): GatewayError =>
  new GatewayError(
    'internal_server_error',
    500,
    'The gateway failed on this request; its log says why.',
    {},
    { cause: error },
  )
