// A JSON Schema for `output_config.format`, which takes a part of the language only:
// platform.claude.com/docs/en/build-with-claude/structured-outputs, "JSON Schema limitations".
import type { JsonObject } from '../canonical'
import { isObject } from '../json'

const FORMATS = new Set(['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'uri', 'ipv4', 'ipv6', 'uuid'])

/** Limits the API refuses: told to the model in words. */
const LIMITS = [
  'format',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minItems',
  'maxItems',
  'uniqueItems',
]

class CannotSay extends Error {}

/**
 * A copy in which every object is closed and unknown keywords are gone. null where the schema means more than the API
 * can hold to (maps, recursion, "anything"): closing those would forbid what the client allows.
 */
export function outputSchema(schema: JsonObject): JsonObject | null {
  if (isRecursive(schema)) return null
  try {
    return cleaned(schema)
  } catch (error) {
    if (error instanceof CannotSay) return null
    throw error
  }
}

function cleaned(schema: unknown): JsonObject {
  if (!isObject(schema)) throw new CannotSay()
  const definitions = ['$defs', 'definitions'].flatMap((name) => {
    const value = schema[name]
    return isObject(value) ? [[name, mapValues(value)] as const] : []
  })
  return { ...Object.fromEntries(definitions), ...body(schema), ...described(schema) }
}

const mapValues = (schemas: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, cleaned(schema)]))

function body(schema: JsonObject): JsonObject {
  if (typeof schema.$ref === 'string') return { $ref: schema.$ref }
  if (Array.isArray(schema.enum)) return { enum: schema.enum }
  if (schema.const !== undefined) return { const: schema.const }
  const variants = schema.anyOf ?? schema.oneOf
  if (Array.isArray(variants)) return { anyOf: variants.map(cleaned) }
  if (Array.isArray(schema.allOf)) return { allOf: schema.allOf.map(cleaned) }
  if (Array.isArray(schema.type)) {
    return { anyOf: schema.type.map((type) => cleaned({ ...schema, type, description: undefined })) }
  }
  return typed(schema)
}

function typed(schema: JsonObject): JsonObject {
  const type = schema.type ?? (isObject(schema.properties) ? 'object' : undefined)
  switch (type) {
    case 'object':
      return closed(schema)
    case 'array':
      return {
        type,
        items: cleaned(schema.items),
        ...(schema.minItems === 0 || schema.minItems === 1 ? { minItems: schema.minItems } : {}),
      }
    case 'string':
      return { type, ...(FORMATS.has(String(schema.format)) ? { format: schema.format } : {}) }
    case 'number':
    case 'integer':
    case 'boolean':
    case 'null':
      return { type }
    default:
      throw new CannotSay()
  }
}

function closed(schema: JsonObject): JsonObject {
  const more = schema.additionalProperties
  const isMap = isObject(more) || isObject(schema.patternProperties) || !isObject(schema.properties)
  if (more !== false && (more === true || isMap)) throw new CannotSay()
  const properties = isObject(schema.properties) ? mapValues(schema.properties) : {}
  const required = Array.isArray(schema.required)
    ? schema.required.filter((name) => Object.hasOwn(properties, name))
    : []
  return { type: 'object', properties, required, additionalProperties: false }
}

function described(schema: JsonObject): JsonObject {
  if (typeof schema.$ref === 'string') return {}
  const limits = LIMITS.filter((name) => schema[name] !== undefined && !isKept(name, schema[name]))
  const words = limits.map((name) => `${name}: ${JSON.stringify(schema[name])}`).join(', ')
  const given = typeof schema.description === 'string' ? schema.description : ''
  const description = words === '' ? given : `${given} (${words})`.trim()
  return description === '' ? {} : { description }
}

const isKept = (name: string, value: unknown): boolean =>
  (name === 'format' && FORMATS.has(String(value))) || (name === 'minItems' && (value === 0 || value === 1))

/** Whether a definition leads back to itself, or to the whole. */
function isRecursive(schema: JsonObject): boolean {
  const definitions = new Map<string, unknown>()
  for (const name of ['$defs', 'definitions']) {
    for (const [key, value] of Object.entries(isObject(schema[name]) ? schema[name] : {})) {
      definitions.set(`#/${name}/${key}`, value)
    }
  }
  const open = new Set<string>()
  const done = new Set<string>()
  const leadsBack = (value: unknown, top: boolean): boolean => {
    if (Array.isArray(value)) return value.some((element) => leadsBack(element, false))
    if (!isObject(value)) return false
    for (const [name, member] of Object.entries(value)) {
      if (top && (name === '$defs' || name === 'definitions')) continue
      if (name !== '$ref' || typeof member !== 'string') {
        if (leadsBack(member, false)) return true
        continue
      }
      if (open.has(member) || !definitions.has(member)) return true
      if (done.has(member)) continue
      open.add(member)
      if (leadsBack(definitions.get(member), false)) return true
      open.delete(member)
      done.add(member)
    }
    return false
  }
  return leadsBack(schema, true)
}
