// One request from top to bottom: read, resolve, choose, try, answer, log. A stranger learns the product here.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Clock } from '../clock'
import type { ResilienceSettings } from '../contract/resilience-settings'
import type { Settings } from '../contract/settings'
import type { RequestView } from '../contract/views'
import type { DialectModule } from '../dialects/dialect'
import type { ResponseStore } from '../dialects/openai-responses/response-store'
import { GatewayError } from '../errors'
import type { Slots } from '../flow/slots'
import { readJsonBody } from '../http/read-body'
import type { RequestBody } from '../http/request-body'
import type { KnownFacts } from '../models/known-facts'
import type { Tokens } from '../oauth/fresh-connection'
import type { ConnectionBook } from '../providers/connection-book'
import type { ProviderRow } from '../providers/provider-row'
import type { QuotaBook } from '../quotas/quota-book'
import type { Health } from '../resilience/health'
import type { Verdict } from '../resilience/verdict/verdict'
import type { AccountSessions } from '../routing/account-sessions'
import type { ResolvedCombo } from '../routing/combo'
import type { ComboSessions } from '../routing/combo-sessions'
import type { ComboStates } from '../routing/combo-states'
import type { ContextRelays } from '../routing/context-relays'
import type { ModelWorld } from '../routing/model-world'
import type { OutputSizes } from '../routing/output-sizes'
import type { PromisedPlaces } from '../routing/promised-places'
import type { Target } from '../routing/resolve-model'
import type { TargetStats } from '../routing/target-stats'
import { ClientAnswer, type Framing } from './client-answer'
import { ClientRequest } from './client-request'
import { continueConversation } from './conversation'
import { type FinalAnswer, finalAnswer } from './final-error'
import { downstreamHeaders, headerSafe } from './headers'
import { answerInTime } from './in-time'
import type { Outcome } from './outcome'
import { ownHeaders, type Running } from './outgoing'
import { RequestRecorder } from './request-recorder'
import { Run } from './run'
import type { SilenceWatch } from './silence-watch'
import type { Transport } from './transport'

export interface PipelineDeps {
  readonly clock: Clock
  readonly transport: () => Transport
  readonly world: () => ModelWorld
  readonly responses: ResponseStore
  readonly book: Pick<ConnectionBook, 'find'>
  readonly logins: Tokens
  readonly health: Health
  readonly resilience: () => ResilienceSettings
  /** What a client's name means. @throws GatewayError 400, 404 */
  readonly resolve: (name: string, clientKeyId: string | null) => Meant
  readonly comboStates: ComboStates
  readonly comboSessions: ComboSessions
  readonly relays: ContextRelays
  readonly slots: Slots
  readonly watch: SilenceWatch
  readonly factsOf: (provider: string, model: string) => KnownFacts | null
  /** Until the facts are at hand; null: they are. */
  readonly factsLearned: () => Promise<void> | null
  /** Requests under way at a connection, promised ones too. */
  readonly inFlight: (connectionId: string) => number
  readonly promised: PromisedPlaces
  /** 0 ≤ x < 1 */
  readonly random: () => number
  readonly quotas: QuotaBook
  readonly stats: TargetStats
  readonly outputSizes: OutputSizes
  readonly sessions: AccountSessions
  /** What an outcome proves, by the rules in force. */
  readonly judge: (outcome: Outcome, row: ProviderRow, model: string) => Verdict
  /** How long the queue would hold a request, in milliseconds. */
  readonly queueMs: () => number
  /** IANA zone of the user. */
  readonly timeZone: string
  readonly settings: () => Settings
  readonly newId: (prefix: string) => string
  readonly started: (answer: ClientAnswer) => void
  /** Exactly once per request. */
  readonly finished: (answer: ClientAnswer, record: RequestView, caller: Caller) => void
  readonly attemptStarted: (connectionId: string) => void
  readonly attemptFinished: (connectionId: string) => void
  /** Nobody could answer: the error names every exclusion. */
  readonly nobodyLeft: (error: GatewayError, requestId: string) => void
  /** A fault of our own: its stack belongs in the log and nowhere else. */
  readonly unexpected: (error: unknown, requestId: string) => void
  /** Takes known secrets out of an upstream's words before anyone sees them. */
  readonly redact: (text: string) => string
}

export type Meant =
  | { readonly kind: 'model'; readonly target: Target }
  | { readonly kind: 'combo'; readonly combo: ResolvedCombo }

export interface Caller {
  readonly requestId: string
  /** What the client calls the request; ours where it gave none. */
  readonly echoedId: string
  readonly clientKey: string
  readonly clientKeyId: string | null
  readonly endpoint: string
  /** Path of the URL; Gemini's names the model. */
  readonly path: string
  readonly call: DialectModule
  /** Another form for the stream than server-sent events. */
  readonly framing: Framing | null
  /** Answers from what the gateway itself knows where no upstream can: token counts. */
  readonly fallback: ((client: ClientRequest) => Promise<string>) | null
  /** The gateway asks by itself, for this client. */
  readonly isOwn?: true
}

/**
 * Never rejects: whatever happens becomes the client's answer and one log entry.
 * @param from a request of the gateway's own is there already
 */
export async function handleRequest(
  from: IncomingMessage | ClientRequest,
  response: ServerResponse,
  caller: Caller,
  deps: PipelineDeps,
): Promise<void> {
  const { call } = caller
  const request = from instanceof ClientRequest ? OWN : from
  const answer = new ClientAnswer(response, call, caller.echoedId, deps.clock, caller.framing)
  const record = new RequestRecorder(caller, request.headers['user-agent'], deps.clock)
  deps.started(answer)
  try {
    const settings = deps.settings()
    if (settings.paused) throw pausedError()
    const limits = { maxBytes: settings.bodyLimitMb * 1_048_576 }
    const client =
      from instanceof ClientRequest
        ? from
        : clientRequest(await readJsonBody(from, call.wantedFields, limits, deps.clock), caller)
    const { asked } = client
    record.asked(asked.model, asked.stream)
    const meant = deps.resolve(asked.model, caller.clientKeyId)
    const native = meant.kind === 'model' && meant.target.provider.row.endpoints['openai-responses'] !== undefined
    const continued = continueConversation(client, deps.responses, native)
    if (asked.stream) answer.openAfter(settings.headerHoldMs)
    const running = { request, ...continued, settings, answer, record, caller }
    if (meant.kind === 'combo') await answerFromCombo(meant.combo, running, deps)
    else await answerFrom(meant.target, running, deps)
  } catch (error) {
    if (!(error instanceof GatewayError)) deps.unexpected(error, caller.requestId)
    const known = error instanceof GatewayError ? error : internalError(error)
    record.refused(known)
    answer.fail(known)
  }
  deps.finished(answer, record.finish(answer), caller)
}

const OWN = { headers: { 'user-agent': 'breakwater' } }

/** @throws GatewayError 400 */
function clientRequest(body: RequestBody, { call, path }: Caller): ClientRequest {
  call.checkRequest(body)
  return new ClientRequest(call, call.readAsked(body, path), body)
}

async function answerFrom(target: Target, running: Running, deps: PipelineDeps): Promise<void> {
  const { caller, record } = running
  const run = new Run(running, deps)
  const first = await run.walk(target)
  if (first === 'done') return
  // What the gateway can answer by itself is not waited for.
  const walked = first === 'exhausted' && caller.fallback === null ? await run.again(target) : first
  if (walked === 'done') return
  if (walked === 'left') return record.left()
  return caller.fallback === null ? giveUp(target, run, running, deps) : answerLocally(running)
}

async function answerFromCombo(combo: ResolvedCombo, running: Running, deps: PipelineDeps): Promise<void> {
  const { caller, record } = running
  const run = new Run(running, deps)
  if (caller.fallback !== null) return answerLocally(running)
  // Prices, sizes and abilities decide who is asked: after a change of the models they are learned anew.
  const learned = deps.factsLearned()
  if (learned !== null) await learned
  const end = await answerInTime(combo, run, running, deps)
  if (end === 'done') return
  if (end === 'left') return record.left()
  tell('relay' in end ? lastWord(combo, run, caller, deps) : { kind: 'own', error: end.error }, running, deps)
}

/** The error of the last target that was asked. */
function lastWord(
  { name }: ResolvedCombo,
  { failed, lastTarget }: Run,
  { call }: Caller,
  { clock }: PipelineDeps,
): FinalAnswer {
  if (lastTarget === null) {
    return {
      kind: 'own',
      error: new GatewayError('no_executable_targets', 404, `The combo "${name}" has no target that can be asked.`),
    }
  }
  return finalAnswer({ target: lastTarget, dialect: call.name, failed, excluded: [], now: clock.now() })
}

async function answerLocally({ caller, client, record, answer, ...running }: Running): Promise<void> {
  if (caller.fallback === null) return
  record.answeredLocally()
  const text = await caller.fallback(client)
  const own = ownHeaders({ caller, client, record, answer, ...running }, null)
  answer.sendWhole(200, [...own, 'x-breakwater-estimate', 'true', 'content-type', 'application/json'], text)
}

function giveUp(target: Target, run: Run, running: Running, deps: PipelineDeps): void {
  const excluded = run.exclusions(target)
  const ending = { target, dialect: running.caller.call.name, failed: run.failed, excluded, now: deps.clock.now() }
  tell(finalAnswer(ending), running, deps)
}

function tell(final: FinalAnswer, running: Running, deps: PipelineDeps): void {
  const { answer, record } = running
  if (final.kind === 'own') {
    record.refused(final.error)
    deps.nobodyLeft(final.error, running.caller.echoedId)
    answer.fail(final.error, ownHeaders(running, null))
    return
  }
  const { status, headers, body } = final.error
  const text = deps.redact(body.toString('utf8'))
  record.relayed(status)
  if (answer.isOpen) return answer.fail(openError(status, text))
  const passed = downstreamHeaders(headers).map((text) => headerSafe(deps.redact(text)))
  const isStated = final.retryAfterS === null || headers['retry-after'] !== undefined
  const returns = isStated ? [] : ['retry-after', String(final.retryAfterS)]
  answer.sendWhole(status, [...passed, ...returns, ...ownHeaders(running, null)], text)
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
