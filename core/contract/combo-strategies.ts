// The routing strategies a combo can have: names of the wire, other names for them, and words for people.

export const STRATEGIES = [
  'priority',
  'weighted',
  'round-robin',
  'context-relay',
  'fill-first',
  'p2c',
  'random',
  'least-used',
  'cost-optimized',
  'reset-aware',
  'reset-window',
  'headroom',
  'quota-weighted',
  'strict-random',
  'auto',
  'lkgp',
  'context-optimized',
  'cache-optimized',
  'fusion',
  'pipeline',
] as const
export type StrategyName = (typeof STRATEGIES)[number]

/** Of combos named `qtSd/…`, whatever strategy is written in them. Nobody chooses it. */
export const QUOTA_SHARE = 'quota-share'
export type AnyStrategyName = StrategyName | typeof QUOTA_SHARE

/** How the connections of one provider can take turns. */
export const ACCOUNT_STRATEGIES = [
  'priority',
  'weighted',
  'fill-first',
  'round-robin',
  'p2c',
  'random',
  'least-used',
  'cost-optimized',
  'strict-random',
] as const satisfies readonly StrategyName[]
export type AccountStrategyName = (typeof ACCOUNT_STRATEGIES)[number]

const OTHER_NAMES: ReadonlyMap<string, StrategyName> = new Map([
  ['usage', 'least-used'],
  ['context', 'context-optimized'],
  ['weekly-reset', 'reset-window'],
  ['reset-window-order', 'reset-window'],
])

/** By its name or another one of its; whatever nobody knows is `priority`. */
export const strategyNamed = (text: string): StrategyName =>
  STRATEGIES.find((name) => name === text) ?? OTHER_NAMES.get(text) ?? 'priority'

export interface StrategyWords {
  readonly label: string
  /** One line: whom it asks first. */
  readonly help: string
}

export const STRATEGY_WORDS: Readonly<Record<StrategyName, StrategyWords>> = {
  priority: { label: 'Priority', help: 'In the order of the list; the next one only when the one before cannot.' },
  weighted: { label: 'Weighted', help: 'Draws by weight: 3 is chosen three times as often as 1. 0 is only a reserve.' },
  'round-robin': { label: 'Round robin', help: 'Each takes a few requests, then it is the next one’s turn.' },
  'context-relay': {
    label: 'Context relay',
    help: 'As by priority; before an account’s quota is spent, a summary of the conversation is made for the next one.',
  },
  'fill-first': { label: 'Fill first', help: 'Uses up the first before the second is touched.' },
  p2c: { label: 'Best of two', help: 'Draws two and takes the one that answers faster and fails less.' },
  random: { label: 'Random', help: 'A new random order for each request.' },
  'least-used': { label: 'Least used', help: 'The one with the fewest requests so far.' },
  'cost-optimized': { label: 'Cheapest', help: 'The lowest price of input tokens first; unknown prices last.' },
  'reset-aware': { label: 'Quota and reset', help: 'Most quota left, and soonest renewed, first.' },
  'reset-window': { label: 'Soonest reset', help: 'The account whose quota is renewed soonest first.' },
  headroom: { label: 'Headroom', help: 'The account whose five hours and week are least used.' },
  'quota-weighted': { label: 'Weighted by quota', help: 'Draws by the quota that is left and what is under way.' },
  'strict-random': { label: 'Shuffled deck', help: 'Random, but nobody twice before everybody was asked once.' },
  auto: { label: 'Automatic', help: 'Scores quota, health, price, speed and fit for the task, and learns by trying.' },
  lkgp: { label: 'Last one that worked', help: 'Stays with the account that answered last; the others as listed.' },
  'context-optimized': { label: 'Largest context', help: 'The largest context window first.' },
  'cache-optimized': { label: 'Prompt cache', help: 'The same prompt goes to the same account, where its cache is.' },
  fusion: { label: 'Fusion', help: 'Asks all at once, and a judge writes one answer from theirs.' },
  pipeline: { label: 'Pipeline', help: 'One after the other: each gets what the one before has written.' },
}
