// The table of what can be set of a combo: one row a key. Types, validation, form and documentation come from it. Rows
// that belong together stand in files of their own.
import { AUTO_CONFIG } from './combo-config-auto'
import { QUOTA_CONFIG } from './combo-config-quota'
import { WHOLE_CONFIG } from './combo-config-whole'
import { amount, anyWords, type ComboField, type ComboFieldValue, flag, text, whole } from './combo-fields'
import type { AnyStrategyName } from './combo-strategies'

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000

export const COMBO_CONFIG = {
  maxRetries: whole({
    fallback: 1,
    min: 0,
    max: 10,
    label: 'Retries of one target',
    help: 'How often a target is asked again after a failure that may pass.',
  }),
  retryDelayMs: whole({
    fallback: 2_000,
    min: 0,
    max: MINUTE_MS,
    unit: 'ms',
    label: 'Pause before a retry',
    help: 'Before the same target is asked again.',
  }),
  failoverBeforeRetry: flag({
    fallback: true,
    label: 'Others before retries',
    help: 'On: every other target is tried before one is asked twice.',
  }),
  fallbackDelayMs: whole({
    fallback: 0,
    min: 0,
    max: MINUTE_MS,
    unit: 'ms',
    label: 'Pause before the next target',
    help: '0: at once.',
  }),
  maxSetRetries: whole({
    fallback: 0,
    min: 0,
    max: 10,
    label: 'Rounds again',
    help: 'How often the whole list is tried again when all of it failed.',
  }),
  setRetryDelayMs: whole({
    fallback: 2_000,
    min: 0,
    max: MINUTE_MS,
    unit: 'ms',
    label: 'Pause before a round',
    help: 'Before the whole list is tried again.',
  }),
  comboTimeoutMs: whole({
    fallback: 0,
    min: 0,
    max: HOUR_MS,
    unit: 'ms',
    label: 'Time for a request',
    help: 'All attempts together until an answer begins; one that is not streamed must be whole by then. 0: no limit.',
  }),
  hedging: flag({
    fallback: false,
    label: 'Ask a second one early',
    help: 'When the first is slow to begin, the next is asked too, and the one that begins first answers. Both may cost.',
  }),
  hedgeDelayMs: whole({
    fallback: 500,
    min: 50,
    max: MINUTE_MS,
    unit: 'ms',
    label: 'Slow is',
    help: 'How long the first may take before the second is asked too.',
  }),
  connectionAwareExpansion: flag({
    fallback: false,
    label: 'Choose among connections',
    help: 'On: each connection of a step’s provider counts as a target of its own.',
  }),
  promptCacheAffinityEnabled: flag({
    fallback: true,
    label: 'Keep prompts where they are cached',
    help: 'A conversation prefers the connection that has its beginning in the prompt cache.',
  }),

  stickyWeightedLimit: whole({
    fallback: 1,
    min: 1,
    max: 1_000,
    unit: 'answers',
    label: 'Keep the draw for',
    help: 'So many answers come from one draw. 1: each request draws anew.',
  }),
  stickyRoundRobinLimit: whole({
    fallback: 3,
    min: 1,
    max: 1_000,
    unit: 'answers',
    label: 'Turn lasts',
    help: 'So many answers from one target before it is the next one’s turn. 1: each request moves on.',
  }),
  concurrencyPerModel: whole({
    fallback: 3,
    min: 1,
    max: 32,
    label: 'At once, per target',
    help: 'More requests wait. A connection’s own limit is used where it has one.',
  }),
  queueTimeoutMs: whole({
    fallback: 120_000,
    min: 0,
    max: 600_000,
    unit: 'ms',
    label: 'Wait for a place',
    help: 'How long a request waits for a place at its target before it goes on.',
  }),
  queueDepth: whole({
    fallback: 20,
    min: 0,
    max: 10_000,
    unit: 'requests',
    label: 'Waiting at once',
    help: 'So many may wait at one target. 0: any number.',
  }),

  handoffModel: text({
    maxLength: 256,
    label: 'Summary by',
    help: 'The model or combo that writes it; it gets the end of the conversation. Empty: none is made.',
  }),
  handoffThreshold: amount({
    fallback: 0.85,
    min: 0.1,
    max: 0.94,
    label: 'Summary from',
    help: 'Share of the account’s quota used from which a summary is made, up to 0.95.',
  }),
  handoffProviders: anyWords({
    fallback: ['codex'],
    label: 'For providers',
    help: 'Whose accounts hand over. Ids of providers.',
  }),
  maxMessagesForSummary: whole({
    fallback: 30,
    min: 5,
    max: 100,
    unit: 'messages',
    label: 'Summarise the last',
    help: 'So many messages at most, and no more than 8000 tokens.',
  }),
  universalHandoff: flag({
    fallback: false,
    label: 'At every change of account',
    help: 'On: after any change of account, whatever the provider, a summary is made of what came before.',
  }),

  ...QUOTA_CONFIG,
  ...AUTO_CONFIG,
  ...WHOLE_CONFIG,
} satisfies Record<string, ComboField>

type Table = typeof COMBO_CONFIG
export type ComboConfigKey = keyof Table
export const COMBO_CONFIG_KEYS = Object.keys(COMBO_CONFIG) as ComboConfigKey[]
export const isComboConfigKey = (key: string): key is ComboConfigKey => Object.hasOwn(COMBO_CONFIG, key)

/** Whole: every key with its value. */
export type ComboConfig = { readonly [K in ComboConfigKey]: ComboFieldValue<Table[K]> }
/** What a person has set. */
export type SetConfig = Partial<ComboConfig>

/** Of combos of every kind. */
const COMMON_KEYS = [
  'maxRetries',
  'retryDelayMs',
  'failoverBeforeRetry',
  'fallbackDelayMs',
  'maxSetRetries',
  'setRetryDelayMs',
  'comboTimeoutMs',
  'connectionAwareExpansion',
  'promptCacheAffinityEnabled',
] as const satisfies readonly ComboConfigKey[]

/** Of combos whose targets are alternatives to each other: one is enough. */
const HEDGING_KEYS = ['hedging', 'hedgeDelayMs'] as const satisfies readonly ComboConfigKey[]

export const commonKeysOf = (strategy: AnyStrategyName): readonly ComboConfigKey[] =>
  strategy === 'fusion' || strategy === 'pipeline' ? COMMON_KEYS : [...COMMON_KEYS, ...HEDGING_KEYS]

const RESET_AWARE_KEYS = [
  'resetAwareSessionWeight',
  'resetAwareWeeklyWeight',
  'resetAwareExhaustionGuardPercent',
] as const satisfies readonly ComboConfigKey[]

/** What else each strategy reads: the form shows these. */
export const STRATEGY_KEYS: Readonly<Record<AnyStrategyName, readonly ComboConfigKey[]>> = {
  priority: [],
  weighted: ['stickyWeightedLimit'],
  'round-robin': ['stickyRoundRobinLimit', 'concurrencyPerModel', 'queueTimeoutMs', 'queueDepth'],
  'context-relay': [
    'handoffModel',
    'handoffThreshold',
    'handoffProviders',
    'maxMessagesForSummary',
    'universalHandoff',
  ],
  'fill-first': [],
  p2c: [],
  random: [],
  'least-used': [],
  'cost-optimized': [],
  'reset-aware': [...RESET_AWARE_KEYS, 'resetAwareTieBandPercent'],
  'reset-window': ['resetWindows', 'resetWindowIncludeSession'],
  headroom: [],
  'quota-weighted': ['quotaWeightedFloorPercent', ...RESET_AWARE_KEYS],
  'strict-random': [],
  auto: [
    'modePack',
    'weights',
    'routerStrategy',
    'explorationRate',
    'autoCategory',
    'autoFilter',
    'slaTargetP95Ms',
    'slaMaxErrorRate',
    'slaMaxCostPer1MTokens',
    'slaHardConstraints',
  ],
  lkgp: [],
  'context-optimized': [],
  'cache-optimized': [],
  fusion: ['judgeModel', 'minPanel', 'maxPanel', 'stragglerGraceMs', 'panelHardTimeoutMs'],
  pipeline: ['agentic', 'maxToolRounds'],
  'quota-share': ['queueTimeoutMs', 'queueDepth'],
}

/** Where a strategy's default is not the table's. */
const OWN_FALLBACKS: Readonly<Partial<Record<AnyStrategyName, SetConfig>>> = {
  'quota-share': { queueTimeoutMs: 30_000 },
}

export const DEFAULT_COMBO_CONFIG = Object.fromEntries(
  COMBO_CONFIG_KEYS.map((key) => [key, COMBO_CONFIG[key].fallback]),
) as ComboConfig

/** @param inherited settings for all combos, used where the combo says nothing: `stickyRoundRobinLimit` */
export const completeConfig = (strategy: AnyStrategyName, set: SetConfig, inherited: SetConfig = {}): ComboConfig => ({
  ...DEFAULT_COMBO_CONFIG,
  ...OWN_FALLBACKS[strategy],
  ...inherited,
  ...set,
})

export const keysOf = (strategy: AnyStrategyName): readonly ComboConfigKey[] => [
  ...commonKeysOf(strategy),
  ...STRATEGY_KEYS[strategy],
]

/** What remains of a configuration when the strategy is changed. */
export function keptConfig(strategy: AnyStrategyName, set: SetConfig): SetConfig {
  const own = new Set<string>(keysOf(strategy))
  return Object.fromEntries(Object.entries(set).filter(([key]) => own.has(key))) as SetConfig
}
