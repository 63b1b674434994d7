// Writes down one request as it goes: its attempts in order, and why each was left. Becomes one log entry.
import type { Clock } from '../clock'
import type { Reason } from '../contract/kinds'
import type { AttemptView, RequestView } from '../contract/views'
import type { GatewayError } from '../errors'
import type { Connection } from '../providers/registry'
import type { Verdict } from '../resilience/verdict/verdict'
import type { Target } from '../routing/resolve-model'
import type { AttemptResult } from './answer-reader'
import type { AttemptReport } from './attempt'
import type { ClientAnswer } from './client-answer'
import type { Caller } from './handle-request'

type Mutable<T> = { -readonly [K in keyof T]: T[K] }
type Answered = Extract<AttemptResult, { kind: 'answered' | 'truncated' }>

/** A question of the gateway's own on the way to the client's answer. */
interface Aside {
  readonly of: RequestRecorder
  /** What became of its answer; null: as of any other. */
  readonly answered: string | null
  /** Why it was broken off; null: the client left. */
  readonly brokenOff: () => string | null
}

export class RequestRecorder {
  private readonly startedAt: number
  /** Of a wait that came before any attempt; told at the next one. */
  private waitedFirst = ''
  private readonly view: Mutable<RequestView>

  constructor(
    caller: Caller,
    userAgent: string | undefined,
    private readonly clock: Clock,
    private readonly beside: Aside | null = null,
  ) {
    this.startedAt = beside?.of.startedAt ?? clock.elapsed()
    // The copy shares the list of attempts.
    this.view = beside === null ? beginning(caller, userAgent, clock.now()) : { ...beside.of.view }
  }

  /** Its attempts are told here, in the order they began; how it ended is not this request's end. */
  aside(caller: Caller, answered: string | null, brokenOff: () => string | null): RequestRecorder {
    const aside = new RequestRecorder(caller, undefined, this.clock, { of: this, answered, brokenOff })
    aside.waitedFirst = this.waitedFirst
    this.waitedFirst = ''
    return aside
  }

  /** What was asked aside has become the client's answer. */
  adopt({ view }: RequestRecorder): void {
    Object.assign(this.view, view)
  }

  get attempts(): number {
    return this.view.attempts.length
  }

  asked(model: string, stream: boolean): void {
    this.view.model = model.slice(0, 256)
    this.view.stream = stream
  }

  /** The gateway's own word was the last one. */
  refused(error: GatewayError): void {
    this.view.code = error.code
    this.view.message = error.message
    if (error.httpStatus === 499) this.view.outcome = 'aborted'
  }

  /** An upstream's error went to the client as it came. */
  relayed(status: number): void {
    this.view.code = this.view.attempts.at(-1)?.reason ?? null
    this.view.message = `the last answer, ${status}, was passed on`
  }

  /** Nothing can be asked now; the request is held until something returns. */
  waits(ms: number): void {
    const last = this.view.attempts.at(-1) as Mutable<AttemptView> | undefined
    const waited = `waited ${Math.round(ms / 100) / 10} s for a connection to return`
    if (last === undefined) this.waitedFirst = `${waited}, then `
    else last.next = waited
  }

  /** The client left while the request waited. */
  left(): void {
    this.view.outcome = 'aborted'
    this.view.code = 'client_disconnected'
    this.view.message = 'the client closed the connection'
  }

  /** No upstream could say: the gateway's own answer was given. */
  answeredLocally(): void {
    this.view.outcome = 'ok'
    this.view.message = 'answered by the gateway itself'
  }

  attempt(target: Target, connection: Connection, note?: string): AttemptRecorder {
    const sentAfter = this.clock.elapsed() - this.startedAt
    const attempt: Mutable<AttemptView> = {
      index: this.view.attempts.length,
      provider: target.provider.row.id,
      model: target.model,
      connectionId: connection.id,
      connectionName: connection.name,
      outcome: 'aborted',
      status: null,
      reason: null,
      message: '',
      next: '',
      startedAt: this.view.at + Math.round(sentAfter),
      firstByteMs: null,
      totalMs: 0,
    }
    this.view.attempts.push(attempt)
    const before = this.waitedFirst
    this.waitedFirst = ''
    const timed = ({ status, firstByteMs, totalMs }: AttemptReport): void => {
      attempt.status = status
      attempt.firstByteMs = firstByteMs === null ? null : tenth(firstByteMs)
      attempt.totalMs = tenth(totalMs)
    }
    return {
      answered: (report, result, reason = null) => {
        timed(report)
        this.view.target = `${attempt.provider}/${attempt.model}`
        this.view.firstByteMs = report.firstByteMs === null ? null : tenth(sentAfter + report.firstByteMs)
        this.view.inputTokens = result.usage?.inputTokens ?? null
        this.view.outputTokens = result.usage?.outputTokens ?? null
        const truncated = result.kind === 'truncated'
        attempt.outcome = truncated ? 'failed' : 'ok'
        attempt.message = truncated ? result.message : ''
        attempt.reason = reason
        attempt.next = truncated
          ? 'content had been sent, so no other connection was tried'
          : before + this.whatBecomes() + (note === undefined ? '' : `, ${note}`)
        this.view.outcome = truncated ? 'truncated' : 'ok'
        this.view.message = attempt.message
        this.view.code = truncated ? 'stream_broken' : null
      },
      aborted: (report) => {
        timed(report)
        attempt.reason = 'aborted'
        attempt.next = this.whyBrokenOff() ?? 'the client closed the connection'
        this.view.outcome = 'aborted'
        this.view.code = 'client_disconnected'
        this.view.message = 'the client closed the connection'
      },
      failed: (report, verdict) => {
        timed(report)
        attempt.outcome = 'failed'
        attempt.reason = verdict.reason
        attempt.message = verdict.message
        attempt.next =
          verdict.next === 'next-connection' ? 'the next connection is tried' : 'every connection would say the same'
      },
    }
  }

  private whatBecomes(): string {
    return this.beside === null ? 'answered' : (this.beside.answered ?? this.beside.of.whatBecomes())
  }

  private whyBrokenOff(): string | null {
    return this.beside === null ? null : (this.beside.brokenOff() ?? this.beside.of.whyBrokenOff())
  }

  finish(answer: ClientAnswer): RequestView {
    const { view } = this
    view.status = view.outcome === 'aborted' && answer.status === 0 ? 499 : answer.status
    view.totalMs = tenth(this.clock.elapsed() - this.startedAt)
    const last = view.attempts.at(-1) as Mutable<AttemptView> | undefined
    if (last?.next === 'the next connection is tried') last.next = 'no connection was left'
    return view
  }
}

const beginning = (caller: Caller, userAgent: string | undefined, at: number): RequestView => ({
  id: caller.requestId,
  at,
  clientKey: caller.clientKey,
  tool: toolName(userAgent),
  endpoint: caller.endpoint,
  dialect: caller.call.name,
  model: '',
  target: null,
  stream: false,
  outcome: 'failed',
  status: 0,
  code: null,
  message: '',
  firstByteMs: null,
  totalMs: 0,
  inputTokens: null,
  outputTokens: null,
  attempts: [],
})

export interface AttemptRecorder {
  /** @param reason of an answer that broke off */
  answered(report: AttemptReport, result: Answered, reason?: Reason | null): void
  aborted(report: AttemptReport): void
  failed(report: AttemptReport, verdict: Pick<Verdict, 'reason' | 'message' | 'next'>): void
}

/** A tenth of a millisecond is more than anyone reads. */
const tenth = (ms: number): number => Math.round(ms * 10) / 10

const toolNames = new Map<string, string>()
const MAX_TOOLS = 200

/** The product part of a user agent (RFC 9110 10.1.5): "claude-cli/2.1". Tools are few and ask often. */
function toolName(userAgent = ''): string {
  let name = toolNames.get(userAgent)
  if (name === undefined) {
    name = (userAgent.split(' ', 1)[0] ?? '').replace(/[^\x21-\x7e]/g, '').slice(0, 60)
    if (toolNames.size >= MAX_TOOLS) toolNames.clear()
    toolNames.set(userAgent, name)
  }
  return name
}
