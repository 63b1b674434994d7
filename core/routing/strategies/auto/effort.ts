// How hard a model is to think about a request that leaves it to the gateway (docs/resilience.md, "Strategies: auto"). Pure.
import type { Task } from '../../../contract/auto-words'
import type { RequestFacts } from '../strategy'

export type ChosenEffort = 'low' | 'medium' | 'high'

const OF_TASK: Readonly<Record<Task, ChosenEffort>> = {
  documentation: 'low',
  coding: 'medium',
  review: 'medium',
  analysis: 'medium',
  planning: 'high',
  debugging: 'high',
}

/** Where nobody can tell what it is about, a request longer than this is not a simple one. */
const SIMPLE_TOKENS = 500

export function effortFor({ task, inputTokens }: Pick<RequestFacts, 'task' | 'inputTokens'>): ChosenEffort {
  if (task !== null) return OF_TASK[task]
  return inputTokens !== null && inputTokens <= SIMPLE_TOKENS ? 'low' : 'medium'
}
