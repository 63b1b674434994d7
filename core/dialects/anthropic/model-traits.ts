// What a model behind the Messages API accepts. Each generation of Claude takes away what the one before had, and
// answers 400 to the rest; other makers' models behind the same API know the oldest form only. Told by the name:
// platform.claude.com/docs/en/about-claude/models/migration-guide and the guides of each later model.

export interface ModelTraits {
  /** How thinking is asked for: `thinking.budget_tokens` (to Claude 4.5, others' models), or adaptively (from 4.6). */
  readonly thinking: 'budget' | 'adaptive'
  /** How thinking is switched off. `never`: the model always thinks; only less effort is possible. */
  readonly off: 'omit' | 'disabled' | 'between_tools' | 'never'
  /** Whether `output_config.effort` knows "xhigh"; older adaptive models have "max" above "high". */
  readonly hasXhigh: boolean
  /** temperature, top_p and top_k other than their defaults. */
  readonly takesSampling: boolean
  /** temperature and top_p in one request. */
  readonly takesBothSampling: boolean
  /** A conversation that ends with an assistant message. */
  readonly takesPrefill: boolean
  /** `output_config.format` with a JSON schema. */
  readonly takesOutputSchema: boolean
  /** Sent as max_tokens where the client set no limit and the model's own is not known. */
  readonly defaultMaxTokens: number
}

/** Another maker's model, or a Claude of before 4. 8192 is what the oldest of them still take. */
const OLDEST: ModelTraits = {
  thinking: 'budget',
  off: 'omit',
  hasXhigh: false,
  takesSampling: true,
  takesBothSampling: true,
  takesPrefill: true,
  takesOutputSchema: false,
  defaultMaxTokens: 8192,
}

/** A version greater than any known: a family or alias that carries none is of the newest kind. */
const NEWEST = 9900

export function modelTraits(model: string): ModelTraits {
  const name = model.toLowerCase()
  if (!name.includes('claude')) return OLDEST
  const family = /opus|sonnet|haiku|fable|mythos/.exec(name)?.[0] ?? ''
  const version = family === 'fable' || family === 'mythos' ? NEWEST : versionOf(name)
  if (version < 400) return OLDEST
  return {
    thinking: version >= 406 ? 'adaptive' : 'budget',
    off: switchOff(family, version),
    hasXhigh: version >= 407,
    takesSampling: version < 407,
    takesBothSampling: version < 401,
    takesPrefill: version < 406,
    takesOutputSchema: version >= 405 || (family === 'opus' && version >= 401),
    defaultMaxTokens: 32_000,
  }
}

/** "claude-opus-4-7-v1:0" → 407, "claude-3.5-sonnet" → 305, "claude-sonnet-4-20250514" → 400. */
function versionOf(name: string): number {
  const found = /claude\D*?[-.@/](\d{1,2})(?:[-.](\d{1,2}))?(?!\d)/.exec(name)
  return found ? Number(found[1]) * 100 + Number(found[2] ?? 0) : NEWEST
}

function switchOff(family: string, version: number): ModelTraits['off'] {
  if (version < 500) return 'omit'
  if (version === 500) return 'disabled'
  if (version === 505 && family === 'haiku') return 'disabled'
  return version === 505 && family === 'sonnet' ? 'between_tools' : 'never'
}
