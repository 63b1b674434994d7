// The order of a combo's targets at this moment, in words: what its scores are made of, and what keeps others out. Pure.
import { completeConfig, type SetConfig } from '../../../core/contract/combo-config'
import type { AnyStrategyName } from '../../../core/contract/combo-strategies'
import type { ComboExplanation, ComboView } from '../../../core/contract/combo-views'
import { count } from '../../ui/numbers'

export type OrderedTarget = ComboExplanation['ordered'][number]
export type ExcludedTarget = ComboExplanation['excluded'][number]

/** What a score is made of; each counts from 0 to 1 unless its row says otherwise. */
const PART_WORDS: Readonly<Record<string, string>> = {
  headroom: 'Quota left',
  session: 'Worth of five hours',
  weekly: 'Worth of the week',
  guard: 'Not spared',
  unlimited: 'No limit',
  noData: 'Quota not known',
  limitReached: 'Limit reached',
  weight: 'Weight',
  success: 'Success',
  speed: 'Speed',
  halfOpen: 'Being probed',
  backoff: 'Rested of late',
  lastError: 'Failed last',
  cooling: 'Resting',
  cache: 'Prompt cache',
  sessions: 'Few sessions',
  latency: 'Speed',
  error: 'Few failures',
  cost: 'Price',
  violation: 'Over the limits',
  quota: 'Quota left',
  health: 'Health',
  costInv: 'Price',
  latencyInv: 'Speed',
  taskFit: 'Fit for the task',
  stability: 'Steady speed',
  tierPriority: 'Kind of account',
  tierAffinity: 'Kind of model',
  specificityMatch: 'Fit for the demand',
  contextAffinity: 'Knows the context',
  sessionAvailability: 'Free sessions',
  connectionDensity: 'Many connections',
  cacheAffinity: 'Prompt cache',
  resetWindowAffinity: 'Soon renewed',
  quality: 'Quality',
  reliability: 'Reliability',
}

/** What one of them is called; one without a word of its own by its name. */
export const partLabel = (key: string): string => PART_WORDS[key] ?? key

export interface Part {
  readonly key: string
  readonly label: string
  readonly text: string
  /** 0 to 1, to be drawn as a bar; null: it is no share. */
  readonly share: number | null
}

/** In the order they were given. A weight is what a person has written: no share of anything. */
export const partsOf = (parts: Readonly<Record<string, number>>): readonly Part[] =>
  Object.entries(parts).map(([key, value]): Part => {
    const isShare = value >= 0 && value <= 1 && key !== 'weight'
    return { key, label: partLabel(key), text: isShare ? percent(value) : short(value), share: isShare ? value : null }
  })

const percent = (share: number): string => `${Math.round(share * 100)} %`
const short = (value: number): string => String(Math.round(value * 1000) / 1000)

export const scoreWords = (score: number | null): string => (score === null ? '' : `score ${short(score)}`)

/** "openai/gpt-5.1 with work"; without a connection where any may carry it. */
export const targetName = ({ provider, model }: Pick<OrderedTarget, 'provider' | 'model'>): string =>
  `${provider}/${model}`

/** What its first place means, and what else is done with the order. */
export function orderNote({ strategy, config }: Pick<ComboView, 'strategy' | 'config'>): string {
  const { hedging, hedgeDelayMs, handoffModel } = completeConfig(strategy, config as SetConfig)
  const hedged = hedging ? ` Where it has not begun after ${count(hedgeDelayMs)} ms, the next is asked too.` : ''
  const silent = strategy === 'context-relay' && handoffModel === null
  return firstNote(strategy) + hedged + (silent ? ' No model is named for summaries, so none are made.' : '')
}

function firstNote(strategy: AnyStrategyName): string {
  switch (strategy) {
    case 'weighted':
    case 'random':
    case 'strict-random':
    case 'p2c':
    case 'quota-weighted':
      return 'One draw, as it may fall now. The next request draws again.'
    case 'round-robin':
      return 'Whose turn it is now.'
    case 'fusion':
      return 'All of them are asked at once.'
    case 'pipeline':
      return 'Each is asked in turn, and gets what the one before has written.'
    case 'auto':
      return 'By score; now and then a request tries another.'
    default:
      return 'The first that can answer does.'
  }
}
