// The answer to one client, and the rule that it is written once: held while attempts go on, opened early when that
// takes too long, committed with the first content, ended exactly once.
import type { ServerResponse } from 'node:http'
import type { Clock, Timer } from '../clock'
import type { DialectModule } from '../dialects/dialect'
import type { GatewayError } from '../errors'
import type { Listed } from './roster'

const DISCARD_SILENCE_MS = 10_000

type State =
  | 'held'
  /** The status is out and heartbeats run, but no content: another attempt may still answer. */
  | 'open'
  | 'committed'
  | 'ended'

/** A stream is looked at this often, and the third look without a write is a heartbeat: it is never silent for 15 s. */
const LOOK_MS = 5_000
const QUIET_LOOKS = 3
export const STREAM_HEADERS = ['content-type', 'text/event-stream; charset=utf-8', 'cache-control', 'no-cache']

/** Another form for a stream than server-sent events: Gemini's array. */
export interface Framing {
  readonly headers: readonly string[]
  /** `events`: whole server-sent events. */
  write(events: string): string
  end(): string
}

/** The answer as those who write it know it: the client's own, or a lane of a race for it. */
export type Answer = Pick<
  ClientAnswer,
  | 'isOpen'
  | 'framing'
  | 'onCommit'
  | 'listen'
  | 'sendWhole'
  | 'commit'
  | 'write'
  | 'end'
  | 'fail'
  | 'endAfterError'
  | 'breakOff'
>

export class ClientAnswer implements Listed {
  private state: State = 'held'
  private hold: Timer | null = null
  /** Most streams are over before their heartbeats would begin: until then the hold's timer serves for both. */
  private holdIsShort = false
  private heartbeat: Timer | null = null
  /** Looks since the last write. */
  private quietLooks = 0
  /** False while half an event has been relayed: nothing may be put in between. */
  private betweenEvents = true
  private onGone: (() => void) | null = null
  private onDrain: (() => void) | null = null
  /** Called once, when the attempt under way gives its first content. */
  onCommit: (() => void) | null = null
  private isStream = true
  gone = false
  /** What the client got, for the log. */
  status = 0
  place: number | null = null

  constructor(
    private readonly response: ServerResponse,
    private readonly dialect: DialectModule,
    readonly requestId: string,
    private readonly clock: Clock,
    /** null: server-sent events go out as they are. */
    readonly framing: Framing | null = null,
  ) {
    response.on('close', () => {
      if (this.state === 'ended' && response.writableFinished) return
      this.gone = true
      this.stopTimers()
      this.onGone?.()
    })
  }

  /** Opens the stream after `ms` without content. For clients that asked for a stream. */
  openAfter(ms: number): void {
    this.holdIsShort = ms <= LOOK_MS
    this.hold = this.clock.after(ms, () => {
      if (this.state === 'held') {
        this.state = 'open'
        this.begin(200, [...(this.framing?.headers ?? STREAM_HEADERS), 'x-request-id', this.requestId])
        this.write(this.dialect.heartbeat, true)
      } else this.quietLooks++
      if (this.isStream) this.keepAlive()
    })
  }

  /** At most one listener each, that of the attempt under way. */
  listen(onGone: (() => void) | null, onDrain: (() => void) | null): void {
    this.onGone = onGone
    this.onDrain = onDrain
    if (this.gone) onGone?.()
  }

  /** The status is out, the content is not. */
  get isOpen(): boolean {
    return this.state === 'open'
  }

  get isCommitted(): boolean {
    return this.state === 'committed' || this.state === 'ended'
  }

  /** The whole answer at once. */
  sendWhole(status: number, headers: string[], body: Buffer | string, encoding: 'utf8' | 'latin1' = 'utf8'): void {
    if (this.gone || this.state === 'ended') return
    this.stopTimers()
    headers.push('content-length', String(typeof body === 'string' ? Buffer.byteLength(body, encoding) : body.length))
    discardRest(this.response)
    this.response.writeHead(status, headers)
    this.state = 'ended'
    this.status = status
    // As a string, headers and body leave in one write; a buffer would be a second one.
    this.response.end(body, encoding)
  }

  /** From here on there is no way back. */
  commit(status: number, headers: string[], isStream: boolean): void {
    const opened = this.state === 'open'
    this.state = 'committed'
    this.onCommit?.()
    this.isStream = isStream
    if (!opened) this.begin(status, headers)
    if (isStream && !this.holdIsShort) this.keepAlive()
  }

  /** Whether more may be written at once; otherwise `onDrain` follows. */
  write(chunk: Buffer | string, endsEvent: boolean): boolean {
    if (this.gone) return true
    this.quietLooks = 0
    this.betweenEvents = endsEvent
    const framed = this.framing === null ? chunk : this.framing.write(chunk.toString())
    if (framed.length === 0 || this.response.write(framed)) return true
    this.response.once('drain', () => this.onDrain?.())
    return false
  }

  /** @param rest the last events, which leave together with the end */
  end(rest = ''): void {
    if (this.state === 'ended') return
    this.stopTimers()
    this.endResponse(rest)
  }

  /** One error in the caller's dialect: as an answer while nothing is out, else as an event, and the connection closes. */
  fail(error: GatewayError, headers: readonly string[] = []): void {
    if (this.gone || this.state === 'ended') return
    if (this.state === 'committed' && !this.isStream) return this.breakOff()
    if (this.state === 'held') {
      const retry = error.details.retryAfterS === undefined ? [] : ['retry-after', String(error.details.retryAfterS)]
      const all = [
        ...headers,
        ...(error.details.headers ?? []),
        ...retry,
        ...['content-type', 'application/json'],
        ...(headers.includes('x-request-id') ? [] : ['x-request-id', this.requestId]),
      ]
      this.sendWhole(error.httpStatus, all, this.dialect.errorBody(error, this.requestId))
      return
    }
    this.write((this.betweenEvents ? '' : '\n\n') + this.dialect.streamError(error, this.requestId), true)
    this.endAfterError()
  }

  /** The stream told of an error: nothing follows, and the connection closes. */
  endAfterError(): void {
    if (this.state === 'ended') return
    this.stopTimers()
    const socket = this.response.socket
    this.response.once('finish', () => socket?.end())
    this.endResponse()
  }

  /** The gateway stops: an unfinished answer is closed as what it is, and its upstream is let go. */
  stop(error: GatewayError): void {
    this.fail(error)
    this.gone = true
    this.onGone?.()
  }

  /** An answer that is no stream cannot tell of its break: the connection is cut, so that nobody takes it for whole. */
  breakOff(): void {
    this.stopTimers()
    this.state = 'ended'
    this.response.destroy()
  }

  private endResponse(rest = ''): void {
    const framing = this.state !== 'held' && this.isStream ? this.framing : null
    const last = framing === null ? rest : (rest === '' ? '' : framing.write(rest)) + framing.end()
    this.state = 'ended'
    this.response.end(last === '' ? undefined : last)
  }

  private begin(status: number, headers: string[]): void {
    this.status = status
    if (!this.holdIsShort) this.hold?.cancel()
    this.response.writeHead(status, headers)
  }

  private keepAlive(): void {
    this.heartbeat ??= this.clock.every(LOOK_MS, () => {
      this.quietLooks++
      if (!this.betweenEvents || this.response.writableNeedDrain) return
      if (this.quietLooks >= QUIET_LOOKS) this.write(this.dialect.heartbeat, true)
    })
  }

  private stopTimers(): void {
    this.hold?.cancel()
    this.heartbeat?.cancel()
  }
}

/**
 * After an answer that came before the end of the upload: the rest is read and thrown away. Closing at once would
 * reset the connection, and many clients then never see the answer.
 */
export function discardRest(response: ServerResponse): void {
  if (response.req.complete) return
  response.socket?.setTimeout(DISCARD_SILENCE_MS)
  response.req.resume()
}
