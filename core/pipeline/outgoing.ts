// What goes up for one attempt: the connection's address and headers, and the body in the upstream's dialect.
import type { IncomingMessage } from 'node:http'
import type { Settings } from '../contract/settings'
import type { DialectModule } from '../dialects/dialect'
import { dialectModules } from '../dialects/dialects'
import { NOT_RENAMED } from '../dialects/tool-names'
import type { WriteContext } from '../dialects/translation'
import { GatewayError } from '../errors'
import { type Connection, callPath, type Endpoint, endpointsFor } from '../providers/registry'
import { sessionOf } from '../routing/account-sessions'
import type { Target } from '../routing/resolve-model'
import type { AttemptCall } from './attempt'
import type { Answer } from './client-answer'
import type { ClientRequest } from './client-request'
import { type Continued, keepingAnswer } from './conversation'
import type { Caller, PipelineDeps } from './handle-request'
import { downstreamHeaders, headerSafe, type UpstreamHeaders, upstreamHeaders } from './headers'
import type { RequestRecorder } from './request-recorder'
import type { Route } from './try-connection'

/** Of a request, what decides who can take it. */
export interface Asking extends Pick<Continued, 'client' | 'unusableFor'> {
  readonly request: Pick<IncomingMessage, 'headers'>
  readonly caller: Pick<Caller, 'call' | 'clientKeyId'>
}

export interface Running extends Continued {
  readonly request: Pick<IncomingMessage, 'headers'>
  readonly settings: Settings
  readonly answer: Answer
  readonly record: RequestRecorder
  readonly caller: Caller
  /** The client's own request, where another one goes up in its place: this is what is kept with the answer. */
  readonly kept?: ClientRequest
  /** What the log says of an answered attempt besides. */
  readonly note?: string
  /** Told when an upstream begins to answer well; nothing may be written yet. */
  readonly onBegin?: () => void
}

/** For the client, with another body than the client's own. */
export const inOtherWords = (running: Running, client: ClientRequest): Running => ({
  ...running,
  client,
  kept: running.kept ?? running.client,
  repeated: { ...running.client.json(), ...running.repeated },
})

/** The caller's own dialect where the connection serves the model in it, else one it can be translated to. */
export function chooseEndpoint(
  { provider, model }: Target,
  connection: Connection,
  call: DialectModule,
): Endpoint | null {
  const endpoints = endpointsFor(provider.row, connection, model)
  for (const endpoint of endpoints) if (endpoint.dialect === call.name) return endpoint
  return call.translation === null ? null : (endpoints[0] ?? null)
}

/** @throws GatewayError 400 naming what the upstream's dialect cannot carry */
export function toCall(
  target: Target,
  { connection, endpoint }: Route,
  running: Running,
  deps: PipelineDeps,
): AttemptCall {
  const { caller, client, settings, answer, request } = running
  const { stream } = client.asked
  const crossing = endpoint.dialect !== caller.call.name
  const upstream = crossing ? dialectModules[endpoint.dialect] : caller.call
  const { row } = target.provider
  const asksUsage = !crossing && row.reportsUsageOnRequest && client.canAskForUsage()
  const sent = crossing ? translated(target, upstream, running) : null
  const body = sent === null ? client.sameDialect(target.model, asksUsage) : [sent.body]
  if (row.class === 'oauth')
    deps.sessions.note(connection.id, sessionOf(request.headers, caller.clientKeyId), deps.clock.now())
  let length = 0
  for (const chunk of body) length += chunk.length
  const answered = { target, connection, dropped: [...running.leftOut, ...(sent?.dropped ?? [])] }
  return {
    transport: deps.transport(),
    proxy: connection.proxy,
    origin: endpoint.origin,
    path: callPath(endpoint, upstream, target.model, stream),
    headers: upstreamHeaders(request.headers, upstream, endpoint, length),
    body,
    caller: caller.call,
    upstream,
    renameTo: wantsOwnName(running, target) ? client.asked.model : null,
    ...keepingAnswer(running.kept ?? client, connection, deps.responses),
    context: () => sent?.context(deps) ?? sameDialectContext(running, deps),
    stream,
    removeUsage: asksUsage,
    answer,
    answerHeaders: (upstream: UpstreamHeaders) => [...downstreamHeaders(upstream), ...ownHeaders(running, answered)],
    redact: deps.redact,
    onHeaders: (headers, status) => {
      deps.quotas.note(connection.id, target, headers, deps.clock.now())
      if (status < 300) running.onBegin?.()
    },
    settings,
    clock: deps.clock,
    watch: deps.watch,
  }
}

function translated({ provider, model }: Target, upstream: DialectModule, { client, caller, repeated }: Running) {
  const { stream } = client.asked
  const { maxTokensField, builtIn } = provider.row
  // Clients of other dialects are always told the token counts; servers of one's own mostly know how to.
  const reportsUsageOnRequest = provider.row.reportsUsageOnRequest || !builtIn
  const made = client.translated(upstream, {
    model,
    stream,
    maxTokensField,
    reportsUsageOnRequest,
    maxOutputTokens: null,
  })
  return {
    body: Buffer.from(JSON.stringify(made.body)),
    dropped: made.dropped,
    context: ({ newId, clock }: PipelineDeps): WriteContext => ({
      requestId: caller.requestId,
      model: client.asked.model,
      now: clock.now(),
      request: made.request,
      renamedTools: made.renamedTools,
      body: repeated === null ? client.json() : { ...client.json(), ...repeated },
      newId,
    }),
  }
}

/** For an upstream of the caller's dialect that ignores whether a stream was asked for; null where it cannot be mended. */
function sameDialectContext({ client, caller }: Running, { newId, clock }: PipelineDeps): WriteContext | null {
  const { translation } = caller.call
  if (translation === null) return null
  try {
    const body = client.json()
    const request = translation.parseRequest(body, { dropped: () => {} })
    return {
      requestId: caller.requestId,
      model: client.asked.model,
      now: clock.now(),
      request,
      renamedTools: NOT_RENAMED,
      body,
      newId,
    }
  } catch (error) {
    // The upstream took what our own reading refuses: its answer cannot be put into another form.
    if (error instanceof GatewayError) return null
    throw error
  }
}

/** Claude Code reads the model's name in an answer; everyone else gets an answer's bytes as they came. */
const wantsOwnName = ({ request, caller, client }: Running, { model }: Target): boolean =>
  caller.call.renameModel !== undefined &&
  client.asked.model !== model &&
  (request.headers['user-agent']?.startsWith('claude-cli/') ?? false)

interface Answered {
  readonly target: Target
  readonly connection: Connection
  readonly dropped: readonly string[]
}

/** More names than this are counted, not listed. */
const MAX_DROPPED = 20

export function ownHeaders({ caller, record }: Running, answered: Answered | null): string[] {
  const headers = ['x-request-id', caller.echoedId, 'x-breakwater-attempts', String(record.attempts)]
  if (answered === null) return headers
  const { target, connection, dropped } = answered
  headers.push(
    'x-breakwater-target',
    headerSafe(`${target.provider.row.id}/${target.model}`),
    'X-OmniRoute-Selected-Connection-Id',
    connection.id,
  )
  if (dropped.length > 0) headers.push('x-breakwater-dropped', headerSafe(droppedText(dropped)))
  return headers
}

function droppedText(dropped: readonly string[]): string {
  const more = dropped.length - MAX_DROPPED
  return dropped.slice(0, MAX_DROPPED).join(', ') + (more > 0 ? `, and ${more} more` : '')
}
