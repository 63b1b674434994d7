// What carries out combos, on everything real but time and sockets: the clock is moved by the test, and each call that
// goes up waits until the test answers it. Providers are called p1, p2, …, with one connection each.
import { EventEmitter } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { Dispatcher } from 'undici'
import { completeConfig, type SetConfig } from '../../core/contract/combo-config'
import type { AnyStrategyName } from '../../core/contract/combo-strategies'
import { SETTING_KEYS, SETTINGS, type Settings } from '../../core/contract/settings'
import type { RequestView } from '../../core/contract/views'
import type { DialectModule } from '../../core/dialects/dialect'
import { openAiChat } from '../../core/dialects/openai-chat/openai-chat'
import { ResponseStore } from '../../core/dialects/openai-responses/response-store'
import { Slots } from '../../core/flow/slots'
import { ClientAnswer } from '../../core/pipeline/client-answer'
import { ClientRequest } from '../../core/pipeline/client-request'
import type { PipelineDeps } from '../../core/pipeline/handle-request'
import { answerInTime } from '../../core/pipeline/in-time'
import { judgeOutcome } from '../../core/pipeline/outcome'
import type { Running } from '../../core/pipeline/outgoing'
import { RequestRecorder } from '../../core/pipeline/request-recorder'
import { Run } from '../../core/pipeline/run'
import { SilenceWatch } from '../../core/pipeline/silence-watch'
import { providerRow } from '../../core/providers/provider-row'
import { buildConnection, type Provider } from '../../core/providers/registry'
import { QuotaBook } from '../../core/quotas/quota-book'
import { judge } from '../../core/resilience/verdict/judge'
import { AccountSessions } from '../../core/routing/account-sessions'
import type { Member, ResolvedCombo } from '../../core/routing/combo'
import { ComboSessions } from '../../core/routing/combo-sessions'
import { ComboStates } from '../../core/routing/combo-states'
import { ContextRelays } from '../../core/routing/context-relays'
import { OutputSizes } from '../../core/routing/output-sizes'
import { PromisedPlaces } from '../../core/routing/promised-places'
import { TargetStats } from '../../core/routing/target-stats'
import { requestBodyOf } from '../core/dialects/request-body-of'
import { openHealth } from '../core/resilience/health-world'
import { FakeResponse } from './fake-response'
import { ManualClock } from './manual-clock'

/** A call that has gone up. */
export class SentCall {
  aborted = false
  paused = false
  private readonly controller: Dispatcher.DispatchController

  constructor(
    readonly model: string,
    readonly body: SentBody,
    private readonly handler: Dispatcher.DispatchHandler,
  ) {
    this.controller = {
      ...{ aborted: false, paused: false, reason: null },
      pause: () => {
        this.paused = true
      },
      resume: () => {
        this.paused = false
      },
      abort: () => {
        this.aborted = true
      },
    } as unknown as Dispatcher.DispatchController
    handler.onRequestStart?.(this.controller, {})
  }

  /** Everything at once, and what follows from it. */
  async reply(status: number, body: object, headers: Record<string, string> = {}): Promise<void> {
    const { handler, controller } = this
    handler.onResponseStart?.(controller, status, { 'content-type': 'application/json', ...headers }, '')
    handler.onResponseData?.(controller, Buffer.from(JSON.stringify(body)))
    handler.onResponseEnd?.(controller, {})
    await settled()
  }

  /** The beginning of an answer, without any of it. */
  async begins(type = 'text/event-stream'): Promise<void> {
    this.handler.onResponseStart?.(this.controller, 200, { 'content-type': type }, '')
    await settled()
  }

  async gives(text: string): Promise<void> {
    this.handler.onResponseData?.(this.controller, Buffer.from(text))
    await settled()
  }

  async ends(): Promise<void> {
    this.handler.onResponseEnd?.(this.controller, {})
    await settled()
  }

  says = (content: string): Promise<void> => this.reply(200, chatAnswer(content))
  fails = (status: number, headers: Record<string, string> = {}): Promise<void> =>
    this.reply(status, { error: { message: `said ${status}` } }, headers)
}

export interface SentBody {
  readonly model: string
  readonly stream?: boolean
  readonly tools?: readonly object[]
  readonly messages: readonly { readonly role: string; readonly content: unknown }[]
}

export const chatAnswer = (content: string): object => ({
  ...{ id: 'c1', object: 'chat.completion', created: 1, model: 'm' },
  choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 10, completion_tokens: 3, total_tokens: 13 },
})

/** All that follows by itself has followed. */
export const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** "p1/a": model a of provider p1. */
export function member(name: string, prompt: string | null = null): Member {
  const [provider = '', model = ''] = name.split('/')
  return {
    kind: 'target',
    target: {
      ...{ executionKey: name, provider, model, connectionId: null, allowedConnections: null },
      ...{ weight: 1, prompt, onlyAfterQuota: false },
    },
  }
}

export const within = (combo: ResolvedCombo): Member => ({
  kind: 'combo',
  target: { ...member('combo/x').target, executionKey: combo.name, model: combo.name },
  combo,
})

export const comboOf = (
  strategy: AnyStrategyName,
  members: readonly (Member | string)[],
  config: SetConfig = {},
): ResolvedCombo => ({
  ...{ name: `my-${strategy}`, strategy, judge: null, dropped: [] },
  config: completeConfig(strategy, { maxRetries: 0, ...config }),
  members: members.map((one) => (typeof one === 'string' ? member(one) : one)),
})

export interface SceneOptions {
  /** As a person would change the resilience settings. */
  readonly settings?: object
}

export function openScene({ settings = { comboCooldownWait: { enabled: false } } }: SceneOptions = {}) {
  const clock = new ManualClock()
  const registry = new Map(['p1', 'p2', 'p3'].map((id) => [id, providerOf(id)]))
  const { health, current } = openHealth({ settings, clock, deps: { provider: (id) => registry.get(id)?.row } })
  const calls: SentCall[] = []
  const dispatcher = {
    dispatch({ body }: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler) {
      const sent = JSON.parse(String(body)) as SentBody
      calls.push(new SentCall(sent.model, sent, handler))
      return true
    },
  } as unknown as Dispatcher
  let ids = 0
  const deps: PipelineDeps = {
    ...{
      clock,
      health,
      timeZone: 'UTC',
      comboStates: new ComboStates(),
      comboSessions: new ComboSessions(),
      relays: new ContextRelays(),
      slots: new Slots(clock),
      watch: new SilenceWatch(clock),
    },
    ...{ sessions: new AccountSessions(), outputSizes: new OutputSizes() },
    ...{ quotas: new QuotaBook(), stats: new TargetStats(), responses: new ResponseStore(clock) },
    transport: () => ({ dispatcher: () => dispatcher, fresh: () => dispatcher }) as never,
    world: () => ({ registry }) as never,
    book: { find: () => null },
    logins: { freshAccess: () => null, refused: async () => null },
    resilience: () => current.settings,
    resolve: () => {
      throw new Error('nobody asks for a name here')
    },
    factsOf: () => null,
    factsLearned: () => null,
    promised: new PromisedPlaces(),
    inFlight: () => 0,
    random: () => 0,
    judge: (outcome, provider, model) =>
      judgeOutcome(outcome, { provider, model, now: clock.now(), timeZone: 'UTC' }, judge),
    queueMs: () => 60_000,
    settings: () => SETTINGS_AS_THEY_ARE,
    newId: (prefix) => `${prefix}_${++ids}`,
    started: () => {},
    finished: () => {},
    attemptStarted: () => {},
    attemptFinished: () => {},
    unexpected: () => {},
    nobodyLeft: () => {},
    redact: (text) => text,
  }
  /** The next call for a model that has not been looked at. */
  const seen = new Set<SentCall>()
  const call = (model: string): SentCall => {
    const found = calls.find((one) => one.model === model && !seen.has(one))
    if (found === undefined) throw new Error(`no call for ${model}, only for ${calls.map((one) => one.model)}`)
    seen.add(found)
    return found
  }
  const begin = (body: object = {}, dialect: DialectModule = openAiChat) => beginRequest(body, dialect, clock, deps)
  return {
    ...{ clock, health, deps, calls, call, begin },
    /** Asks a combo as a client would. */
    async ask(combo: ResolvedCombo, body?: object, dialect?: DialectModule) {
      const request = begin(body, dialect)
      const ended = answerInTime(combo, request.run, request.running, deps)
      await settled()
      return { ...request, ended }
    },
  }
}

export type Scene = ReturnType<typeof openScene>

function beginRequest(body: object, dialect: DialectModule, clock: ManualClock, deps: PipelineDeps) {
  const response = new FakeResponse()
  const read = requestBodyOf(
    JSON.stringify({ model: 'combo', messages: [{ role: 'user', content: 'Hi' }], ...body }),
    dialect,
  )
  const caller = {
    ...{ requestId: 'req_1', echoedId: 'req_1', clientKey: 'main', clientKeyId: null, endpoint: '/v1', path: '/v1' },
    ...{ call: dialect, framing: null, fallback: null },
  }
  const record = new RequestRecorder(caller, undefined, clock)
  const answer = new ClientAnswer(response.real, dialect, 'req_1', clock)
  const running: Running = {
    ...{ answer, record, caller, unusableFor: null, leftOut: [], repeated: null },
    request: Object.assign(new EventEmitter(), { headers: {} }) as unknown as IncomingMessage,
    client: new ClientRequest(dialect, dialect.readAsked(read, '/v1beta/models/combo:generateContent'), read),
    settings: SETTINGS_AS_THEY_ARE,
  }
  const run = new Run(running, deps)
  const entry = (): RequestView => record.finish(answer)
  return { response, running, run, entry }
}

function providerOf(id: string): Provider {
  const row = providerRow({ id, label: id.toUpperCase(), endpoints: { 'openai-chat': `https://${id}.example/v1` } })
  const stored = { id: `${id}-key`, name: `${id}-key`, priority: 1, enabled: true, baseUrl: null }
  return { row, connections: [buildConnection(row, stored, `sk-${id}-fake`, false, null)] }
}

const SETTINGS_AS_THEY_ARE = Object.fromEntries(
  SETTING_KEYS.map((key) => [key, SETTINGS[key].fallback]),
) as unknown as Settings
