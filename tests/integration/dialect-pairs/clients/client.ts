// What the matrix asks of an official client, in the words of no dialect. One small file for each client does it the
// way that client's documentation shows.
import type { Dialect } from '../../../../core/contract/kinds'

/** Where a client is pointed: an address without a path, and the key to call with. */
export interface Place {
  readonly origin: string
  readonly key: string
}

export interface Question {
  readonly model: string
  readonly prompt: string
  readonly stream: boolean
  readonly system?: string
  /** Shown beside the prompt. */
  readonly picture?: typeof PICTURE | typeof PICTURE_URL
  /** The client offers the tool `WEATHER`. */
  readonly tools?: boolean
  /** The answer shall fit `REPORT`. */
  readonly structured?: boolean
  /** The model shall think, and show it. */
  readonly think?: boolean
  readonly signal?: AbortSignal
  /** Of a stream: each piece of text as it comes. */
  readonly onText?: (piece: string) => void
}

export interface Call {
  readonly id: string
  readonly name: string
  readonly arguments: unknown
}

/** What a tool gives back: words, or a picture. */
export type Result = string | typeof PICTURE

export interface Reply {
  readonly text: string
  readonly thought: string
  readonly calls: readonly Call[]
  /** In the client's own word. */
  readonly stop: string
  readonly usage: Tokens
  /** The next turn: the client's own history with the results of all calls. */
  goOn(result: (call: Call, index: number) => Result): Promise<Reply>
}

export interface Tokens {
  /** Cached ones included. */
  readonly input: number | undefined
  readonly cached: number | undefined
  /** Reasoning included. */
  readonly output: number | undefined
  /** undefined where the client's dialect has no such count. */
  readonly reasoning: number | undefined
}

/** An error as the client's user sees it. */
export interface Fault {
  readonly class: string
  readonly status: number | undefined
  readonly message: string
  /** The header, where the client shows headers. */
  readonly retryAfter: string | null | undefined
}

export interface Client {
  ask(question: Question): Promise<Reply>
}

export interface ClientKind {
  /** "an Anthropic client" */
  readonly name: string
  readonly dialect: Dialect
  /** The client shows thoughts at all. */
  readonly showsThoughts: boolean
  /** The client keeps what came with thoughts (signatures) in its history. */
  readonly keepsThoughts: boolean
  /** The client can put a picture into a tool result. */
  readonly toolPictures: boolean
  /** The client passes the address of a picture on. */
  readonly pictureAddresses: boolean
  /** Names of its error classes, where it has one for each status. */
  readonly errorClass: Readonly<Record<number, string>>
  /** How it says why an answer ended. */
  readonly stops: Readonly<Record<'stop' | 'length' | 'filter' | 'calls', string>>
  open(place: Place): Client
  faultOf(error: unknown): Fault
}

/** One pixel. */
export const PICTURE =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==' as const
export const PICTURE_URL = 'https://pictures.example/boat.png' as const
export const PICTURE_BYTES = Buffer.from(PICTURE, 'base64').length

/** With keywords that some APIs refuse, and a property that is called like one. */
export const WEATHER = {
  name: 'weather',
  description: 'The weather in a city.',
  schema: {
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    properties: {
      city: { type: 'string', description: 'Its name' },
      days: { anyOf: [{ type: 'integer', exclusiveMinimum: 0 }, { type: 'null' }] },
      mode: { const: 'fast' },
      links: { type: 'array', items: { type: 'string', format: 'uri' }, uniqueItems: true },
      additionalProperties: { type: 'string' },
    },
    required: ['city'],
    additionalProperties: false,
  },
} as const

export const REPORT = {
  type: 'object',
  properties: {
    city: { type: 'string' },
    degrees: { type: 'integer' },
    winds: {
      type: 'array',
      items: {
        type: 'object',
        properties: { strong: { type: 'boolean' } },
        required: ['strong'],
        additionalProperties: false,
      },
    },
  },
  required: ['city', 'degrees', 'winds'],
  additionalProperties: false,
} as const

export const className = (error: unknown): string => (error instanceof Error ? error.constructor.name : typeof error)
export const words = (error: unknown): string => (error instanceof Error ? error.message : String(error))
