// Reads the beginning of a stream, event by event, until it is known whether it is an answer. What it has read is
// held back: as long as nothing of it was relayed, another connection can still answer.

import { StringDecoder } from 'node:string_decoder'
import { createParser, type EventSourceParser } from 'eventsource-parser'
import type { DialectModule, StreamSign } from '../dialects/dialect'
import { plainEvent } from './event-bounds'

/** A beginning longer than this is taken for content: no preamble is that long. */
const MAX_HELD = 1_048_576

export class StreamGate {
  /** For what is not plain; it goes on from there. */
  private reading: { readonly decoder: StringDecoder; readonly parser: EventSourceParser } | null = null
  private found: Extract<StreamSign, { kind: 'content' | 'fault' }> | null = null
  private held: Buffer[] = []
  private length = 0
  /** Something that is an event of the dialect was seen. */
  sawEvent = false

  constructor(private readonly dialect: DialectModule) {}

  /** The sign that decides, once there is one. */
  feed(chunk: Buffer): Extract<StreamSign, { kind: 'content' | 'fault' }> | null {
    this.held.push(chunk)
    this.length += chunk.length
    const at = this.reading === null ? this.readPlain(chunk) : 0
    if (this.found === null && at < chunk.length) this.read(chunk.subarray(at))
    if (this.found === null && this.length > MAX_HELD) this.found = { kind: 'content' }
    return this.found
  }

  /** Reads the events at the beginning that are written in the plainest way, as most are; returns where they end. */
  private readPlain(chunk: Buffer): number {
    let at = 0
    for (let event = plainEvent(chunk, at); event !== null && this.found === null; event = plainEvent(chunk, at)) {
      // A name that is empty is none, as the parser has it.
      this.take(event.name || undefined, event.data)
      at = event.end
    }
    return at
  }

  private read(chunk: Buffer): void {
    const { decoder, parser } = this.reader()
    parser.feed(decoder.write(chunk))
  }

  private reader(): NonNullable<typeof this.reading> {
    this.reading ??= {
      decoder: new StringDecoder('utf8'),
      parser: createParser({ onEvent: ({ event, data }) => this.take(event, data) }),
    }
    return this.reading
  }

  private take(name: string | undefined, data: string): void {
    if (this.found !== null) return
    this.sawEvent = true
    const sign = this.dialect.readSign(name, data)
    if (sign.kind === 'content' || sign.kind === 'fault') this.found = sign
  }

  /** The stream is over: an event without its blank line counts too, for model APIs cut them off (docs/resilience.md). */
  end(): Extract<StreamSign, { kind: 'content' | 'fault' }> | null {
    const { decoder, parser } = this.reader()
    parser.feed(`${decoder.end()}\n\n`)
    return this.found
  }

  /** Gives out what was held back, once. */
  release(): Buffer {
    const bytes = this.held.length === 1 ? (this.held[0] as Buffer) : Buffer.concat(this.held)
    this.held = []
    return bytes
  }
}
