// Puts the sources of the resilience settings together by precedence, and checks a person's change against the result.
// Pure: window, REST and core come to the same answer.
import { z } from 'zod'
import { type AnyValue, parseEnv, schemaOf } from './resilience-fields'
import {
  isChangeable,
  ORDER_RULES,
  type OrderRule,
  RESILIENCE_KEYS,
  type ResilienceKey,
  type ResilienceSettings,
  rowOf,
} from './resilience-settings'

/** Where a value comes from, weakest first; `connection`: a connection's own word. */
export const RESILIENCE_SOURCES = ['default', 'environment', 'stored', 'connection'] as const
export type ResilienceSource = (typeof RESILIENCE_SOURCES)[number]

export const ResilienceSettingView = z.object({
  key: z.string(),
  value: z.union([z.number(), z.boolean(), z.null(), z.array(z.number())]),
  source: z.enum(RESILIENCE_SOURCES),
  /** A source that was passed over, and why. */
  warning: z.string().nullable(),
})
export type ResilienceSettingView = z.infer<typeof ResilienceSettingView>

export interface ResilienceSources {
  readonly env: Readonly<Record<string, string | undefined>>
  /** The object in the settings table; undefined: none. */
  readonly stored: unknown
  /** Of one connection, in the same shape; undefined: it has none. */
  readonly connection?: unknown
}

export interface MergedResilience {
  readonly settings: ResilienceSettings
  readonly views: readonly ResilienceSettingView[]
}

type Values = Map<ResilienceKey, AnyValue>

/** What makes no sense is passed over with a warning; numbers that contradict each other are mended. */
export function mergeResilience(sources: ResilienceSources): MergedResilience {
  const found = RESILIENCE_KEYS.map((key) => resolve(key, sources))
  const values: Values = new Map(found.map(({ key, value }) => [key, value]))
  for (const rule of ORDER_RULES) mend(values, rule)
  return {
    settings: deepFreeze(treeOf(values)) as unknown as ResilienceSettings,
    views: found.map((view) => ({ ...view, value: plain(values.get(view.key) as AnyValue) })),
  }
}

type Resolved = Omit<ResilienceSettingView, 'key' | 'value'> & { key: ResilienceKey; value: AnyValue }

function resolve(key: ResilienceKey, { env, stored, connection }: ResilienceSources): Resolved {
  const row = rowOf(key)
  const warnings: string[] = []
  let value: AnyValue = row.fallback
  let source: ResilienceSource = 'default'
  const take = (from: ResilienceSource, name: string, raw: unknown): void => {
    if (raw === undefined) return
    const parsed = schemaOf(row).safeParse(raw)
    if (parsed.success) {
      value = parsed.data
      source = from
    } else warnings.push(`${name} ${parsed.error.issues[0]?.message ?? 'is not valid'}; it is ignored`)
  }
  const raw = row.env === undefined ? undefined : env[row.env]
  if (raw !== undefined && raw.trim() !== '') take('environment', `${row.env}=${raw}:`, parseEnv(row, raw))
  if (isChangeable(key)) {
    take('stored', 'The stored value', valueAt(stored, key))
    take('connection', 'The value of the connection', valueAt(connection, key))
  }
  return { key, value, source, warning: warnings.length === 0 ? null : warnings.join('. ') }
}

function mend(values: Values, rule: OrderRule): void {
  if (holds(values, rule)) return
  const [low, high] = [values.get(rule.low) as number, values.get(rule.high) as number]
  if (rule.mends === 'low') values.set(rule.low, high / rule.scale - (rule.order === 'below' ? 1 : 0))
  else values.set(rule.high, low * rule.scale)
}

function holds(values: ReadonlyMap<ResilienceKey, AnyValue>, { low, high, scale, order }: OrderRule): boolean {
  const [lower, higher] = [(values.get(low) as number) * scale, values.get(high) as number]
  return order === 'below' ? lower < higher : lower <= higher
}

/** One thing that is wrong with a change, as REST tells it. */
export interface ChangeIssue {
  readonly field: string
  readonly message: string
}

export type CheckedChange =
  | { readonly ok: true; readonly stored: object }
  | { readonly ok: false; readonly issues: readonly ChangeIssue[] }

/**
 * What would be stored after a change: any subset, strict, at least one key; null takes an optional value back.
 * Numbers that bound each other are checked on the merged result.
 */
export function checkChange(change: unknown, sources: ResilienceSources): CheckedChange {
  const parsed = CHANGE.safeParse(change)
  if (!parsed.success) return { ok: false, issues: parsed.error.issues.flatMap(issuesOf) }
  if (Object.keys(parsed.data).length === 0)
    return { ok: false, issues: [{ field: '', message: 'must name at least one setting' }] }
  const changed = leavesOf(parsed.data)
  const before = leavesOf(sources.stored)
  const values: Values = new Map(mergeResilience(sources).views.map(({ key, value }) => [key as ResilienceKey, value]))
  for (const [key, value] of changed) values.set(key, value as AnyValue)
  const issues = ORDER_RULES.filter(
    (rule) => (changed.has(rule.low) || changed.has(rule.high)) && !holds(values, rule),
  ).map((rule) => orderIssue(rule, changed.has(rule.low), values))
  if (issues.length > 0) return { ok: false, issues }
  const after = [...new Map([...before, ...changed])].filter(([, value]) => value !== null)
  return { ok: true, stored: treeOf(new Map(after) as Values) }
}

function orderIssue({ low, high, scale, order }: OrderRule, lowChanged: boolean, values: Values): ChangeIssue {
  const limit = (key: ResilienceKey, factor: number): string => `${last(key)} (${(values.get(key) as number) * factor})`
  const than = order === 'below' ? '' : ' or equal to'
  return lowChanged
    ? { field: low, message: `must be less than${than} ${limit(high, 1 / scale)}` }
    : { field: high, message: `must be greater than${than} ${limit(low, scale)}` }
}

/** The stored object without one key: its default or its environment variable counts again. */
export function withoutStored(stored: unknown, key: ResilienceKey): object {
  const leaves = leavesOf(stored)
  leaves.delete(key)
  return treeOf(leaves as Values)
}

/** Of a value that one path of the object leads to; undefined where it leads nowhere. */
export function valueAt(tree: unknown, path: string): unknown {
  let at: unknown = tree
  for (const part of path.split('.')) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, part)) return undefined
    at = (at as Record<string, unknown>)[part]
  }
  return at
}

/** What a person can see and change, as one object: the answer of REST. */
export const changeableTree = (views: readonly ResilienceSettingView[]): object =>
  treeOf(new Map(views.filter(({ key }) => isChangeable(key as ResilienceKey)).map(({ key, value }) => [key, value])))

const leavesOf = (tree: unknown): Map<ResilienceKey, unknown> =>
  new Map(
    RESILIENCE_KEYS.filter(isChangeable)
      .map((key) => [key, valueAt(tree, key)] as const)
      .filter(([, value]) => value !== undefined),
  )

function treeOf(values: ReadonlyMap<string, AnyValue>): Record<string, unknown> {
  const tree: Record<string, unknown> = {}
  for (const [key, value] of values) {
    const parts = key.split('.')
    let at = tree
    for (const part of parts.slice(0, -1)) {
      at[part] ??= {}
      at = at[part] as Record<string, unknown>
    }
    at[last(key)] = plain(value)
  }
  return tree
}

const last = (key: string): string => key.slice(key.lastIndexOf('.') + 1)
const plain = (value: AnyValue): ResilienceSettingView['value'] =>
  typeof value === 'object' && value !== null ? [...value] : value

function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  for (const member of Object.values(value)) deepFreeze(member)
  return Object.freeze(value)
}

const notAnObject = ({ code }: { readonly code?: string | undefined }): string | undefined =>
  code === 'invalid_type' ? 'must be an object' : undefined

/** The shape of a change, made from the rows. */
const CHANGE = changeSchema(RESILIENCE_KEYS.filter(isChangeable), '')

function changeSchema(keys: readonly ResilienceKey[], prefix: string): z.ZodObject {
  const heads = [...new Set(keys.map((key) => key.slice(prefix.length).split('.')[0] as string))]
  const members = heads.map((head) => {
    const path = prefix + head
    const leaf = keys.find((key) => key === path)
    const schema =
      leaf === undefined
        ? changeSchema(
            keys.filter((key) => key.startsWith(`${path}.`)),
            `${path}.`,
          )
        : schemaOf(rowOf(leaf), true)
    return [head, schema.optional()] as const
  })
  return z.strictObject(Object.fromEntries(members), { error: notAnObject })
}

function issuesOf(issue: z.core.$ZodIssue): ChangeIssue[] {
  const path = issue.path.map(String)
  if (issue.code !== 'unrecognized_keys') return [{ field: path.join('.'), message: issue.message }]
  return issue.keys.map((key) => ({ field: [...path, key].join('.'), message: 'is not a setting' }))
}
