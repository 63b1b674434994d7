// Google's Schema (OpenAPI 3.0 with words in capitals) → JSON Schema, as the other dialects know it. A document that is
// JSON Schema already stays as it is.
import type { JsonObject } from '../canonical'
import { isObject } from '../json'
import { camelName } from './members'

export function toJsonSchema(schema: JsonObject): JsonObject {
  const members: [string, unknown][] = []
  let nullable = false
  for (const [given, value] of Object.entries(schema)) {
    const name = GOOGLE_MEMBERS.has(camelName(given)) ? camelName(given) : given
    if (name === 'nullable') nullable = value === true
    else if (!isSilent(name, value)) members.push([name === 'example' ? 'examples' : name, memberOf(name, value)])
  }
  const plain = withTypedEnum(Object.fromEntries(members))
  return nullable ? withNull(plain) : plain
}

const GOOGLE_MEMBERS: ReadonlySet<string> = new Set([
  'anyOf',
  'maxItems',
  'minItems',
  'maxLength',
  'minLength',
  'maxProperties',
  'minProperties',
  'propertyOrdering',
])

/** What means nothing in JSON Schema. */
const isSilent = (name: string, value: unknown): boolean =>
  name === 'propertyOrdering' ||
  value === null ||
  (name === 'format' && value === 'enum') ||
  (name === 'type' && value === 'TYPE_UNSPECIFIED')

function memberOf(name: string, value: unknown): unknown {
  switch (name) {
    case 'type':
      return typeof value === 'string' ? value.toLowerCase() : value
    case 'items':
    case 'additionalProperties':
    case 'not':
      return schemaIn(value)
    case 'properties':
    case '$defs':
    case 'definitions':
      if (!isObject(value)) return value
      return Object.fromEntries(Object.entries(value).map(([property, schema]) => [property, schemaIn(schema)]))
    case 'anyOf':
    case 'oneOf':
    case 'allOf':
    case 'prefixItems':
      return Array.isArray(value) ? value.map(schemaIn) : value
    case 'example':
      return [value]
    case 'maxItems':
    case 'minItems':
    case 'maxLength':
    case 'minLength':
    case 'maxProperties':
    case 'minProperties':
      // 64-bit numbers are text in Google's JSON.
      return typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value
    default:
      return value
  }
}

const schemaIn = (value: unknown): unknown => (isObject(value) ? toJsonSchema(value) : value)

/** Google writes the values of an enum as text whatever their type is. */
function withTypedEnum(schema: JsonObject): JsonObject {
  if (!Array.isArray(schema.enum) || (schema.type !== 'integer' && schema.type !== 'number')) return schema
  const values: readonly unknown[] = schema.enum
  return { ...schema, enum: values.map((value) => (isNumeral(value) ? Number(value) : value)) }
}

const isNumeral = (value: unknown): boolean =>
  typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value))

function withNull(schema: JsonObject): JsonObject {
  const values = Array.isArray(schema.enum) ? { enum: [...schema.enum, null] } : {}
  if (typeof schema.type === 'string') return { ...schema, type: [schema.type, 'null'], ...values }
  if (Array.isArray(schema.anyOf)) return { ...schema, anyOf: [...schema.anyOf, { type: 'null' }] }
  return { ...schema, ...values }
}
