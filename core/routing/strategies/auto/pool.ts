// Whom `auto` chooses among: filters for what models can do and what accounts are worth, which let everybody in where
// they would leave nobody, and the budget of a request, which is the client's to make strict.
import type { Category, PoolFilter, Task } from '../../../contract/auto-words'
import { GatewayError } from '../../../errors'
import type { Exclusion } from '../../target-view'
import { ascending } from '../ranking'
import type { Candidate, RequestFacts, SetAside } from '../strategy'

const CAN: Readonly<Record<Category, (candidate: Candidate) => boolean>> = {
  coding: ({ view }) => view.tools !== false,
  reasoning: ({ view }) => view.reasoning === true,
  vision: ({ view }) => view.images === true,
  multimodal: ({ view }) => view.images === true,
  chat: () => true,
}

/** What a category's requests are about, where nothing else tells. */
export const TASK_OF_CATEGORY: Readonly<Record<Category, Task | null>> = {
  coding: 'coding',
  reasoning: 'analysis',
  vision: null,
  chat: null,
  multimodal: null,
}

const IS: Readonly<Record<PoolFilter, (candidate: Candidate) => boolean>> = {
  free: ({ view }) => view.tier === 'free' || (view.inputPrice === 0 && (view.outputPrice ?? 0) === 0),
  pro: ({ view }) => view.tier === 'pro' || view.tier === 'ultra',
}

export interface Pool {
  readonly candidates: readonly Candidate[]
  readonly setAside: readonly SetAside[]
}

const filteredOut = (why: string): Exclusion => ({ gate: 'filter', reason: null, until: null, why })

/** Those it is true of; all, where it is true of nobody. */
function kept({ candidates, setAside }: Pool, is: (candidate: Candidate) => boolean, why: string): Pool {
  const inside = candidates.filter(is)
  if (inside.length === 0) return { candidates, setAside }
  const exclusion = filteredOut(why)
  const outside = candidates.filter((candidate) => !is(candidate)).map((candidate) => ({ candidate, exclusion }))
  return { candidates: inside, setAside: [...setAside, ...outside] }
}

export function filtered(candidates: readonly Candidate[], category: Category | null, filter: PoolFilter | null): Pool {
  let pool: Pool = { candidates, setAside: [] }
  if (category !== null) pool = kept(pool, CAN[category], `Its model is not known to be one for ${category}.`)
  if (filter !== null)
    pool = kept(pool, IS[filter], `It is not ${filter === 'free' ? 'free of charge' : 'a better paid account'}.`)
  return pool
}

const USUAL_INPUT = 1_000
/** Of answers nothing is known of. */
export const USUAL_OUTPUT = 1_000

/** US dollars this request will cost about there; null: unknown. */
export function estimateUsd({ view }: Candidate, { inputTokens, outputTokens }: RequestFacts): number | null {
  const { inputPrice, outputPrice } = view
  if (inputPrice === null || outputPrice === null) return null
  return ((inputTokens ?? USUAL_INPUT) * inputPrice + (outputTokens ?? USUAL_OUTPUT) * outputPrice) / 1_000_000
}

/**
 * Only those whose estimate is within the request's budget; an unknown one is not. Where nobody's is: all of them, the
 * cheapest first, or a refusal.
 * @throws GatewayError 402 where the client wants the budget kept strictly
 */
export function withinBudget(pool: Pool, request: RequestFacts): Pool & { readonly cheapestFirst: boolean } {
  const { budgetUsd, overBudget } = request.wishes
  if (budgetUsd === null || pool.candidates.length === 0) return { ...pool, cheapestFirst: false }
  const fits = (candidate: Candidate): boolean =>
    (estimateUsd(candidate, request) ?? Number.POSITIVE_INFINITY) <= budgetUsd
  if (pool.candidates.some(fits)) {
    return { ...kept(pool, fits, 'It would cost more than the budget of the request.'), cheapestFirst: false }
  }
  if (overBudget === 'strict') {
    throw new GatewayError(
      'payment_required',
      402,
      `No target is within the budget of $${budgetUsd}. Raise X-OmniRoute-Budget, or leave out X-OmniRoute-Budget-Fallback: strict.`,
    )
  }
  const byCost = ascending(pool.candidates, 'usd', (candidate) => estimateUsd(candidate, request))
  return { ...pool, candidates: byCost.map(({ candidate }) => candidate), cheapestFirst: true }
}
