// In the order of the list, and before an account's quota is spent a summary of the conversation is made, which goes
// along when another account takes over (docs/resilience.md, "Strategies: context-relay"). The call that writes the
// summary, and where summaries are kept, are the caller's affair.
import type { ComboConfig } from '../../contract/combo-config'
import { asListed } from './ranking'
import { stateless } from './strategy'

export const contextRelay = stateless<object>(({ candidates }) => asListed(candidates))

type Config = Pick<ComboConfig, 'handoffThreshold' | 'handoffProviders' | 'universalHandoff' | 'maxMessagesForSummary'>

/** From here on it is too late: what is left is for the conversation itself. */
export const HANDOFF_UNTIL = 0.95
export const SUMMARY_TTL_MS = 5 * 3_600_000
export const SUMMARY_INPUT_TOKENS = 8_000
export const SUMMARY_OUTPUT_TOKENS = 800

/** What is kept of a conversation for whoever takes over. */
export interface Summary {
  readonly text: string
  /** The connection whose conversation it sums up. */
  readonly connectionId: string
  readonly madeAt: number
}

export const isValid = (summary: Summary, now: number): boolean =>
  now >= summary.madeAt && now - summary.madeAt < SUMMARY_TTL_MS

export interface RelayFacts {
  readonly provider: string
  /** That has the conversation now; null: it has only begun. */
  readonly connectionId: string | null
  /** Share of its quota that is used; null: unknown. */
  readonly usedShare: number | null
  readonly summary: Summary | null
}

/** After an answer: whether a summary is to be made while the account can still be asked for it. */
export function isSummaryDue(facts: RelayFacts, config: Config, now: number): boolean {
  const { provider, connectionId, usedShare, summary } = facts
  if (connectionId === null || usedShare === null || !config.handoffProviders.includes(provider)) return false
  if (usedShare < config.handoffThreshold || usedShare >= HANDOFF_UNTIL) return false
  return summary === null || summary.connectionId !== connectionId || !isValid(summary, now)
}

export type RelayDecision =
  | { readonly kind: 'none' }
  /** Goes into the request, before the conversation. */
  | { readonly kind: 'inject'; readonly summary: Summary }
  /** Is made first, by whoever takes over, and then goes in. */
  | { readonly kind: 'summarise' }

/** Before a request goes to `nextConnectionId`: what it is to be told of the conversation so far. */
export function relayDecision(facts: RelayFacts, nextConnectionId: string, config: Config, now: number): RelayDecision {
  const { connectionId, summary } = facts
  if (connectionId === null || connectionId === nextConnectionId) return { kind: 'none' }
  if (summary !== null && summary.connectionId === connectionId && isValid(summary, now))
    return { kind: 'inject', summary }
  return config.universalHandoff ? { kind: 'summarise' } : { kind: 'none' }
}

/**
 * Which messages a summary is made of: the last ones, so many and so long as may be, in their order.
 * @param tokens of each message, in the order of the conversation
 * @returns the index of the first one; the last message is always in
 */
export function summaryFrom(tokens: readonly number[], config: Config): number {
  let from = tokens.length
  let sum = 0
  while (from > 0 && tokens.length - from < config.maxMessagesForSummary) {
    sum += tokens[from - 1] ?? 0
    if (sum > SUMMARY_INPUT_TOKENS && from < tokens.length) break
    from--
  }
  return from
}
