// What may be set for one connection beside its key and address. One table of checks for the window, the configuration
// file and REST; the names are those of the wire. What is not set is absent.
import { z } from 'zod'

const flag = z.boolean({ error: 'must be true or false' })

/** Also as text, as forms send it: an empty text is no number. */
function whole(min: number, max: number) {
  const message = `must be a whole number from ${min} to ${max}`
  const number = z.number({ error: message }).int(message).min(min, message).max(max, message)
  return z.preprocess((raw) => (typeof raw === 'string' && /^\s*\d+\s*$/.test(raw) ? Number(raw) : raw), number)
}

function counts(what: string, entries: number, value: ReturnType<typeof whole>) {
  const name = z.string().trim().min(1, `must name a ${what}`).max(200, `must name a ${what} in at most 200 characters`)
  return z
    .record(name, value, { error: `must be an object: ${what} → number` })
    .refine((all) => Object.keys(all).length <= entries, `must have at most ${entries} entries`)
}

const OVERRIDES = {
  /** Requests a minute and a day, tokens a minute and a day; 0: none of its own. */
  rpm: whole(0, 1_000_000),
  rpd: whole(0, 10_000_000),
  tpm: whole(0, 100_000_000),
  tpd: whole(0, 10_000_000_000),
  /** Milliseconds between two requests. */
  minTime: whole(0, 60_000),
  maxConcurrent: whole(0, 10_000),
  /** Milliseconds in the queue, and from dispatch on; 0: as for all. */
  maxWaitMs: whole(0, 120_000),
  executionMaxWaitMs: whole(0, 600_000),
  /** At once, by the model's name at the provider ("glm-5"). */
  modelConcurrency: counts('model', 500, whole(1, 10_000)),
}

const FIELDS = {
  /** Passing failures do not put it to rest. */
  disableCooling: flag,
  /** Requests at once; 0: no limit. */
  maxConcurrent: whole(0, 10_000),
  /** Its share where the connections of a provider are drawn by weight; 0: only a reserve. */
  weight: whole(0, 10_000),
  /** Goes through the local limiter whatever its provider's class. */
  rateLimitProtection: flag,
  /** In place of the provider's: whether each model has a quota of its own. */
  perModelQuota: flag,
  /** Claude subscriptions: go on in the slow lane when the limit is reached. */
  lowPriorityMode: flag,
  /** Claude subscriptions: use up a reset of the limit when it is reached. */
  autoLimitReset: flag,
  organizationUUID: z.string().regex(/^[A-Za-z0-9-]{1,100}$/, 'must be letters, digits and dashes, at most 100'),
  /** Left unused of each quota window, in per cent, by the window's name. */
  quotaWindowThresholds: counts('quota window', 50, whole(0, 99)),
  /** Its proxy leaves by another address each time. */
  egressRotating: flag,
}
const OVERRIDES_ERROR = { error: 'must be an object' }

export const ConnectionSettings = z.strictObject({
  ...optional(FIELDS),
  rateLimitOverrides: z.strictObject(optional(OVERRIDES), OVERRIDES_ERROR).optional(),
})
export type ConnectionSettings = z.output<typeof ConnectionSettings>

/** A change: what is left out stays, null clears; within `rateLimitOverrides` too. */
export const CONNECTION_PATCH_FIELDS = {
  ...clearable(FIELDS),
  rateLimitOverrides: z.strictObject(clearable(OVERRIDES), OVERRIDES_ERROR).nullable().optional(),
}
export const ConnectionSettingsPatch = z.preprocess(fromWireNames, z.strictObject(CONNECTION_PATCH_FIELDS))
export type ConnectionSettingsPatch = z.output<typeof ConnectionSettingsPatch>

/** Names under which clients of the wire know some settings: `max_concurrent`, and `providerSpecificData.*`. */
export function fromWireNames(raw: unknown): unknown {
  if (!isObject(raw)) return raw
  const { max_concurrent: maxConcurrent, providerSpecificData: specific, ...rest } = raw
  const { passthroughModels: perModelQuota, ...others } = isObject(specific) ? specific : {}
  return {
    ...(maxConcurrent === undefined ? {} : { maxConcurrent }),
    ...(perModelQuota === undefined ? {} : { perModelQuota }),
    ...others,
    ...(specific === undefined || isObject(specific) ? {} : { providerSpecificData: specific }),
    ...rest,
  }
}

/** The settings of a patch alone, out of an object that has other fields as well. */
export function settingsOf(fields: ConnectionSettingsPatch): ConnectionSettingsPatch {
  return Object.fromEntries(
    Object.keys(CONNECTION_PATCH_FIELDS)
      .map((key) => [key, fields[key as keyof ConnectionSettingsPatch]] as const)
      .filter(([, value]) => value !== undefined),
  )
}

export function withPatch(present: ConnectionSettings, patch: ConnectionSettingsPatch): ConnectionSettings {
  const { rateLimitOverrides: given, ...flat } = patch
  const overrides =
    given === undefined ? present.rateLimitOverrides : given === null ? {} : merged(present.rateLimitOverrides, given)
  return {
    ...merged({ ...present, rateLimitOverrides: undefined }, flat),
    ...(overrides === undefined || Object.keys(overrides).length === 0 ? {} : { rateLimitOverrides: overrides }),
  } as ConnectionSettings
}

/** What was stored, member by member: one that cannot be used is as if it were not set. */
export function readConnectionSettings(stored: unknown): ConnectionSettings {
  if (!isObject(stored)) return {}
  const overrides = usable(OVERRIDES, stored.rateLimitOverrides)
  return {
    ...usable(FIELDS, stored),
    ...(Object.keys(overrides).length === 0 ? {} : { rateLimitOverrides: overrides }),
  } as ConnectionSettings
}

type Shape = Readonly<Record<string, z.ZodType>>

function optional<S extends Shape>(shape: S): { [K in keyof S]: z.ZodOptional<S[K]> } {
  const entries = Object.entries(shape).map(([key, schema]) => [key, schema.optional()])
  return Object.fromEntries(entries) as { [K in keyof S]: z.ZodOptional<S[K]> }
}

function clearable<S extends Shape>(shape: S): { [K in keyof S]: z.ZodOptional<z.ZodNullable<S[K]>> } {
  const entries = Object.entries(shape).map(([key, schema]) => [key, schema.nullable().optional()])
  return Object.fromEntries(entries) as { [K in keyof S]: z.ZodOptional<z.ZodNullable<S[K]>> }
}

const merged = (present: object | undefined, patch: object): object =>
  Object.fromEntries(
    Object.entries({ ...present, ...patch }).filter(([, value]) => value !== null && value !== undefined),
  )

function usable(shape: Shape, stored: unknown): Readonly<Record<string, unknown>> {
  if (!isObject(stored)) return {}
  const found = Object.entries(shape).flatMap(([key, schema]) => {
    const parsed = Object.hasOwn(stored, key) ? schema.safeParse(stored[key]) : null
    return parsed?.success ? [[key, parsed.data] as const] : []
  })
  return Object.fromEntries(found)
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
