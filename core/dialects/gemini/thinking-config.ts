// How much a model of Google's shall think: a number of tokens. Models differ in what they take; a number outside of it
// is refused, so it is moved to the nearest that is not.
import type { Effort, JsonObject, Reasoning } from '../canonical'
import type { FieldNotes } from '../translation'
import { bareModel } from './model-path'

/** Tokens; low, medium and high as Google's own OpenAI-compatible endpoint reads them. */
const BUDGETS: Readonly<Record<Effort, number>> = {
  none: 0,
  minimal: 512,
  low: 1024,
  medium: 8192,
  high: 24_576,
  xhigh: 32_768,
}

/** Tokens. Lite models take no less than the first, Pro models think always, and more. */
const LEAST = 512
const LEAST_PRO = 128
const MOST = 24_576
const MOST_PRO = 32_768

export function thinkingConfig(reasoning: Reasoning | null, model: string, notes: FieldNotes): JsonObject | null {
  if (reasoning === null) return null
  const { effort, show } = reasoning
  const budget = reasoning.budget ?? (effort === null ? null : BUDGETS[effort])
  const name = nameOf(model)
  if (!canThink(name)) {
    if (budget !== null && budget !== 0) notes.dropped('reasoning')
    return null
  }
  const config = {
    ...(budget === null ? {} : { thinkingBudget: within(budget, /\bpro\b/.test(name)) }),
    ...(show === true ? { includeThoughts: true } : {}),
  }
  return Object.keys(config).length === 0 ? null : config
}

function within(budget: number, isPro: boolean): number {
  if (budget < 0) return -1
  if (budget === 0) return isPro ? LEAST_PRO : 0
  return Math.min(Math.max(Math.round(budget), LEAST), isPro ? MOST_PRO : MOST)
}

/** "publishers/google/models/gemini-3-pro" → "gemini-3-pro". */
const nameOf = (model: string): string => bareModel(model).split('/').at(-1)?.toLowerCase() ?? ''

/** Those that do not refuse a request that speaks of thinking. */
const canThink = (name: string): boolean => !/^(?:gemini-(?:1|2\.0)|gemini-pro|gemma|learnlm)/.test(name)

/** Models from Gemini 3 on refuse function calls of the running turn that carry no signature. */
export const demandsSignatures = (model: string): boolean => {
  const name = nameOf(model)
  return /^gemini-/.test(name) && !/^gemini-(?:[12][.-]|pro(?:-vision)?$)/.test(name)
}
