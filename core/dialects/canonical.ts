// The one form a request and its answer take between two dialects. It is used only where the two sides differ: the
// same dialect on both sides passes through untouched (docs/dialects.md).
import type { Dialect } from '../contract/kinds'

export type JsonObject = { readonly [member: string]: unknown }

/** Where the bytes of an image, a document or a sound are. */
export type Media =
  | { readonly kind: 'base64'; readonly mediaType: string; readonly data: string }
  | { readonly kind: 'url'; readonly url: string; readonly mediaType: string | null }

export interface TextPart {
  readonly kind: 'text'
  /** Never empty: an empty text is no part. */
  readonly text: string
}

/**
 * Reasoning of an earlier turn. `signature` is opaque and means something to its issuer only: a builder sends the part
 * back where `issuer` is its own dialect, and leaves it out elsewhere. Signatures are never made up.
 */
export interface ThinkingPart {
  readonly kind: 'thinking'
  readonly text: string
  readonly signature: string | null
  readonly issuer: Dialect
  /** The text is hidden: only the signature (encrypted content) travels. */
  readonly redacted: boolean
}

export interface ToolCallPart {
  readonly kind: 'tool-call'
  /** Unique within the conversation; made up by the parser where the dialect has none. */
  readonly id: string
  readonly name: string
  /** JSON text as the model wrote it; "{}" where it wrote nothing. */
  readonly arguments: string
  /** A free-form call: `arguments` is plain text, not JSON (OpenAI custom tools). */
  readonly freeForm: boolean
}

export interface ToolResultPart {
  readonly kind: 'tool-result'
  readonly callId: string
  /** Of the call; null where the dialect does not repeat it and the call is not in the conversation. */
  readonly name: string | null
  readonly isError: boolean
  /** May be empty: a result without words is still a result. */
  readonly content: readonly (TextPart | MediaPart)[]
}

export interface MediaPart {
  readonly kind: 'image' | 'document' | 'audio'
  readonly media: Media
  /** A document's file name, where given. */
  readonly name: string | null
}

export interface RefusalPart {
  readonly kind: 'refusal'
  readonly text: string
}

export type Part = TextPart | ThinkingPart | ToolCallPart | ToolResultPart | MediaPart | RefusalPart

/**
 * What one side said at a time. Parsers keep the order in which the client wrote; builders put it into the order
 * their API demands (tool results first, …) without losing any. A `system` turn stands where a system or developer
 * message stood after the first turn.
 */
export interface Turn {
  readonly role: 'user' | 'assistant' | 'system'
  readonly parts: readonly Part[]
}

export interface ToolDefinition {
  readonly name: string
  readonly description: string | null
  /** JSON Schema of the arguments as the client gave it. Builders clean a copy where their API refuses keywords. */
  readonly schema: JsonObject | null
  readonly strict: boolean | null
  /** Takes free text instead of JSON (OpenAI custom tools); `schema` is null. */
  readonly freeForm: boolean
}

export type ToolChoice =
  | { readonly kind: 'auto' }
  | { readonly kind: 'none' }
  /** Some tool must be called. */
  | { readonly kind: 'required' }
  | { readonly kind: 'tool'; readonly name: string }

export type OutputFormat =
  | { readonly kind: 'text' }
  | { readonly kind: 'json' }
  | {
      readonly kind: 'schema'
      readonly name: string
      readonly description: string | null
      readonly schema: JsonObject
      readonly strict: boolean | null
    }

export const EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh'] as const
export type Effort = (typeof EFFORTS)[number]

/** How much the model shall think: said as a word or as a number of tokens; builders turn one into the other. */
export interface Reasoning {
  readonly effort: Effort | null
  /** Tokens; 0 switches thinking off, -1 leaves the amount to the model. */
  readonly budget: number | null
  /** The client wants to see the thoughts, or a summary of them. */
  readonly show: boolean | null
}

export interface CanonicalRequest {
  /** Instructions before the first turn, in order. */
  readonly system: readonly TextPart[]
  readonly turns: readonly Turn[]
  readonly tools: readonly ToolDefinition[]
  /** null: the client did not say. So for every nullable field. */
  readonly toolChoice: ToolChoice | null
  readonly parallelToolCalls: boolean | null
  readonly maxTokens: number | null
  readonly temperature: number | null
  readonly topP: number | null
  readonly topK: number | null
  readonly stop: readonly string[]
  readonly presencePenalty: number | null
  readonly frequencyPenalty: number | null
  readonly seed: number | null
  readonly output: OutputFormat | null
  readonly reasoning: Reasoning | null
  readonly verbosity: string | null
  /** An opaque id of the client's end user. */
  readonly user: string | null
  /** Groups requests for the upstream's prompt cache. */
  readonly cacheKey: string | null
  /** A Chat client asked for the usage chunk at the stream's end; other dialects always report usage. */
  readonly includeUsage: boolean
}

export interface CanonicalUsage {
  /** All input tokens, those read from and written to a cache included. */
  readonly input: number | null
  readonly cachedInput: number | null
  readonly cacheWrite: number | null
  /** All output tokens, reasoning included. */
  readonly output: number | null
  readonly reasoning: number | null
}

export type StopReason =
  | 'stop'
  | 'length'
  | 'tool-calls'
  | 'content-filter'
  | 'stop-sequence'
  /** The model wants to go on when the answer is sent back (Anthropic pause_turn): never shown as a plain stop. */
  | 'pause'

/**
 * An answer, whole or streamed, as a run of events. Parsers keep this order: `start` once and first; content;
 * at most one `usage`; one `stop`; `end` once and last. An answer without `end` is incomplete.
 */
export type AnswerEvent =
  | { readonly kind: 'start'; readonly id: string | null; readonly model: string | null }
  /** A piece of visible text. Pieces join until an event of another kind comes between. */
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'refusal'; readonly text: string }
  /** A piece of reasoning. */
  | { readonly kind: 'thinking'; readonly text: string }
  /** Ends the reasoning block before it, or stands alone where the text is hidden (`redacted`). */
  | {
      readonly kind: 'thinking-signature'
      readonly signature: string
      readonly issuer: Dialect
      readonly redacted: boolean
    }
  /** `index` counts the answer's tool calls from 0, whatever the upstream's own numbers are. */
  | {
      readonly kind: 'tool-call'
      readonly index: number
      readonly id: string
      readonly name: string
      readonly freeForm: boolean
    }
  /** A piece of the arguments of a call that has been opened. Pieces of different calls may alternate. */
  | { readonly kind: 'tool-arguments'; readonly index: number; readonly piece: string }
  /** The call's arguments are complete. Sent where the upstream says so. */
  | { readonly kind: 'tool-end'; readonly index: number }
  | { readonly kind: 'image'; readonly mediaType: string; readonly data: string }
  | { readonly kind: 'usage'; readonly usage: CanonicalUsage }
  | { readonly kind: 'stop'; readonly reason: StopReason; readonly sequence: string | null }
  /** The upstream says that it failed. `status` is the HTTP status it stands for. Nothing follows. */
  | { readonly kind: 'fault'; readonly status: number; readonly text: string }
  | { readonly kind: 'end' }
