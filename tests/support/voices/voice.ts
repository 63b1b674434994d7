// How the fake upstream hears a request and says an answer, whatever the dialect: what its scenarios work with.
// Used by the fake upstream's process, which runs without a bundler: imports name their file's extension.
import type { Json } from '../strict/rules.ts'

export interface HeardTool {
  readonly name: string
  readonly schema: Json | null
}

export interface HeardCall {
  readonly id: string
  readonly name: string
  readonly arguments: string
}

export interface HeardResult {
  readonly id: string
  readonly text: string
  readonly isError: boolean
}

export interface HeardMedia {
  /** "image", "document" or "audio". */
  readonly kind: string
  readonly where: 'message' | 'tool result'
  /** A URL's own words, or "image/png, 68 bytes". */
  readonly what: string
}

/** What arrived, as a model would take it in. */
export interface Heard {
  readonly model: string
  readonly stream: boolean
  readonly system: string
  /** All text of the last user message that holds text. */
  readonly said: string
  readonly tools: readonly HeardTool[]
  readonly calls: readonly HeardCall[]
  /** In the order of the request. */
  readonly results: readonly HeardResult[]
  readonly media: readonly HeardMedia[]
  /** The schema the answer shall fit. */
  readonly schema: Json | null
  /** Reasoning of earlier turns that came back with a signature. */
  readonly thoughts: number
  /** Reasoning was asked for. */
  readonly thinks: boolean
  /** The stream shall tell what it cost (Chat only; elsewhere always). */
  readonly wantsUsage: boolean
}

export interface Usage {
  /** All input tokens, cached ones included. */
  readonly input: number
  readonly cached: number
  /** All output tokens, reasoning included. */
  readonly output: number
  readonly reasoning: number
}

export type Stop = 'stop' | 'length' | 'filter' | 'sequence'

/** What is answered. */
export interface Said {
  readonly thought?: string
  /** Pieces, as a stream brings them. */
  readonly text?: readonly string[]
  readonly calls?: readonly { readonly name: string; readonly arguments: Json }[]
  readonly stop?: Stop
  readonly usage?: Usage
  /** Streamed calls come one piece of each in turn, where the dialect can. */
  readonly interleaved?: boolean
}

export const USAGE: Usage = { input: 11, cached: 0, output: 3, reasoning: 0 }

export interface Failure {
  readonly status: number
  readonly message: string
  readonly param?: string | null
  readonly code?: string | null
}

export interface Voice {
  hear(body: Json, path: string): Heard
  /** Answers as JSON. */
  whole(said: Said, heard: Heard): Json
  /** Server-sent events, one an element. */
  stream(said: Said, heard: Heard): readonly string[]
  error(failure: Failure): Json
  /** An error inside an open stream. */
  streamError(failure: Failure): string
}

/** What was given out and may come back: signatures and ids, with the text they stand for. */
const issued = new Map<string, string>()

/** A new opaque signature, base64 as all dialects take it. */
export function sign(text: string): string {
  const signature = Buffer.from(`signed ${issued.size} ${'.'.repeat(24)}`).toString('base64')
  issued.set(signature, text)
  return signature
}

export const issue = (id: string): string => {
  issued.set(id, '')
  return id
}

export const signedText = (signature: string): string | undefined => issued.get(signature)

let ids = 0
export const newId = (prefix: string): string => `${prefix}${(++ids).toString().padStart(12, '0')}`

/** In three pieces, not on the boundaries of anything. */
export function pieces(text: string): string[] {
  const size = Math.max(1, Math.ceil([...text].length / 3))
  const letters = [...text]
  const cut: string[] = []
  for (let at = 0; at < letters.length; at += size) cut.push(letters.slice(at, at + size).join(''))
  return cut
}

export const sizeOf = (mediaType: string, base64: string): string =>
  `${mediaType}, ${Buffer.from(base64, 'base64').length} bytes`

export const event = (value: unknown, name?: string): string =>
  `${name === undefined ? '' : `event: ${name}\n`}data: ${JSON.stringify(value)}\n\n`

export const joined = (texts: readonly string[]): string => texts.filter((text) => text !== '').join('\n')
