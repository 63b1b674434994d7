// An upstream's bytes → the events of its answer, whether it sent a stream or one document. Which of the two it is is
// read off the first byte: servers are careless with content types, and some ignore what was asked.
import { StringDecoder } from 'node:string_decoder'
import { createParser } from 'eventsource-parser'
import type { AnswerEvent, JsonObject } from '../dialects/canonical'
import { isObject, parseJson } from '../dialects/json'
import { withClientNames } from '../dialects/tool-names'
import type { Translation, WriteContext } from '../dialects/translation'

/** A document longer than this is no answer of a model. */
const MAX_DOCUMENT = 64 * 1_048_576
const EXCERPT = 2048

export interface AnswerSource {
  feed(chunk: Buffer): readonly AnswerEvent[]
  end(): readonly AnswerEvent[]
  /** The beginning of what came, where nothing of it could be read. */
  readonly unreadable: string | null
}

type NewId = WriteContext['newId']

/** Its events name tools as the client does. */
export function createAnswerSource(
  translation: Translation,
  { newId, renamedTools }: Pick<WriteContext, 'newId' | 'renamedTools'>,
): AnswerSource {
  let chosen: AnswerSource | null = null
  let blank: Buffer[] = []
  return {
    get unreadable() {
      return chosen?.unreadable ?? null
    },
    feed(chunk) {
      if (chosen !== null) return withClientNames(chosen.feed(chunk), renamedTools)
      const first = firstByte(chunk)
      if (first === null) {
        blank.push(chunk)
        return []
      }
      chosen = STARTS_DOCUMENT.has(first) ? documentSource(translation, newId) : streamSource(translation, newId)
      const bytes = blank.length === 0 ? chunk : Buffer.concat([...blank, chunk])
      blank = []
      return withClientNames(chosen.feed(bytes), renamedTools)
    },
    end: () => withClientNames(chosen?.end() ?? [], renamedTools),
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

function streamSource(translation: Translation, newId: NewId): AnswerSource {
  // Characters cut by a chunk's end are carried over.
  const decoder = new StringDecoder('utf8')
  const events = translation.createStreamParser(newId)
  let found: AnswerEvent[] = []
  let start = ''
  let sawEvent = false
  const parser = createParser({
    onEvent: ({ event, data }) => {
      sawEvent = true
      for (const one of events.event(event, data)) found.push(one)
    },
  })
  const taken = (): readonly AnswerEvent[] => {
    const events = found
    found = []
    return events
  }
  return {
    get unreadable() {
      return sawEvent || /^(\s|:.*(\n|$))*$/.test(start) ? null : start
    },
    feed(chunk) {
      const text = decoder.write(chunk)
      if (!sawEvent && start.length < EXCERPT) start += text.slice(0, EXCERPT)
      parser.feed(text)
      return taken()
    },
    end() {
      // An event without its blank line counts too: model APIs cut them off (docs/resilience.md).
      parser.feed(`${decoder.end()}\n\n`)
      for (const one of events.end()) found.push(one)
      return taken()
    },
  }
}

function documentSource(translation: Translation, newId: NewId): AnswerSource {
  let chunks: Buffer[] = []
  let length = 0
  let unreadable: string | null = null
  return {
    get unreadable() {
      return unreadable
    },
    feed(chunk) {
      length += chunk.length
      if (length <= MAX_DOCUMENT) chunks.push(chunk)
      return []
    },
    end() {
      const text = Buffer.concat(chunks)
        .toString('utf8')
        .replace(/^\uFEFF/, '')
      chunks = []
      const body = length > MAX_DOCUMENT ? null : parseJson(text)
      const events = isObject(body)
        ? (translation.parseAnswer(body, newId) ?? errorInside(translation, body, text))
        : null
      if (events === null) unreadable = text.slice(0, EXCERPT)
      return events ?? []
    },
  }
}

/** A document that is no answer may still tell of an error. */
function errorInside(translation: Translation, body: JsonObject, text: string): readonly AnswerEvent[] | null {
  if (body.error === undefined || body.error === null) return null
  const events = translation.createStreamParser(() => '').event(undefined, text)
  return events.some(({ kind }) => kind === 'fault') ? events : null
}
