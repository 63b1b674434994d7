// What came of one upstream call that did not become an answer, and the signal it is judged by.
import type { ProviderRow } from '../providers/provider-row'
import { proxyWords } from '../resilience/proxy-words'
import type { Signal } from '../resilience/verdict/signal'
import type { Verdict } from '../resilience/verdict/verdict'

export type Outcome =
  | {
      readonly kind: 'http'
      readonly status: number
      readonly headers: Readonly<Record<string, string>>
      readonly text: string
    }
  | { readonly kind: 'timeout'; readonly phase: 'connect' | 'first byte' | 'idle' }
  /** `proxy`: it failed there, and nothing was asked of the provider. */
  | { readonly kind: 'network'; readonly code: string; readonly proxy?: string }
  /** A 200 without content, or one that ended before any. */
  | { readonly kind: 'empty' }
  /** A 200 whose body is not of the dialect. */
  | { readonly kind: 'unreadable'; readonly text: string }

interface Place {
  readonly provider: ProviderRow
  readonly model: string | null
  readonly now: number
  readonly timeZone: string
}

export function judgeOutcome(outcome: Outcome, place: Place, judge: (signal: Signal) => Verdict): Verdict {
  if (outcome.kind === 'http') {
    const { status, headers, text } = outcome
    return judge({ kind: 'answer', ...place, status, headers, body: text })
  }
  const verdict = judge({ kind: 'incident', ...place, incident: outcome })
  if (outcome.kind !== 'network' || outcome.proxy === undefined) return verdict
  // The provider was never asked: only the way to it is broken.
  const message = proxyWords(outcome.proxy, outcome.code)
  return { ...verdict, message, scope: 'nobody', lasting: 'nothing', breakerKind: null }
}
