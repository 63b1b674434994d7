// Reads the beginning of a stream, event by event, until it is known whether it is an answer. What it has read is
// held back: as long as nothing of it was relayed, another connection can still answer.

import { StringDecoder } from 'node:string_decoder'
import { createParser, type EventSourceParser } from 'eventsource-parser'
import type { DialectModule, StreamSign } from '../dialects/dialect'

/** A beginning longer than this is taken for content: no preamble is that long. */
const MAX_HELD = 1_048_576

export class StreamGate {
  private readonly decoder = new StringDecoder('utf8')
  private readonly parser: EventSourceParser
  private found: Extract<StreamSign, { kind: 'content' | 'fault' }> | null = null
  private held: Buffer[] = []
  private length = 0
  /** Something that is an event of the dialect was seen. */
  sawEvent = false

  constructor(dialect: DialectModule) {
    this.parser = createParser({
      onEvent: ({ event, data }) => {
        if (this.found !== null) return
        this.sawEvent = true
        const sign = dialect.readSign(event, data)
        if (sign.kind === 'content' || sign.kind === 'fault') this.found = sign
      },
    })
  }

  /** The sign that decides, once there is one. */
  feed(chunk: Buffer): Extract<StreamSign, { kind: 'content' | 'fault' }> | null {
    this.held.push(chunk)
    this.length += chunk.length
    this.parser.feed(this.decoder.write(chunk))
    if (this.found === null && this.length > MAX_HELD) this.found = { kind: 'content' }
    return this.found
  }

  /** The stream is over: an event without its blank line counts too, for model APIs cut them off (docs/resilience.md). */
  end(): Extract<StreamSign, { kind: 'content' | 'fault' }> | null {
    this.parser.feed(`${this.decoder.end()}\n\n`)
    return this.found
  }

  /** Gives out what was held back, once. */
  release(): Buffer {
    const bytes = this.held.length === 1 ? (this.held[0] as Buffer) : Buffer.concat(this.held)
    this.held = []
    return bytes
  }
}
