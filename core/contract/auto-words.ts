// The closed word lists of the strategy `auto`: what it weighs, and how it can be told to.

/** Each from 0 to 1, the more the better (docs/resilience.md, "Strategies: auto"). */
export const FACTORS = [
  'quota',
  'health',
  'costInv',
  'latencyInv',
  'taskFit',
  'stability',
  'tierPriority',
  'tierAffinity',
  'specificityMatch',
  'contextAffinity',
  'sessionAvailability',
  'connectionDensity',
  'cacheAffinity',
  'resetWindowAffinity',
  'quality',
  'reliability',
] as const
export type Factor = (typeof FACTORS)[number]

/** Ready-made sets of weights. */
export const PACKS = [
  'ship-fast',
  'cost-saver',
  'quality-first',
  'offline-friendly',
  'reliability-first',
  'chaos-mode',
] as const
export type Pack = (typeof PACKS)[number]

/** How `auto` comes to an order. Aliases as in the wire: `eco` is `cost`, `fast` is `latency`. */
export const ROUTERS = ['rules', 'score', 'cost', 'eco', 'latency', 'fast', 'sla-aware', 'lkgp'] as const
export type Router = (typeof ROUTERS)[number]

/** What the models of `auto/<category>` must be good for. */
export const CATEGORIES = ['coding', 'reasoning', 'vision', 'chat', 'multimodal'] as const
export type Category = (typeof CATEGORIES)[number]

/** Only what costs nothing, or only what is paid for well. */
export const POOL_FILTERS = ['free', 'pro'] as const
export type PoolFilter = (typeof POOL_FILTERS)[number]

/** What a request is about, as far as it can be told. */
export const TASKS = ['coding', 'review', 'planning', 'analysis', 'debugging', 'documentation'] as const
export type Task = (typeof TASKS)[number]

/** What an account is worth, the best first. */
export const TIERS = ['ultra', 'pro', 'standard', 'free'] as const
export type Tier = (typeof TIERS)[number]
