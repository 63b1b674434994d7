// What reads an upstream's answer. An attempt picks one reader by the answer's status and type; the reader decides
// when the client sees something.
import type { Usage } from '../dialects/usage'
import type { UpstreamHeaders } from './headers'
import type { Outcome } from './outcome'

/** An error answer as it came, to be relayed to a client of the same dialect if nothing better turns up. */
export interface UpstreamError {
  readonly status: number
  readonly headers: UpstreamHeaders
  readonly body: Buffer
}

export type AttemptResult =
  | { readonly kind: 'answered'; readonly status: number; readonly usage: Usage | null }
  /** Content went out and then it broke: the client got an error event. */
  | {
      readonly kind: 'truncated'
      readonly status: number
      readonly usage: Usage | null
      readonly message: string
      /** What it proves of the upstream. */
      readonly outcome: Outcome
    }
  /** Nothing a user would see went out. */
  | { readonly kind: 'failed'; readonly outcome: Outcome; readonly error: UpstreamError | null }
  /** The client left, or the gateway is stopping. */
  | { readonly kind: 'aborted' }

export interface AnswerReader {
  /** False: the client is slow, pause the upstream until drained. A result ends the attempt at once. */
  data(chunk: Buffer): boolean | AttemptResult
  /** The upstream ended its answer properly. */
  end(): AttemptResult
  /** The connection broke or went silent. */
  broken(outcome: Outcome): AttemptResult
}
