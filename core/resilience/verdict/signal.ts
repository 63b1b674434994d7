// What a failed attempt leaves behind: an error answer, or an outcome of our own making or seeing.
import type { ProviderRow } from '../../providers/provider-row'

interface Common {
  readonly provider: ProviderRow
  /** As the provider calls it; null: not known. */
  readonly model: string | null
  /** Epoch milliseconds at which the outcome was known. */
  readonly now: number
  /** IANA zone of the user, for "midnight" and for hours in words. */
  readonly timeZone: string
}

/** An answer that is an error. An error inside a 200 stream comes with the status it stands for. */
export interface FailureSignal extends Common {
  readonly kind: 'answer'
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** What came instead of an answer, or why an answer was not taken. */
export type Incident =
  | { readonly kind: 'timeout'; readonly phase: 'connect' | 'first byte' | 'idle' }
  | { readonly kind: 'network'; readonly code: string }
  /** A 200 without content, or one that ended before any. */
  | { readonly kind: 'empty' }
  /** A 200 whose body is not of the dialect. */
  | { readonly kind: 'unreadable'; readonly text: string }
  /** Bytes came, but no output of the model. */
  | { readonly kind: 'stall' }
  /** Output came too slowly. */
  | { readonly kind: 'throughput' }
  /** The client went away. */
  | { readonly kind: 'aborted' }
  /** A queue, a gate or a limit of the gateway itself. */
  | { readonly kind: 'local'; readonly message: string }

export interface IncidentSignal extends Common {
  readonly kind: 'incident'
  readonly incident: Incident
}

export type Signal = FailureSignal | IncidentSignal
