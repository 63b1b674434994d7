// An upstream's bytes → the events of its answer, whether it sent a stream or one document. Which of the two it is is
// read off the first byte: servers are careless with content types, and some ignore what was asked.
import { StringDecoder } from 'node:string_decoder'
import { createParser } from 'eventsource-parser'
import type { AnswerEvent, JsonObject } from '../dialects/canonical'
import { isObject, parseJson } from '../dialects/json'
import { withClientNames } from '../dialects/tool-names'
import type { StreamParser, Translation, WriteContext } from '../dialects/translation'

/** A document longer than this is no answer of a model. */
const MAX_DOCUMENT = 64 * 1_048_576
const EXCERPT = 2048

export interface AnswerSource {
  feed(chunk: Buffer): readonly AnswerEvent[]
  end(): readonly AnswerEvent[]
  /** The beginning of what came, where nothing of it could be read. */
  readonly unreadable: string | null
}

type Context = Pick<WriteContext, 'newId' | 'renamedTools'>

/** Its events name tools as the client does. */
export const createAnswerSource = (translation: Translation, context: Context): AnswerSource =>
  new ChosenSource(translation, context)

// Classes, for an object with a getter of its own outlives its request: the engine keeps the getter with the shape of
// the object, and each such object has a shape of its own.

class ChosenSource implements AnswerSource {
  private chosen: AnswerSource | null = null
  private blank: Buffer[] = []

  constructor(
    private readonly translation: Translation,
    private readonly context: Context,
  ) {}

  get unreadable(): string | null {
    return this.chosen?.unreadable ?? null
  }

  feed(chunk: Buffer): readonly AnswerEvent[] {
    if (this.chosen !== null) return this.named(this.chosen.feed(chunk))
    const first = firstByte(chunk)
    if (first === null) {
      this.blank.push(chunk)
      return []
    }
    const { translation, context, blank } = this
    const Source = STARTS_DOCUMENT.has(first) ? DocumentSource : StreamSource
    this.chosen = new Source(translation, context.newId)
    this.blank = []
    return this.named(this.chosen.feed(blank.length === 0 ? chunk : Buffer.concat([...blank, chunk])))
  }

  end(): readonly AnswerEvent[] {
    return this.named(this.chosen?.end() ?? [])
  }

  private named(events: readonly AnswerEvent[]): readonly AnswerEvent[] {
    return withClientNames(events, this.context.renamedTools)
  }
}

/** `{`, `[`, `<`: JSON, or the page of something in between. */
const STARTS_DOCUMENT = new Set([0x7b, 0x5b, 0x3c])

function firstByte(chunk: Buffer): number | null {
  for (const byte of chunk) {
    const skipped = byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
    // A byte order mark may stand before either.
    if (!skipped && byte !== 0xef && byte !== 0xbb && byte !== 0xbf) return byte
  }
  return null
}

class StreamSource implements AnswerSource {
  /** Carries over characters cut by a chunk's end. null before the first such: most chunks end with a whole event. */
  private decoder: StringDecoder | null = null
  private readonly events: StreamParser
  private readonly parser = createParser({ onEvent: ({ event, data }) => this.take(event, data) })
  private found: AnswerEvent[] = []
  private start = ''
  private sawEvent = false

  constructor(translation: Translation, newId: WriteContext['newId']) {
    this.events = translation.createStreamParser(newId)
  }

  get unreadable(): string | null {
    return this.sawEvent || /^(\s|:.*(\n|$))*$/.test(this.start) ? null : this.start
  }

  feed(chunk: Buffer): readonly AnswerEvent[] {
    if ((chunk.at(-1) ?? 0) >= 0x80) this.decoder ??= new StringDecoder('utf8')
    const text = this.decoder === null ? chunk.toString('utf8') : this.decoder.write(chunk)
    if (!this.sawEvent && this.start.length < EXCERPT) this.start += text.slice(0, EXCERPT)
    this.parser.feed(text)
    return this.given()
  }

  end(): readonly AnswerEvent[] {
    // An event without its blank line counts too: model APIs cut them off (docs/resilience.md).
    this.parser.feed(`${this.decoder?.end() ?? ''}\n\n`)
    for (const one of this.events.end()) this.found.push(one)
    return this.given()
  }

  private take(event: string | undefined, data: string): void {
    this.sawEvent = true
    for (const one of this.events.event(event, data)) this.found.push(one)
  }

  private given(): readonly AnswerEvent[] {
    const { found } = this
    this.found = []
    return found
  }
}

class DocumentSource implements AnswerSource {
  private chunks: Buffer[] = []
  private length = 0
  unreadable: string | null = null

  constructor(
    private readonly translation: Translation,
    private readonly newId: WriteContext['newId'],
  ) {}

  feed(chunk: Buffer): readonly AnswerEvent[] {
    this.length += chunk.length
    if (this.length <= MAX_DOCUMENT) this.chunks.push(chunk)
    return []
  }

  end(): readonly AnswerEvent[] {
    const { translation, newId } = this
    const text = Buffer.concat(this.chunks)
      .toString('utf8')
      .replace(/^\uFEFF/, '')
    this.chunks = []
    const body = this.length > MAX_DOCUMENT ? null : parseJson(text)
    const events = isObject(body)
      ? (translation.parseAnswer(body, newId) ?? errorInside(translation, body, text))
      : null
    if (events === null) this.unreadable = text.slice(0, EXCERPT)
    return events ?? []
  }
}

/** A document that is no answer may still tell of an error. */
function errorInside(translation: Translation, body: JsonObject, text: string): readonly AnswerEvent[] | null {
  if (body.error === undefined || body.error === null) return null
  const events = translation.createStreamParser(() => '').event(undefined, text)
  return events.some(({ kind }) => kind === 'fault') ? events : null
}
