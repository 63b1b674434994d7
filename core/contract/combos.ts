// A combo as it is stored, imported and edited: a named list of steps with a strategy. What only the rest of the
// program can tell (other combos, providers) is checked where it is saved.
import { z } from 'zod'
import { COMBO_CONFIG, type ComboConfigKey, isComboConfigKey, keysOf, type SetConfig } from './combo-config'
import { comboFieldSchema } from './combo-fields'
import { type AnyStrategyName, QUOTA_SHARE, strategyNamed } from './combo-strategies'

/** The only prefix with a slash: combos that share quotas among many. */
export const QUOTA_SHARE_PREFIX = 'qtSd/'
/** `combo/<name>` means the combo, whatever else has that name. */
export const COMBO_PREFIX = 'combo/'
export const COMBO_NAME_LIMIT = 100
/** A fusion of more members than `maxPanel` is refused when it is asked; a list longer than this when it is saved. */
export const MOST_STEPS = 400
export const WEIGHT_LIMIT = 10_000

/** What keeps a text from being a combo's name; null when nothing does. */
export function comboNameFault(name: string, providerIds: ReadonlySet<string> = new Set()): string | null {
  const own = name.startsWith(QUOTA_SHARE_PREFIX) ? name.slice(QUOTA_SHARE_PREFIX.length) : name
  if (name.length > COMBO_NAME_LIMIT) return `must have at most ${COMBO_NAME_LIMIT} characters`
  if (!/^[A-Za-z0-9._-]+$/.test(own) || !/[A-Za-z0-9]/.test(own)) {
    return 'must consist of letters, digits, "-", "_" and "."'
  }
  if (name.toLowerCase() === 'auto') return '"auto" is there already: it chooses among all models; choose another name'
  if (providerIds.has(name.toLowerCase())) return `"${name}" is a provider; choose another name`
  return null
}

const optionalText = (max: number) => z.string().trim().min(1, 'must not be empty').max(max).nullable().default(null)

export const Step = z
  .strictObject({
    /** provider/model, a plain name, or a pattern with `*` for several; null where `combo` is given. */
    model: optionalText(256),
    /** Another combo, as one member. */
    combo: optionalText(COMBO_NAME_LIMIT),
    weight: z.number().min(0, 'must not be less than 0').max(WEIGHT_LIMIT).default(1),
    /** Only by this connection. */
    connection: optionalText(100),
    /** Only by these connections; null: by any. */
    allowedConnections: z
      .array(z.string().min(1).max(100))
      .min(1, 'must name one, or be null')
      .max(200)
      .nullable()
      .default(null),
    /** Of a pipeline: what this step is to do. */
    prompt: z.string().max(32_768).nullable().default(null),
    fallbackOnlyOnQuotaExhaustion: z.boolean().default(false),
  })
  .check((ctx) => {
    const { model, combo, connection, allowedConnections } = ctx.value
    const refuse = (field: string, message: string): void => {
      ctx.issues.push({ code: 'custom', input: ctx.value, path: [field], message })
    }
    if ((model === null) === (combo === null)) refuse('model', 'a step needs either a model or a combo')
    if (combo !== null && (connection !== null || allowedConnections !== null)) {
      refuse(connection === null ? 'allowedConnections' : 'connection', 'a combo has connections of its own')
    }
    if (connection !== null && allowedConnections !== null && !allowedConnections.includes(connection)) {
      refuse('connection', 'is not among the allowed ones')
    }
  })
export type Step = z.output<typeof Step>
export type StepInput = z.input<typeof Step>

const schemas = new Map<string, z.ZodType>(
  Object.entries(COMBO_CONFIG).map(([key, field]) => [key, comboFieldSchema(field)]),
)

/** What is wrong with one value of a configuration; null: nothing. */
export function configFault(key: ComboConfigKey, value: unknown): string | null {
  const checked = schemas.get(key)?.safeParse(value)
  return checked?.success === false ? (checked.error.issues[0]?.message ?? 'is not valid') : null
}

/** The strategy a combo really has. */
export const strategyOf = ({
  name,
  strategy,
}: {
  readonly name: string
  readonly strategy: string
}): AnyStrategyName => (name.startsWith(QUOTA_SHARE_PREFIX) ? QUOTA_SHARE : strategyNamed(strategy))

/** The name that other gateways have for the opposite of `promptCacheAffinityEnabled`. */
const STICKINESS_OFF = 'disableSessionStickiness'

function inOwnNames(config: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { [STICKINESS_OFF]: isOff, ...own } = config
  if (typeof isOff !== 'boolean') return { ...config }
  return isOff ? { ...own, promptCacheAffinityEnabled: false } : { promptCacheAffinityEnabled: true, ...own }
}

const ComboFields = z.strictObject({
  name: z.string().check((ctx) => {
    const fault = comboNameFault(ctx.value)
    if (fault !== null) ctx.issues.push({ code: 'custom', input: ctx.value, message: fault })
  }),
  /** By any of its names; an unknown one is `priority`. */
  strategy: z.string().default('priority').transform(strategyNamed),
  config: z.record(z.string(), z.unknown()).default({}).transform(inOwnNames),
  steps: z.array(Step).min(1, 'must have at least one step').max(MOST_STEPS),
})

export const Combo = ComboFields.check((ctx) => {
  const { config, strategy, steps } = ctx.value
  const refuse = (path: PropertyKey[], message: string): void => {
    ctx.issues.push({ code: 'custom', input: ctx.value, path, message })
  }
  if (strategy === 'pipeline') {
    const many = steps.findIndex(({ model }) => model?.includes('*') ?? false)
    if (many >= 0) refuse(['steps', many, 'model'], 'must be one model: a pipeline asks each step once')
    if (config.agentic === true && steps.length !== 2) refuse(['steps'], 'must be two: a planner and an executor')
  }
  const own = new Set<string>(keysOf(strategyOf(ctx.value)))
  for (const [key, value] of Object.entries(config)) {
    const fault = !isComboConfigKey(key)
      ? 'is not a known field'
      : own.has(key)
        ? configFault(key, value)
        : `is not for the strategy ${strategyOf(ctx.value)}`
    if (fault !== null) refuse(['config', key], fault)
  }
}).transform((combo) => ({ ...combo, config: combo.config as SetConfig }))
export type Combo = z.output<typeof Combo>
export type ComboInput = z.input<typeof Combo>
