// Reads a streamed answer: holds it back until its first content, then relays its bytes as they are, looking only
// for the two things that change what the client must see: an error in the stream, and a usage report that the
// gateway asked for and the client did not.
import type { DialectModule, StreamEnd, StreamSign } from '../dialects/dialect'
import { GatewayError } from '../errors'
import type { AnswerReader, AttemptResult } from './answer-reader'
import type { Answer } from './client-answer'
import { endsWithOne, lastEventEnd, nextEventEnd } from './event-bounds'
import type { Outcome } from './outcome'
import { StreamGate } from './stream-gate'
import { Tail } from './tail'

// Inside a JSON string a quote is escaped, so these bytes only occur as a member's name.
const ERROR_MARK = Buffer.from('"error"')
const NO_CHOICES = /"choices"\s*:\s*\[\s*\]/
const NO_CHOICES_MARK = Buffer.from('"choices"')
const NONE: readonly Buffer[] = []
/** An unfinished event longer than this is relayed without being looked at. */
const MAX_EVENT = 4 * 1_048_576

type Fault = Extract<StreamSign, { kind: 'fault' }>

export interface StreamReaderOptions {
  readonly status: number
  readonly answer: Answer
  readonly dialect: DialectModule
  readonly headers: () => string[]
  /** Take out the usage report the gateway itself asked for. */
  readonly removeUsage: boolean
  /** Each write holds whole events: they will be put into another frame. */
  readonly wholeEvents: boolean
  /** Puts the client's name of the model into the beginning of the answer. */
  readonly rename: ((bytes: Buffer) => Buffer) | null
  /** Gets the beginning of the answer, once it is committed. */
  readonly onStart: ((start: string) => void) | null
  /** Takes known secrets out of an upstream's words. */
  readonly redact: (text: string) => string
}

export class StreamReader implements AnswerReader {
  private gate: StreamGate | null
  private readonly tail = new Tail()
  /** The beginning of an event whose end has not come: relayed already, or kept while it must be looked at whole. */
  private partial: Buffer | null = null
  /** How much of `partial` the client has. */
  private relayed = 0
  private startUsage: StreamEnd['usage'] = null

  constructor(private readonly options: StreamReaderOptions) {
    this.gate = new StreamGate(options.dialect)
  }

  data(chunk: Buffer): boolean | AttemptResult {
    if (this.gate === null) return this.relay(chunk)
    const sign = this.gate.feed(chunk)
    if (sign === null) return true
    if (sign.kind === 'fault') return this.fault(sign.status, sign.text)
    return this.commit(this.gate)
  }

  end(): AttemptResult {
    if (this.gate !== null) {
      const sign = this.gate.end()
      if (sign?.kind === 'fault') return this.fault(sign.status, sign.text)
      if (sign === null) return this.withoutContent(this.gate)
      this.commit(this.gate)
    }
    if (this.partial !== null) {
      this.pass(this.clean(this.partial.subarray(this.relayed)), false)
      this.partial = null
    }
    const end = this.options.dialect.readEnd(this.tail.text())
    if (end.complete) return this.complete(end)
    const message = 'the upstream ended the stream without saying that the answer is complete'
    return this.truncated(message, { kind: 'network', code: 'the answer was cut off' }, end)
  }

  broken(outcome: Outcome): AttemptResult {
    if (this.gate !== null) return { kind: 'failed', outcome, error: null }
    const end = this.options.dialect.readEnd(this.tail.text())
    // What was said to be complete is: some upstreams keep the connection open then, or reset it.
    if (end.complete && this.partial === null) return this.complete(end)
    const message =
      outcome.kind === 'timeout'
        ? 'the upstream went silent in the middle of the answer'
        : 'the upstream broke the connection in the middle of the answer'
    return this.truncated(message, outcome, end)
  }

  private complete(end: StreamEnd): AttemptResult {
    const { answer, status } = this.options
    if (end.closing !== '') answer.write(end.closing, true)
    answer.end()
    return { kind: 'answered', status, usage: this.usage(end) }
  }

  private truncated(message: string, outcome: Outcome, end: StreamEnd): AttemptResult {
    const { answer, status } = this.options
    answer.fail(brokenStream(message))
    return { kind: 'truncated', status, usage: this.usage(end), message, outcome }
  }

  private commit(gate: StreamGate): boolean | AttemptResult {
    const { answer, status, headers, dialect } = this.options
    this.gate = null
    answer.commit(status, headers(), true)
    const held = gate.release()
    const bytes = this.options.rename?.(held) ?? held
    const start = bytes.toString('latin1', 0, 16_384)
    this.startUsage = dialect.readUsage(start)
    this.options.onStart?.(start)
    return this.relay(bytes)
  }

  private relay(chunk: Buffer): boolean | AttemptResult {
    const carried = this.partial
    const bytes = carried === null ? chunk : Buffer.concat([carried, chunk])
    if (this.options.removeUsage || this.options.wholeEvents) return this.relayFiltered(bytes)
    const from = this.relayed
    if (bytes.includes(ERROR_MARK)) {
      const error = this.findError(bytes)
      if (error !== null) {
        this.pass(this.clean(bytes.subarray(from, error.end)), true)
        return this.stopAt(error.sign)
      }
    }
    const end = lastEventEnd(bytes)
    this.partial = end === bytes.length || bytes.length - end > MAX_EVENT ? null : bytes.subarray(end)
    // What may become an error is kept until it can be read, and cleaned, as a whole.
    const upTo = this.partial?.includes(ERROR_MARK) ? Math.max(from, end) : bytes.length
    this.relayed = this.partial === null ? 0 : upTo - end
    return this.endOr(this.pass(bytes.subarray(from, upTo), upTo === end), bytes)
  }

  /** Relays whole events only; without those that hold nothing but the usage report, where the client wants none. */
  private relayFiltered(bytes: Buffer): boolean | AttemptResult {
    const end = lastEventEnd(bytes)
    const tooLong = bytes.length - end > MAX_EVENT
    this.partial = tooLong || end === bytes.length ? null : bytes.subarray(end)
    const whole = tooLong ? bytes : bytes.subarray(0, end)
    if (whole.length === 0) return true
    if (whole.includes(ERROR_MARK)) {
      const error = this.findError(whole)
      if (error !== null) {
        this.pass(this.clean(whole.subarray(0, error.end)), true)
        return this.stopAt(error.sign)
      }
    }
    this.tail.push(whole)
    const kept =
      this.options.removeUsage && whole.includes(NO_CHOICES_MARK) && NO_CHOICES.test(whole.toString('latin1'))
        ? withoutUsage(whole)
        : whole
    return this.endOr(kept.length === 0 ? true : this.options.answer.write(kept, !tooLong), bytes)
  }

  /** Some upstreams keep the connection open when all has been said. */
  private endOr(goesOn: boolean, bytes: Buffer): boolean | AttemptResult {
    const { dialect } = this.options
    return this.partial === null && endsWithOne(bytes, dialect.endMarks ?? NONE)
      ? this.complete(dialect.readEnd(this.tail.text()))
      : goesOn
  }

  /** Upstreams repeat keys in their errors. */
  private clean(bytes: Buffer): Buffer {
    const text = bytes.toString('utf8')
    const clean = this.options.redact(text)
    return clean === text ? bytes : Buffer.from(clean)
  }

  private pass(bytes: Buffer, endsEvent: boolean): boolean {
    if (bytes.length === 0) return true
    this.tail.push(bytes)
    return this.options.answer.write(bytes, endsEvent)
  }

  /** The event that tells of an error, and where it ends; null when none of them does, or it is not complete. */
  private findError(bytes: Buffer): { readonly end: number; readonly sign: Fault } | null {
    for (let at = 0; at < bytes.length; ) {
      const end = nextEventEnd(bytes, at)
      if (end < 0) return null
      const sign = bytes.subarray(at, end).includes(ERROR_MARK) ? this.readFault(bytes.toString('utf8', at, end)) : null
      if (sign !== null) return { end, sign }
      at = end
    }
    return null
  }

  private readFault(text: string): Fault | null {
    const sign = new StreamGate(this.options.dialect).feed(Buffer.from(text))
    return sign?.kind === 'fault' ? sign : null
  }

  /** The upstream's own error event is the last the client gets. */
  private stopAt(sign: Fault): AttemptResult {
    const { answer, status } = this.options
    answer.endAfterError()
    return {
      kind: 'truncated',
      status,
      usage: this.usage(null),
      message: 'the upstream reported an error in the middle of the answer',
      outcome: { kind: 'http', status: sign.status, headers: {}, text: sign.text },
    }
  }

  private fault(status: number, text: string): AttemptResult {
    const error = { status, headers: { 'content-type': 'application/json' }, body: Buffer.from(text) }
    return { kind: 'failed', outcome: { kind: 'http', status, headers: {}, text }, error }
  }

  private withoutContent(gate: StreamGate): AttemptResult {
    const text = gate.sawEvent ? '' : gate.release().toString('utf8', 0, 2048)
    const isEmpty = gate.sawEvent || /^(\s|:.*(\n|$))*$/.test(text)
    return { kind: 'failed', outcome: isEmpty ? { kind: 'empty' } : { kind: 'unreadable', text }, error: null }
  }

  private usage(end: StreamEnd | null): StreamEnd['usage'] {
    const last = end?.usage ?? this.options.dialect.readEnd(this.tail.text()).usage
    if (last === null) return this.startUsage
    return {
      inputTokens: last.inputTokens ?? this.startUsage?.inputTokens ?? null,
      outputTokens: last.outputTokens ?? this.startUsage?.outputTokens ?? null,
    }
  }
}

const brokenStream = (message: string): GatewayError =>
  new GatewayError('stream_broken', 502, `The answer is incomplete: ${message}.`)

function withoutUsage(events: Buffer): Buffer {
  const kept: Buffer[] = []
  for (let at = 0; at < events.length; ) {
    const end = nextEventEnd(events, at)
    const event = events.subarray(at, end < 0 ? events.length : end)
    if (!NO_CHOICES.test(event.toString('latin1'))) kept.push(event)
    at += event.length
  }
  return Buffer.concat(kept)
}
