// What a dialect gives so that requests and answers can cross between it and any other. All of it is pure.
import type { Dialect } from '../contract/kinds'
import type { AnswerEvent, CanonicalRequest, JsonObject } from './canonical'
import type { RenamedTools, ToolNameRule } from './tool-names'

/**
 * What becomes of a request field on its way to another dialect. `carried`: same name, same value. `mapped`: said in
 * the other's words. `dropped`: left out, and named in the answer's x-breakwater-dropped header. `refused`: a 400 that
 * names the field, because leaving it out would change the answer's meaning.
 */
export type FieldFate = 'carried' | 'mapped' | 'dropped' | 'refused'

export interface FieldRule {
  /** Path in the request body; `[]` stands for every element: "messages[].content[].cache_control". */
  readonly field: string
  /** Fate towards each of the other dialects. */
  readonly to: Readonly<Partial<Record<Dialect, FieldFate>>>
  /** Values that say nothing (defaults): they are left out without a word. null and undefined always are. */
  readonly harmless?: readonly unknown[]
  /** Why, in one sentence, for the table in docs/dialects.md. */
  readonly note?: string
  /** A value that shows the fate, for the test that holds the table to the code. */
  readonly example: unknown
}

/** Collects what was left out of one request. */
export interface FieldNotes {
  dropped(field: string): void
}

/** What a builder must know of the side it writes to. */
export interface BuildTarget {
  /** The bare upstream model. */
  readonly model: string
  readonly stream: boolean
  /** The member that limits the output on Chat: older compatible servers know only the first. */
  readonly maxTokensField: 'max_tokens' | 'max_completion_tokens'
  /** Streams report token counts when asked with `stream_options.include_usage`. */
  readonly reportsUsageOnRequest: boolean
  /** The model's own limit of output tokens, where known. */
  readonly maxOutputTokens: number | null
}

/** What a writer must know of the request it answers. */
export interface WriteContext {
  /** The gateway's id of the request: part of ids where the upstream gave none. */
  readonly requestId: string
  /** The model's name as the client wrote it. */
  readonly model: string
  /** Epoch milliseconds. */
  readonly now: number
  readonly request: CanonicalRequest
  /** The client's body as parsed, for answers that repeat some of it (Responses). */
  readonly body: JsonObject
  /** Tools that have another name upstream than the client gave them. The events a writer gets hold the client's. */
  readonly renamedTools: RenamedTools
  /** Unique within the process: `newId('call')` gives "call_…" of letters and digits. */
  newId(prefix: string): string
}

export interface StreamParser {
  /** What one server-sent event says. Never throws: data that cannot be read says nothing. */
  event(name: string | undefined, data: string): readonly AnswerEvent[]
  /**
   * The upstream closed the stream properly. Gives what was held back; with `stop` and `end` only if the upstream had
   * said why it stopped, even where its end marker is missing.
   */
  end(): readonly AnswerEvent[]
}

export interface StreamWriter {
  /** Wire text of one event, whole server-sent events only; '' when nothing is to be said yet. Never gets `fault`. */
  write(event: AnswerEvent): string
  /** The answer breaks off: closes what is open in the wire form, without claiming a proper end. An error event follows. */
  breakOff(): string
  /** The complete answer as its events told it, in dialects whose answers can be continued by their id; null before its end. */
  response?(): JsonObject | null
}

export interface Translation {
  /** Top-level and nested request fields, each with its fate. Fields not listed here are dropped with a note. */
  readonly fields: readonly FieldRule[]
  /** The names of tools that requests of this dialect may hold. `buildRequest` never gets others. */
  readonly toolNames: ToolNameRule
  /** @throws GatewayError 400 naming the field */
  parseRequest(body: JsonObject, notes: FieldNotes): CanonicalRequest
  /** The body to send. @throws GatewayError 400 naming what this dialect cannot carry */
  buildRequest(request: CanonicalRequest, target: BuildTarget, notes: FieldNotes): JsonObject
  createStreamParser(newId: WriteContext['newId']): StreamParser
  createStreamWriter(context: WriteContext): StreamWriter
  /** A complete answer as the same run of events a stream would give; null when it is not of this dialect. */
  parseAnswer(body: JsonObject, newId: WriteContext['newId']): readonly AnswerEvent[] | null
  /** A complete answer as JSON text, from a complete run of events. */
  writeAnswer(events: readonly AnswerEvent[], context: WriteContext): string
  /**
   * The body of a request without the reasoning of earlier turns, for one retry where its issuer refuses a signature
   * (docs/resilience.md); null when there is none in it. Never changes the given body.
   */
  withoutThinking(body: JsonObject): JsonObject | null
}
