// How much the model may write and think, and how freely: max_tokens, thinking, effort and the sampling values. They
// depend on each other, and on the model.
import type { CanonicalRequest, Effort, JsonObject } from '../canonical'
import type { BuildTarget, FieldNotes } from '../translation'
import type { ModelTraits } from './model-traits'

/** Tokens a word of effort stands for, where the model wants a number. */
const BUDGETS: Readonly<Record<Effort, number>> = {
  none: 0,
  minimal: 1024,
  low: 4096,
  medium: 10_240,
  high: 24_576,
  xhigh: 32_768,
}

/** The API's least budget; as much is left for the answer itself. */
const LEAST = 1024

export interface Depth {
  readonly maxTokens: number
  readonly thinking: JsonObject | null
  /** `output_config.effort` */
  readonly effort: string | null
}

/** What of the conversation stands against thinking. */
export interface Obstacles {
  /** A tool must be called: no thinking goes before a forced call. */
  readonly forced: boolean
  /** A tool loop runs whose assistant message has no thinking of Anthropic's: budgets demand it, adaptive does not. */
  readonly unthinkingLoop: boolean
}

/** A client that asks for more thinking than its limit of tokens leaves room for gets a higher limit. */
export function decideDepth(
  request: CanonicalRequest,
  target: BuildTarget,
  traits: ModelTraits,
  obstacles: Obstacles,
  notes: FieldNotes,
): Depth {
  const limit = target.maxOutputTokens ?? Number.POSITIVE_INFINITY
  const maxTokens = Math.min(request.maxTokens ?? traits.defaultMaxTokens, limit)
  const plain: Depth = { maxTokens, thinking: null, effort: null }
  const { reasoning } = request
  if (reasoning !== null && isOff(reasoning)) {
    if (traits.off === 'never') notes.dropped('reasoning')
    return { ...plain, thinking: offSwitch(traits), effort: traits.off === 'never' ? 'low' : null }
  }
  if (isHindered(obstacles, traits)) {
    if (reasoning !== null) notes.dropped('reasoning')
    return { ...plain, thinking: offSwitch(traits) }
  }
  if (reasoning === null) return plain
  if (traits.thinking === 'adaptive') return { ...plain, ...adaptive(reasoning, traits) }
  const budget = budgetOf(reasoning)
  return budget === null ? plain : withBudget(plain, budget, limit, reasoning.show, notes)
}

type Reasoning = NonNullable<CanonicalRequest['reasoning']>

const isOff = ({ effort, budget }: Reasoning): boolean => budget === 0 || (budget === null && effort === 'none')

/** Models that always think know how to go about a forced tool, or refuse it themselves. */
const isHindered = ({ forced, unthinkingLoop }: Obstacles, { thinking, off }: ModelTraits): boolean =>
  (forced && off !== 'never') || (unthinkingLoop && thinking === 'budget')

const offSwitch = ({ off }: ModelTraits): JsonObject | null =>
  off === 'omit' || off === 'never' ? null : { type: off }

/** Newer models hide their thoughts unless asked to show them. */
function adaptive(reasoning: Reasoning, traits: ModelTraits): Pick<Depth, 'thinking' | 'effort'> {
  const effort = effortWord(reasoning, traits)
  const wanted = effort !== null || reasoning.budget !== null || reasoning.show === true
  const display = reasoning.show === false ? 'omitted' : 'summarized'
  return { thinking: wanted ? { type: 'adaptive', display } : null, effort }
}

function effortWord({ effort: given, budget }: Reasoning, { hasXhigh }: ModelTraits): string | null {
  const effort = given ?? effortOf(budget)
  if (effort === 'none' || effort === 'minimal') return 'low'
  return effort === 'xhigh' && !hasXhigh ? 'max' : effort
}

function effortOf(budget: number | null): Effort | null {
  if (budget === null || budget < 0) return null
  if (budget <= BUDGETS.low) return 'low'
  if (budget <= BUDGETS.medium) return 'medium'
  return budget <= BUDGETS.high ? 'high' : 'xhigh'
}

function budgetOf({ effort, budget }: Reasoning): number | null {
  if (budget !== null && budget > 0) return Math.max(budget, LEAST)
  if (effort !== null) return Math.max(BUDGETS[effort], LEAST)
  return budget === null ? null : BUDGETS.medium
}

function withBudget(plain: Depth, wanted: number, limit: number, show: boolean | null, notes: FieldNotes): Depth {
  const maxTokens = plain.maxTokens > wanted ? plain.maxTokens : Math.min(limit, wanted + plain.maxTokens)
  const budget = Math.min(wanted, Math.max(maxTokens - LEAST, LEAST))
  if (budget >= maxTokens) {
    notes.dropped('reasoning')
    return plain
  }
  const display = show === false ? { display: 'omitted' } : {}
  return { maxTokens, thinking: { type: 'enabled', budget_tokens: budget, ...display }, effort: null }
}

/** temperature, top_p and top_k as far as model and thinking let them through. The rest is noted. */
export function buildSampling(
  request: CanonicalRequest,
  traits: ModelTraits,
  thinks: boolean,
  notes: FieldNotes,
): JsonObject {
  const { temperature, topP, topK } = request
  const free = traits.takesSampling && !thinks
  const sampling: Record<string, number> = {}
  if (temperature !== null && free) {
    sampling.temperature = Math.min(Math.max(temperature, 0), 1)
    if (sampling.temperature !== temperature) notes.dropped('temperature')
  } else if (temperature !== null && temperature !== 1) notes.dropped('temperature')
  const topPFits = free
    ? traits.takesBothSampling || sampling.temperature === undefined
    : traits.takesSampling && topP !== null && topP >= 0.95
  if (topP !== null && topPFits) sampling.top_p = topP
  else if (topP !== null && topP !== 1) notes.dropped('topP')
  if (topK !== null && free) sampling.top_k = topK
  else if (topK !== null) notes.dropped('topK')
  return sampling
}
