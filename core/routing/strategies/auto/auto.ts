// `auto`: who may be chosen, what each is worth by sixteen factors, and who leads (docs/resilience.md, "Strategies: auto").
import type { ComboConfig } from '../../../contract/combo-config'
import { indexOfLastGood, type LastGood, lastGoodAfter } from '../last-good'
import { asListed, byScore, first, keyOf } from '../ranking'
import {
  type Candidate,
  type Ranked,
  type RequestFacts,
  type Scene,
  type SetAside,
  type StrategyState,
  strategy,
} from '../strategy'
import { factorsOf, greatestOf, scored, type Wanted } from './factors'
import { weightsFor } from './packs'
import { filtered, type Pool, TASK_OF_CATEGORY, withinBudget } from './pool'
import { byCost, byLatency, bySla, type SlaConfig } from './routers'
import { forgiven, type HealingBook, healed } from './self-heal'
import { explored, rotated } from './variety'

interface AutoState extends StrategyState {
  readonly kind: 'auto'
  readonly healing: HealingBook
  readonly good: LastGood | null
}

type Config = SlaConfig &
  Pick<ComboConfig, 'modePack' | 'weights' | 'routerStrategy' | 'explorationRate' | 'autoCategory' | 'autoFilter'>

/** More than half of the providers open: no time for trials. */
const INCIDENT_SHARE = 0.5

type Scored = Ranked & { readonly score: number }

/** Only somebody's own word asks for a tier: that of the filter, which lets others in where it would leave nobody. */
const wantedBy = ({ autoFilter }: Config, { specificity }: RequestFacts): Wanted => ({
  specificity,
  tierHint: autoFilter,
})

/** All factors and the score of each. */
function scoresOf(candidates: readonly Candidate[], { config, request, now }: Scene<Config>): Scored[] {
  const greatest = greatestOf(candidates)
  const weights = weightsFor(config, request.wishes)
  const category = request.category ?? config.autoCategory
  const task = request.task ?? (category === null ? null : TASK_OF_CATEGORY[category])
  const wanted = wantedBy(config, request)
  return candidates.map((candidate) => scored(candidate, factorsOf(candidate, greatest, wanted, task, now), weights))
}

interface Heals {
  readonly pool: Pool
  readonly scores: readonly Scored[]
  readonly healing: HealingBook
}

/** Sets aside whose score is very low. */
function withoutAiling(pool: Pool, scene: Scene<Config>, state: AutoState): Heals {
  const scores = scoresOf(pool.candidates, scene)
  const listed = new Set(scene.listed.map(({ executionKey }) => executionKey))
  const byKey = new Map(scores.map((one) => [keyOf(one), one.score]))
  const { book: healing, out } = healed(state.healing, byKey, listed, scene.now)
  if (out.size === 0) return { pool, scores, healing }
  const isOut = ({ target }: Candidate): boolean => out.has(target.executionKey)
  const ailing: SetAside[] = pool.candidates.filter(isOut).map((candidate) => ({
    candidate,
    exclusion: {
      gate: 'self-heal',
      reason: null,
      until: healing[candidate.target.executionKey]?.until ?? null,
      why: 'Its score is too low; it is looked at again later.',
    },
  }))
  return {
    pool: { candidates: pool.candidates.filter((c) => !isOut(c)), setAside: [...pool.setAside, ...ailing] },
    scores: scores.filter(({ candidate }) => !isOut(candidate)),
    healing,
  }
}

function ranked(
  candidates: readonly Candidate[],
  scores: readonly Scored[],
  scene: Scene<Config>,
  state: AutoState,
): readonly Ranked[] {
  const { config, random, openShare } = scene
  switch (config.routerStrategy) {
    case 'cost':
    case 'eco':
      return byCost(candidates)
    case 'latency':
    case 'fast':
      return byLatency(candidates)
    case 'sla-aware': {
      const greatest = greatestOf(candidates)
      const wanted = wantedBy(config, scene.request)
      return bySla(candidates, (c) => factorsOf(c, greatest, wanted, scene.request.task, scene.now), config)
    }
    case 'score':
      return byScore(scores)
    case 'lkgp': {
      const best = byScore(scores)
      return first(
        best,
        indexOfLastGood(
          best.map(({ candidate }) => candidate),
          state.good,
        ),
      )
    }
    case 'rules':
    case null: {
      const best = byScore(scores) as Scored[]
      const isTrial = openShare <= INCIDENT_SHARE && random() < config.explorationRate
      return isTrial ? explored(best, random) : rotated(best, random)
    }
  }
}

export const auto = strategy<AutoState, Config>({
  start: { kind: 'auto', healing: {}, good: null },

  order(scene, state) {
    const { candidates, config, request } = scene
    const allowed = filtered(candidates, request.category ?? config.autoCategory, config.autoFilter)
    const { cheapestFirst, ...within } = withinBudget(allowed, request)
    if (cheapestFirst) return { ordered: asListed(within.candidates), setAside: within.setAside, state }
    const { pool, scores, healing } = withoutAiling(within, scene, state)
    return {
      ordered: ranked(pool.candidates, scores, scene, state),
      setAside: pool.setAside,
      state: { ...state, healing },
    }
  },

  settled(state, target, outcome) {
    if (outcome.kind !== 'success') return state
    const healing = forgiven(state.healing, target.executionKey)
    return { ...state, healing, good: lastGoodAfter(state.good, target, outcome) }
  },
})
