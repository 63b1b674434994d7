// How much a model shall think, in the word Chat has for it.
import { badInput } from '../../errors'
import { EFFORTS, type Effort, type JsonObject, type Reasoning } from '../canonical'
import { isObject, maybeBoolean, maybeNumber, needObject } from '../json'

/** Thinking budgets in tokens up to which a word stands; more is "high" (docs/dialects.md). */
const BUDGETS: readonly (readonly [number, Effort])[] = [
  [0, 'none'],
  [4_096, 'low'],
  [16_384, 'medium'],
]

/** null: the model decides. */
export function effortWord(reasoning: Reasoning | null): Effort | null {
  if (reasoning === null) return null
  const { effort, budget } = reasoning
  if (effort !== null || budget === null || budget < 0) return effort
  return BUDGETS.find(([limit]) => budget <= limit)?.[1] ?? 'high'
}

/**
 * `reasoning_effort`, or what compatible servers know beside it: OpenRouter's `reasoning` and `include_reasoning`,
 * and `thinking` as DeepSeek, Z.ai and others have it. @throws GatewayError 400
 */
export function parseReasoning(body: JsonObject): Reasoning | null {
  const reasoning = isGiven(body.reasoning) ? needObject(body.reasoning, 'reasoning') : {}
  const thinking = isGiven(body.thinking) ? needObject(body.thinking, 'thinking') : {}
  const effort = isGiven(body.reasoning_effort)
    ? parseEffort(body.reasoning_effort, 'reasoning_effort')
    : isGiven(reasoning.effort)
      ? parseEffort(reasoning.effort, 'reasoning.effort')
      : null
  const isOff = reasoning.enabled === false || thinking.type === 'disabled'
  const budget =
    maybeNumber(reasoning.max_tokens, 'reasoning.max_tokens') ??
    maybeNumber(thinking.budget_tokens, 'thinking.budget_tokens') ??
    (isOff ? 0 : reasoning.enabled === true || isObject(body.thinking) ? -1 : null)
  const exclude = maybeBoolean(reasoning.exclude, 'reasoning.exclude')
  const show = exclude === null ? maybeBoolean(body.include_reasoning, 'include_reasoning') : !exclude
  if (effort === null && budget === null && show === null) return null
  return { effort, budget: effort === null ? budget : null, show }
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null

function parseEffort(value: unknown, at: string): Effort {
  const word = value === 'max' ? 'xhigh' : value
  const effort = EFFORTS.find((known) => known === word)
  if (effort === undefined) throw badInput(at, `must be one of ${EFFORTS.join(', ')}.`)
  return effort
}
