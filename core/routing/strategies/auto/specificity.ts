// How demanding a request is, from 0 to 100, by what can be seen of it: simple ones belong to cheap models
// (docs/strategies.md, "What is measured"). Pure.
import type { Task } from '../../../contract/auto-words'

export interface Demand {
  /** null: cannot be told. */
  readonly inputTokens: number | null
  readonly tools: boolean
  readonly images: boolean
  /** It asks the model to think first. */
  readonly thinks: boolean
  readonly task: Task | null
}

/** Tokens from which on the length counts so much. */
const BY_LENGTH: readonly (readonly [tokens: number, points: number])[] = [
  [32_000, 40],
  [8_000, 30],
  [2_000, 20],
  [500, 10],
]
/** An image says nothing of the length; in between. */
const UNKNOWN_LENGTH = 20

const BY_TASK: Readonly<Record<Task, number>> = {
  debugging: 20,
  planning: 20,
  coding: 15,
  review: 15,
  analysis: 15,
  documentation: 5,
}

export function specificityOf({ inputTokens, tools, images, thinks, task }: Demand): number {
  const length = inputTokens === null ? UNKNOWN_LENGTH : (BY_LENGTH.find(([tokens]) => inputTokens >= tokens)?.[1] ?? 0)
  return length + (tools ? 15 : 0) + (images ? 10 : 0) + (thinks ? 15 : 0) + (task === null ? 0 : BY_TASK[task])
}
