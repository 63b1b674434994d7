// The quota that is renewed soonest is spent first (docs/resilience.md, "Strategies: reset-window"). Resets within a
// minute of the soonest are equals and take turns. Unknown ones come last; so do spent ones, which have nothing to spend.
import type { ComboConfig } from '../../contract/combo-config'
import { earliestReset, isLimitReached, windowOf } from './quota'
import { ascending, byNumber, placeOf } from './ranking'
import { type Candidate, type Ranked, strategy } from './strategy'
import { inTurn, type TurnState } from './take-turns'

type Config = Pick<ComboConfig, 'resetWindows' | 'resetWindowIncludeSession'>

const TIE_MS = 60_000
const NAMES = { weekly: '7d', monthly: 'monthly', session: '5h' } as const

/** Of the first configured window that has one; else the earliest of all; else the quota's own. null: unknown. */
export function resetOf({ view: { quota } }: Candidate, config: Config, now: number): number | null {
  if (quota.kind !== 'known') return null
  for (const name of config.resetWindows) {
    if (name === 'session' && !config.resetWindowIncludeSession) continue
    const resetAt = windowOf(quota, NAMES[name], now)?.resetAt ?? null
    if (resetAt !== null) return resetAt
  }
  return earliestReset(quota, now) ?? (quota.resetAt !== null && quota.resetAt > now ? quota.resetAt : null)
}

export const resetWindow = strategy<TurnState, Config>({
  start: { kind: 'reset-window', last: null },

  order({ candidates, listed, config, now }, state) {
    const isSpent = ({ view }: Candidate): boolean => isLimitReached(view.quota, now)
    const rank = (some: readonly Candidate[]): Ranked[] =>
      ascending(some, 'resetAt', (candidate) => resetOf(candidate, config, now))
    const open = rank(candidates.filter((candidate) => !isSpent(candidate)))
    const spent = rank(candidates.filter(isSpent))
    const soonest = open[0]?.score ?? null
    const behind = open.findIndex(({ score }) =>
      soonest === null ? score !== null : score === null || score > soonest + TIE_MS,
    )
    const equals = (behind < 0 ? open : open.slice(0, behind)).toSorted((a, b) => byNumber(placeOf(a), placeOf(b)))
    const { turn, last } = inTurn(equals, listed, state.last)
    return { ordered: [...turn, ...open.slice(equals.length), ...spent], state: { ...state, last } }
  },
})
