// What a wire format must tell the pipeline. A new dialect is a folder that gives one of these.
import type { Dialect } from '../contract/kinds'
import type { GatewayError } from '../errors'
import type { RequestBody } from '../http/request-body'
import type { JsonObject } from './canonical'
import type { Translation } from './translation'
import type { Usage } from './usage'

/** What one event of a stream means for the decision to commit (docs/resilience.md). */
export type StreamSign =
  /** Content, reasoning or a tool call: the first byte that counts. */
  | { readonly kind: 'content' }
  /** Role chunks, message_start, pings, usage: nothing a user would see yet. */
  | { readonly kind: 'preamble' }
  /** The stream says that it failed. `status` is the HTTP status it stands for. */
  | { readonly kind: 'fault'; readonly status: number; readonly text: string }
  /** The stream says that it is complete. */
  | { readonly kind: 'end' }

/** What the last bytes of a relayed stream prove. */
export interface StreamEnd {
  /** The model said why it stopped, or the end marker came. */
  readonly complete: boolean
  /** Bytes to add so that the client sees a proper end; empty when the upstream sent them. */
  readonly closing: string
  readonly usage: Usage | null
}

/** What the pipeline asks of a request before it parses anything. */
export interface Asked {
  /** As the client wrote it. */
  readonly model: string
  readonly stream: boolean
}

/** One kind of call of a dialect: generating an answer, and the lesser ones beside it (embeddings, token counts). */
export interface DialectModule {
  readonly name: Dialect
  /** Appended to a provider's base URL; begins with a slash. Gemini's names the model. */
  path(model: string, stream: boolean): string
  /** Where the provider lists its models. */
  readonly modelsPath: string
  /** Request headers of the client that may go up, lower case. */
  readonly forwardHeaders: ReadonlySet<string>
  /** Sent where the client gave none. */
  readonly defaultHeaders: readonly (readonly [string, string])[]
  authHeaders(apiKey: string): readonly (readonly [string, string])[]
  /** Members of the request body that must be noted by the scanner. */
  readonly wantedFields: ReadonlySet<string>
  /** @throws GatewayError 400 naming the field */
  checkRequest(body: RequestBody): void
  /** Model and stream as the request says them: in its body, or (Gemini) in the path of the URL. */
  readAsked(body: RequestBody, path: string): Asked
  /** The body with the upstream's name of the model, where it stands deeper than at the top; null: as it came. */
  bodyFor?(body: JsonObject, model: string): JsonObject | null
  /** The beginning of a stream, or a whole answer, with the client's name of the model; where its clients need that. */
  renameModel?(bytes: Buffer, name: string): Buffer
  errorBody(error: GatewayError, requestId: string): string
  /** One event that tells of a failure inside an open stream. */
  streamError(error: GatewayError, requestId: string): string
  /** Keeps an open, silent stream alive in a form the dialect's clients know. */
  readonly heartbeat: string
  readSign(event: string | undefined, data: string): StreamSign
  /** How a stream's last event ends, where that can be told by bytes: nothing follows it, though the connection stays open. */
  readonly endMarks?: readonly Buffer[]
  /** `tail`: the last bytes of the stream, at least one whole event where there was one. */
  readEnd(tail: string): StreamEnd
  /** Whether a complete, non-streamed answer holds neither content nor a tool call, nor a good reason for that. */
  isEmptyAnswer(body: string): boolean
  /** Token counts of a complete, non-streamed answer. */
  readUsage(body: string): Usage | null
  /** Whether the request can be made to report token counts at the stream's end, and was not asked to. */
  canAskForUsage(body: RequestBody): boolean
  /** null: this call is only passed on to an upstream of the same dialect. */
  readonly translation: Translation | null
}
