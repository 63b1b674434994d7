// JSON Schema → the subset of it that Gemini takes: one keyword it does not know, at any depth, and it refuses the whole
// request. So a new schema is made from an allow-list; the given one stays as it is, for the next target may know more.
import type { JsonObject } from '../canonical'
import { isObject } from '../json'
import { type Flat, flatten, listIn, merge, propertiesOf, type Walk } from './flat-schema'
import { enumText, limitsOf, stringValues } from './schema-limits'
import { isNullSchema, typesOf } from './schema-types'

/** More than this no model reads: references that refer to each other can stand for millions. */
const MAX_NODES = 5000

interface Cleaner {
  left: number
}

/** Any schema, for the form of an answer. */
export const cleanSchema = (schema: JsonObject): JsonObject =>
  clean(schema, { root: schema, refs: [] }, { left: MAX_NODES })

/** The arguments of a function, which are always an object; null where it takes none. */
export function cleanParameters(schema: JsonObject): JsonObject | null {
  const { schema: flat, walk } = flatten(schema, { root: schema, refs: [] })
  const whole = withVariants(flat, variantsOf(flat), walk)
  const object = cleanObject(whole.schema, whole.walk, { left: MAX_NODES })
  return object.properties === undefined ? null : { type: 'OBJECT', ...descriptionOf(flat, ''), ...object }
}

function clean(given: unknown, at: Walk, cleaner: Cleaner): JsonObject {
  // `true` and {} allow everything, for which Gemini has no word.
  if (!isObject(given) || --cleaner.left < 0) return { type: 'STRING' }
  const { schema, walk } = flatten(given, at)
  const variants = variantsOf(schema)
  if (variants.length === 0) return cleanTypes(schema, walk, cleaner)
  const isNullable = variants.some(isNullSchema)
  const rest = variants.filter((variant) => !isNullSchema(variant))
  const cleaned = cleanVariants(schema, rest, walk, cleaner)
  return isNullable ? nullable(cleaned) : cleaned
}

const variantsOf = ({ anyOf, oneOf }: JsonObject): readonly JsonObject[] =>
  [...listIn(anyOf), ...listIn(oneOf)].filter(isObject)

function cleanVariants(schema: JsonObject, variants: readonly JsonObject[], walk: Walk, cleaner: Cleaner): JsonObject {
  const { anyOf, oneOf, ...own } = schema
  const [only] = variants
  if (only === undefined) return cleanTypes(own, walk, cleaner)
  // Variants of an object that has properties of its own mostly say which of them belong together.
  if (isObject(own.properties)) {
    const whole = withVariants(schema, variants, walk)
    return cleanTypes(whole.schema, whole.walk, cleaner)
  }
  if (variants.length === 1) return clean(merge(own, only), walk, cleaner)
  return joined(
    variants.map((variant) => {
      const flat = flatten(variant, walk)
      return clean(merge(flat.schema, own), flat.walk, cleaner)
    }),
  )
}

/** Where a schema may have several types, Gemini wants one schema for each. */
function cleanTypes(schema: JsonObject, walk: Walk, cleaner: Cleaner): JsonObject {
  const { types, isNullable } = typesOf(schema)
  const cleaned = joined(types.map((type) => cleanTyped(schema, type, walk, cleaner)))
  return isNullable ? nullable(cleaned) : cleaned
}

function cleanTyped(schema: JsonObject, type: string, walk: Walk, cleaner: Cleaner): JsonObject {
  const head = { type: type.toUpperCase(), ...descriptionOf(schema, enumText(schema, type)) }
  switch (type) {
    case 'object':
      return { ...head, ...cleanObject(schema, walk, cleaner) }
    case 'array':
      return { ...head, ...limitsOf(schema, type), items: cleanItems(schema, walk, cleaner) }
    default:
      return { ...head, ...limitsOf(schema, type) }
  }
}

function cleanObject(schema: JsonObject, walk: Walk, cleaner: Cleaner): JsonObject {
  const properties: [string, JsonObject][] = []
  for (const [name, property] of Object.entries(propertiesOf(schema))) {
    // `false` allows no value at all.
    if (property !== false) properties.push([name, clean(property, walk, cleaner)])
  }
  // Older models refuse an object without properties; without the member it is any object.
  if (properties.length === 0) return {}
  const names = new Set(properties.map(([name]) => name))
  const required = [...new Set(listIn(schema.required))].filter((name) => typeof name === 'string' && names.has(name))
  return { properties: Object.fromEntries(properties), ...(required.length === 0 ? {} : { required }) }
}

/** Gemini demands to know what a list holds. */
function cleanItems(schema: JsonObject, walk: Walk, cleaner: Cleaner): JsonObject {
  if (isObject(schema.items)) return clean(schema.items, walk, cleaner)
  const places = [...listIn(schema.prefixItems), ...listIn(schema.items)].filter(isObject)
  return places.length === 0 ? { type: 'STRING' } : joined(places.map((place) => clean(place, walk, cleaner)))
}

/** One object that fits every variant: all their properties, and required what all of them require. */
function withVariants(schema: JsonObject, variants: readonly JsonObject[], walk: Walk): Flat {
  const { anyOf, oneOf, ...own } = schema
  const flats = variants.filter((variant) => !isNullSchema(variant)).map((variant) => flatten(variant, walk))
  const objects = flats.map((flat) => flat.schema)
  const properties = new Map<string, unknown>(Object.entries(propertiesOf(own)))
  for (const object of objects) {
    for (const [name, property] of Object.entries(propertiesOf(object))) {
      const other = properties.get(name)
      properties.set(name, other === undefined || isSame(other, property) ? property : { anyOf: [other, property] })
    }
  }
  const [first, ...others] = objects.map((object) => listIn(object.required))
  const shared = (first ?? []).filter((name) => others.every((required) => required.includes(name)))
  return {
    schema: { ...own, properties: Object.fromEntries(properties), required: [...listIn(own.required), ...shared] },
    walk: { ...walk, refs: [...new Set(flats.flatMap((flat) => flat.walk.refs).concat(walk.refs))] },
  }
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/** The alternatives as one schema. `anyOf` must stand alone: beside it Gemini takes no other keyword. */
function joined(alternatives: readonly JsonObject[]): JsonObject {
  const different = [...new Map(alternatives.map((schema) => [JSON.stringify(schema), schema])).values()]
  const [only] = different
  if (only !== undefined && different.length === 1) return only
  return stringValues(different) ?? { anyOf: different }
}

const nullable = (schema: JsonObject): JsonObject =>
  Array.isArray(schema.anyOf)
    ? { anyOf: schema.anyOf.map((variant: JsonObject) => nullable(variant)) }
    : { ...schema, nullable: true }

function descriptionOf(schema: JsonObject, hint: string): { readonly description?: string } {
  const given = typeof schema.description === 'string' ? schema.description : ''
  const description = [given, hint].filter((text) => text !== '').join(' ')
  return description === '' ? {} : { description }
}
