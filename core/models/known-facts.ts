// Several sources speak of one model: which value counts, and where it came from.
import { FACT_NAMES, type FactName, type FactSource, type FactValue, type ModelFacts } from '../contract/model-facts'

export interface KnownFact<N extends FactName> {
  readonly value: FactValue<N>
  readonly source: FactSource
  /** When the source said so, epoch milliseconds. */
  readonly at: number
}

/** Only what is known has a member. */
export type KnownFacts = { readonly [N in FactName]?: KnownFact<N> }

export interface FactsFrom {
  readonly source: FactSource
  readonly at: number
  readonly facts: ModelFacts
}

/** `sources`: strongest first. */
export function mergeFacts(sources: readonly FactsFrom[]): KnownFacts {
  const merged: Record<string, unknown> = {}
  for (const name of FACT_NAMES) {
    const found = sources.find(({ facts }) => facts[name] !== undefined)
    if (found !== undefined) merged[name] = { value: found.facts[name], source: found.source, at: found.at }
  }
  return merged as KnownFacts
}
