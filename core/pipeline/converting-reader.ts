// Reads an answer whose form is not the one the client asked for: another dialect, or a document where a stream was
// wanted, or the other way round. Nothing goes out before the first content; a whole answer goes out complete or not
// at all.
import type { AnswerEvent, JsonObject } from '../dialects/canonical'
import type { StreamWriter, Translation, WriteContext } from '../dialects/translation'
import type { Usage } from '../dialects/usage'
import { GatewayError } from '../errors'
import { excerpt } from '../resilience/verdict/excerpt'
import type { AnswerReader, AttemptResult } from './answer-reader'
import { type AnswerSource, createAnswerSource } from './answer-source'
import { type Answer, STREAM_HEADERS } from './client-answer'
import type { Outcome } from './outcome'

export interface ConvertOptions {
  readonly status: number
  readonly answer: Answer
  /** What the upstream speaks. */
  readonly from: Translation
  /** What the client speaks. */
  readonly to: Translation
  /** The client asked for a stream. */
  readonly stream: boolean
  /** Headers of the client's answer, without its content type. */
  readonly headers: () => string[]
  readonly context: WriteContext
  readonly redact: (text: string) => string
  /** Gets the complete answer as the client got it, where its dialect can continue it later. */
  readonly onComplete: ((answer: JsonObject) => void) | null
}

export class ConvertingReader implements AnswerReader {
  private readonly source: AnswerSource
  private readonly writer: StreamWriter | null
  /** Not yet written: all of them for a whole answer, those before the first content for a stream. */
  private held: AnswerEvent[] = []
  private committed = false
  private hasContent = false
  private complete = false
  private usage: Usage | null = null

  constructor(private readonly options: ConvertOptions) {
    const { from, to, stream, context } = options
    this.source = createAnswerSource(from, context)
    this.writer = stream ? to.createStreamWriter(context) : null
  }

  data(chunk: Buffer): boolean | AttemptResult {
    return this.take(this.source.feed(chunk))
  }

  end(): AttemptResult {
    const last = this.take(this.source.end())
    if (typeof last !== 'boolean') return last
    const { unreadable } = this.source
    if (unreadable !== null) return failed({ kind: 'unreadable', text: unreadable })
    if (this.complete) return failed({ kind: 'empty' })
    return this.incomplete('the upstream ended the stream without saying that the answer is complete')
  }

  broken(outcome: Outcome): AttemptResult {
    if (!this.committed) return failed(outcome)
    const message =
      outcome.kind === 'timeout'
        ? 'the upstream went silent in the middle of the answer'
        : 'the upstream broke the connection in the middle of the answer'
    return this.incomplete(message, outcome)
  }

  private take(events: readonly AnswerEvent[]): boolean | AttemptResult {
    let text = ''
    for (const event of events) {
      if (event.kind === 'fault') {
        if (text !== '') this.options.answer.write(text, true)
        return this.fault(event.status, event.text)
      }
      this.note(event)
      if (this.writer === null || !this.committed) this.held.push(event)
      else text += this.writer.write(event)
      if (this.writer !== null && !this.committed && this.hasContent) text += this.commit(this.writer)
    }
    // The answer has said that it is complete: some upstreams keep the connection open behind it.
    if (this.complete && this.hasContent) return this.finish(text)
    return text === '' ? true : this.options.answer.write(text, true)
  }

  private note(event: AnswerEvent): void {
    switch (event.kind) {
      case 'start':
        return
      case 'usage': {
        const { input, output } = event.usage
        if (input !== null || output !== null) this.usage = { inputTokens: input, outputTokens: output }
        return
      }
      case 'stop':
        // Ended for a good reason, an answer may be without content.
        if (event.reason !== 'stop') this.hasContent = true
        return
      case 'end':
        this.complete = true
        return
      default:
        this.hasContent = true
    }
  }

  private commit(writer: StreamWriter): string {
    const { answer, headers } = this.options
    this.committed = true
    answer.commit(200, [...headers(), ...(answer.framing?.headers ?? STREAM_HEADERS)], true)
    let text = ''
    for (const event of this.held) text += writer.write(event)
    this.held = []
    return text
  }

  private finish(rest: string): AttemptResult {
    const { answer, to, context, headers, status, onComplete } = this.options
    if (this.writer !== null) {
      answer.end(rest)
      const told = this.writer.response?.() ?? null
      if (told !== null) onComplete?.(told)
    } else {
      this.committed = true
      const text = to.writeAnswer(this.held, context)
      answer.sendWhole(200, [...headers(), 'content-type', 'application/json'], text)
      onComplete?.(JSON.parse(text) as JsonObject)
    }
    return { kind: 'answered', status, usage: this.usage }
  }

  /** An upstream that broke off: told to a client that has seen content, made good by another connection otherwise. */
  private incomplete(message: string, outcome: Outcome = CUT_OFF): AttemptResult {
    if (!this.committed) {
      return failed(this.hasContent ? outcome : { kind: 'empty' })
    }
    return this.truncate(
      new GatewayError('stream_broken', 502, `The answer is incomplete: ${message}.`),
      message,
      outcome,
    )
  }

  private fault(status: number, raw: string): AttemptResult {
    const text = this.options.redact(raw)
    const outcome: Outcome = { kind: 'http', status, headers: {}, text }
    if (!this.committed) return failed(outcome)
    const message = 'the upstream reported an error in the middle of the answer'
    const said = `The answer is incomplete: ${message}. ${excerpt(text)}`
    return this.truncate(new GatewayError('upstream_error', status, said), message, outcome)
  }

  private truncate(error: GatewayError, message: string, outcome: Outcome): AttemptResult {
    const { answer, status } = this.options
    const closing = this.writer?.breakOff() ?? ''
    if (closing !== '') answer.write(closing, true)
    answer.fail(error)
    return { kind: 'truncated', status, usage: this.usage, message, outcome }
  }
}

/** The stream ended, and not by saying so. */
const CUT_OFF: Outcome = { kind: 'network', code: 'the answer was cut off' }

const failed = (outcome: Outcome): AttemptResult => ({ kind: 'failed', outcome, error: null })
