// What the practice provider's models do: a table for the server, the window and the documentation. All but `outage`
// fail on the first connection only, so that the second one is seen taking over.

export type Behaviour =
  | { readonly kind: 'echo' }
  /** Every second request to the first connection fails. */
  | { readonly kind: 'flaky'; readonly status: number }
  | { readonly kind: 'slow'; readonly beforeMs: number; readonly wordMs: number }
  | {
      readonly kind: 'status'
      readonly status: number
      readonly retryAfterS: number | null
      readonly everywhere: boolean
    }
  /** Breaks the connection after this many words. */
  | { readonly kind: 'cut'; readonly afterWords: number }

export interface PracticeModel {
  readonly id: string
  readonly shows: string
  readonly behaviour: Behaviour
}

export const PRACTICE_MODELS: readonly PracticeModel[] = [
  { id: 'echo', shows: 'Streams your prompt back, word by word.', behaviour: { kind: 'echo' } },
  {
    id: 'flaky',
    shows: 'Fails every second time with 500 on the first connection; the second one answers.',
    behaviour: { kind: 'flaky', status: 500 },
  },
  {
    id: 'slow',
    shows: 'Thinks for 3 seconds, then speaks slowly.',
    behaviour: { kind: 'slow', beforeMs: 3000, wordMs: 250 },
  },
  {
    id: 'rate-limited',
    shows: '429 with Retry-After 30 on the first connection; the second one answers.',
    behaviour: { kind: 'status', status: 429, retryAfterS: 30, everywhere: false },
  },
  {
    id: 'down',
    shows: '503 on the first connection; the second one answers.',
    behaviour: { kind: 'status', status: 503, retryAfterS: null, everywhere: false },
  },
  {
    id: 'outage',
    shows: '503 on both connections: what a whole provider being down looks like.',
    behaviour: { kind: 'status', status: 503, retryAfterS: 30, everywhere: true },
  },
  {
    id: 'cut',
    shows:
      'Breaks off after five words on the first connection. Words you have seen are never repeated: the stream ends with an error.',
    behaviour: { kind: 'cut', afterWords: 5 },
  },
]

export const WORD_MS = 30
