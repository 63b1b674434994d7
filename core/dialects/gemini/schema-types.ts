// Which types a schema allows, said or meant.
import type { JsonObject } from '../canonical'
import { isObject } from '../json'
import { listIn } from './flat-schema'

const TYPES: ReadonlySet<string> = new Set(['string', 'number', 'integer', 'boolean', 'array', 'object'])

export interface Types {
  /** At least one, none of them null. */
  readonly types: readonly string[]
  readonly isNullable: boolean
}

export function typesOf(schema: JsonObject): Types {
  const words = [schema.type].flat().map((type) => (typeof type === 'string' ? type.toLowerCase() : ''))
  const said = [...new Set(words)].filter((type) => TYPES.has(type))
  const isNullable = words.includes('null') || schema.nullable === true || valuesOf(schema).includes(null)
  return { types: said.length > 0 ? said : meantTypes(schema), isNullable }
}

/** Values the schema is limited to; empty where it is not. */
export const valuesOf = (schema: JsonObject): readonly unknown[] =>
  Object.hasOwn(schema, 'const') ? [schema.const] : listIn(schema.enum)

/** Allows nothing but null. */
export function isNullSchema(schema: JsonObject): boolean {
  const values = valuesOf(schema)
  return schema.type === 'null' || (values.length > 0 && values.every((value) => value === null))
}

function meantTypes(schema: JsonObject): readonly string[] {
  const types = new Set(
    valuesOf(schema)
      .filter((value) => value !== null)
      .map(typeOfValue),
  )
  if (types.size > 0) return [...types]
  const has = (...names: string[]): boolean => names.some((name) => Object.hasOwn(schema, name))
  if (has('properties', 'required', 'patternProperties') || isObject(schema.additionalProperties)) return ['object']
  if (has('items', 'prefixItems', 'minItems', 'maxItems', 'uniqueItems')) return ['array']
  if (has('minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf')) return ['number']
  return ['string']
}

function typeOfValue(value: unknown): string {
  if (Array.isArray(value)) return 'array'
  if (Number.isInteger(value)) return 'integer'
  return typeof value
}
