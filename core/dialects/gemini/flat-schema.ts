// References, allOf and the other ways in which JSON Schema says one thing in several places, put into one schema.
import type { JsonObject } from '../canonical'
import { isObject } from '../json'

/** What is known while a schema is walked through. */
export interface Walk {
  /** References are relative to it. */
  readonly root: JsonObject
  /** References that led here: one that comes again would never end. */
  readonly refs: readonly string[]
}

export interface Flat {
  /** Without $ref and allOf at its own level. */
  readonly schema: JsonObject
  readonly walk: Walk
}

export function flatten(given: JsonObject, walk: Walk): Flat {
  const resolved = resolve(given, walk)
  const { allOf, ...own } = resolved.schema
  if (!Array.isArray(allOf)) return resolved
  let flat: Flat = { schema: own, walk: resolved.walk }
  for (const part of allOf) {
    if (!isObject(part)) continue
    const other = flatten(part, flat.walk)
    flat = { schema: merge(flat.schema, other.schema), walk: other.walk }
  }
  return flat
}

function resolve(given: JsonObject, walk: Walk): Flat {
  let schema = given
  let { refs } = walk
  while (typeof schema.$ref === 'string') {
    const { $ref, ...own } = schema
    const target = targetOf(schema.$ref, walk.root) ?? {}
    if (refs.includes(schema.$ref)) return { schema: merge(own, outline(target)), walk: { ...walk, refs } }
    refs = [...refs, schema.$ref]
    schema = merge(own, target)
  }
  return { schema, walk: { ...walk, refs } }
}

/** What is left of a schema that holds itself, at the place where it would begin anew. */
function outline({ type, description }: JsonObject): JsonObject {
  return { type: type ?? 'object', ...(description === undefined ? {} : { description }) }
}

/** "#/$defs/Node" → what stands there; null for what is not in this document. */
function targetOf(ref: string, root: JsonObject): JsonObject | null {
  if (!ref.startsWith('#')) return null
  let at: unknown = root
  for (const step of ref.slice(1).split('/').slice(1)) {
    const name = decodeStep(step)
    if (Array.isArray(at)) at = at[Number(name)]
    else at = isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined
  }
  return isObject(at) ? at : null
}

function decodeStep(step: string): string {
  try {
    return decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')
  } catch {
    return step
  }
}

/** Both hold; where they disagree the first counts. */
export function merge(first: JsonObject, second: JsonObject): JsonObject {
  const merged: JsonObject = { ...second, ...first }
  const properties = { ...propertiesOf(second), ...propertiesOf(first) }
  const required = [...listIn(first.required), ...listIn(second.required)]
  const allOf = [...listIn(first.allOf), ...listIn(second.allOf)]
  return {
    ...merged,
    ...(Object.keys(properties).length === 0 ? {} : { properties }),
    ...(required.length === 0 ? {} : { required: [...new Set(required)] }),
    ...(allOf.length === 0 ? {} : { allOf }),
  }
}

export const propertiesOf = (schema: JsonObject): JsonObject => (isObject(schema.properties) ? schema.properties : {})

export const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
