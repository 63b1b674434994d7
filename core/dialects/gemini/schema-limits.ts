// Limits on values that Gemini knows: ranges, lengths, formats, and lists of words.
import type { JsonObject } from '../canonical'
import { listIn } from './flat-schema'
import { valuesOf } from './schema-types'

const FORMATS: Readonly<Record<string, readonly string[]>> = {
  string: ['date-time'],
  number: ['float', 'double'],
  integer: ['int32', 'int64'],
}

/** Keywords of one type; those it does not have are left out. */
export function limitsOf(schema: JsonObject, type: string): JsonObject {
  switch (type) {
    case 'string': {
      const values = words(schema)
      if (values.length > 0) return { enum: values }
      return { ...formatOf(schema, type), ...counts(schema, 'minLength', 'maxLength'), ...patternOf(schema) }
    }
    case 'number':
    case 'integer':
      return { ...formatOf(schema, type), ...range(schema, type === 'integer') }
    case 'array':
      return counts(schema, 'minItems', 'maxItems')
    default:
      return {}
  }
}

function formatOf(schema: JsonObject, type: string): JsonObject {
  const format = FORMATS[type]?.find((known) => known === schema.format)
  return format === undefined ? {} : { format }
}

/** Gemini's enum is for words only, and refuses the empty one. */
const words = (schema: JsonObject): readonly string[] => [
  ...new Set(valuesOf(schema).filter((value): value is string => typeof value === 'string' && value !== '')),
]

/** Values that no keyword can carry, in words for the model: "One of: 60, 1440." */
export function enumText(schema: JsonObject, type: string): string {
  if (type === 'string') return ''
  // Words among them stand in the schema of their own type.
  const values = valuesOf(schema).filter((value) => value !== null && typeof value !== 'string')
  if (values.length === 0) return ''
  const text = values.map((value) => JSON.stringify(value)).join(', ')
  return text.length > MAX_TEXT ? '' : `${values.length === 1 ? 'Always' : 'One of:'} ${text}.`
}

const MAX_TEXT = 1000

function counts(schema: JsonObject, ...names: readonly string[]): JsonObject {
  const found: [string, unknown][] = []
  for (const name of names) {
    const value = schema[name]
    if (Number.isSafeInteger(value) && (value as number) >= 0) found.push([name, value])
  }
  return Object.fromEntries(found)
}

/** Google's expressions are RE2: no looking around, no references back. */
function patternOf({ pattern }: JsonObject): JsonObject {
  return typeof pattern === 'string' && !/\(\?[=!<]|\\[1-9]|\\k/.test(pattern) ? { pattern } : {}
}

function range(schema: JsonObject, isInteger: boolean): JsonObject {
  const minimum = bound(schema, 'minimum', 'exclusiveMinimum', isInteger ? (value) => Math.floor(value) + 1 : same)
  const maximum = bound(schema, 'maximum', 'exclusiveMaximum', isInteger ? (value) => Math.ceil(value) - 1 : same)
  return { ...(minimum === null ? {} : { minimum }), ...(maximum === null ? {} : { maximum }) }
}

/** For numbers that are not whole there is no next one: the bound itself stays allowed. */
const same = (value: number): number => value

function bound(schema: JsonObject, name: string, exclusive: string, within: (value: number) => number): number | null {
  const value = schema[exclusive]
  if (isNumber(value)) return within(value)
  const plain = schema[name]
  if (!isNumber(plain)) return null
  // Draft 4 has a flag in its place.
  return value === true ? within(plain) : plain
}

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)

/** Alternatives that are each a list of words are one list of words; null for others. */
export function stringValues(schemas: readonly JsonObject[]): JsonObject | null {
  const all = new Set<unknown>()
  const descriptions = new Set<unknown>()
  for (const schema of schemas) {
    if (schema.type !== 'STRING' || schema.enum === undefined || schema.nullable === true) return null
    for (const value of listIn(schema.enum)) all.add(value)
    if (schema.description !== undefined) descriptions.add(schema.description)
  }
  const description = descriptions.size === 0 ? {} : { description: [...descriptions].join(' ') }
  return { type: 'STRING', ...description, enum: [...all] }
}
