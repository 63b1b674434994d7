// What the fake upstream can be told to do, and what it tells of the requests it saw. Types only: the child process
// runs without a bundler.

export type Step =
  /** Sends the status and the headers now; otherwise they go with the first text. */
  | { readonly kind: 'head' }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'pause'; readonly ms: number }
  /** Waits until the test opens this gate. */
  | { readonly kind: 'gate'; readonly name: string }
  /** Repeats a text until `bytes` were written, as fast as the reader takes it. */
  | { readonly kind: 'flood'; readonly text: string; readonly bytes: number }
  /** Says nothing more, and stays open. */
  | { readonly kind: 'hang' }
  /** Breaks the connection with a TCP reset. */
  | { readonly kind: 'reset' }
  /** Closes the connection in the middle of the body. */
  | { readonly kind: 'cut' }

export interface Script {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
  readonly gzip?: boolean
  readonly steps: readonly Step[]
}

export interface SeenRequest {
  readonly id: number
  readonly method: string
  readonly path: string
  /** The credential it came with, whichever header held it. */
  readonly key: string
  readonly model: string
  readonly headers: Readonly<Record<string, string>>
  /** Names as they came over the wire, repeated ones repeated. */
  readonly rawHeaders: readonly string[]
  readonly length: number
  readonly sha256: string
  /** Empty where the body was too large to keep. */
  readonly body: Uint8Array
}

export type ToChild =
  | { readonly kind: 'answer'; readonly key: string; readonly model: string; readonly scripts: readonly Script[] }
  | { readonly kind: 'open'; readonly gate: string }
  | { readonly kind: 'sync'; readonly id: number }

export type FromChild =
  | { readonly kind: 'listening'; readonly port: number }
  | { readonly kind: 'arrived'; readonly request: SeenRequest }
  /** Its answer is complete, or its connection is gone before it was. */
  | { readonly kind: 'closed'; readonly id: number; readonly aborted: boolean; readonly sent: number }
  /** A flood has not been able to write for a while: somebody down the line does not read. */
  | { readonly kind: 'stalled'; readonly id: number; readonly sent: number }
  /** A strict model found the request wrong in form, and said so with a 400. */
  | { readonly kind: 'refused'; readonly id: number; readonly model: string; readonly why: string }
  | { readonly kind: 'synced'; readonly id: number }
