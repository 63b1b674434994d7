// What OpenAI's two generating APIs demand alike: names, tool schemas, sampling.
import { eachSchema, isObject, type Json, Refused } from './rules.ts'

export const NAME = /^[a-zA-Z0-9_-]{1,64}$/
export const EFFORTS = new Set([null, 'none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'])

export const unknownParameter = (at: string): Refused =>
  new Refused(`Unknown parameter: '${at}'.`, at, { code: 'unknown_parameter' })

export const invalidType = (at: string, wanted: string): Refused =>
  new Refused(`Invalid type for '${at}': expected ${wanted}.`, at, { code: 'invalid_type' })

export const missing = (at: string): Refused =>
  new Refused(`Missing required parameter: '${at}'.`, at, { code: 'missing_required_parameter' })

export const invalidValue = (at: string, value: unknown): Refused =>
  new Refused(`Invalid value: '${String(value)}' in '${at}'.`, at, { code: 'invalid_value' })

export function checkName(name: unknown, at: string): void {
  if (typeof name !== 'string') throw missing(at)
  if (!NAME.test(name)) throw new Refused(`Invalid '${at}': string does not match pattern '^[a-zA-Z0-9_-]+$'.`, at)
}

export function checkRange(value: unknown, from: number, to: number, at: string): void {
  if (value === undefined || value === null) return
  if (typeof value !== 'number') throw invalidType(at, 'a decimal')
  if (value < from || value > to) throw new Refused(`Invalid '${at}': ${value} is not within ${from} and ${to}.`, at)
}

export function checkWhole(value: unknown, least: number, at: string): void {
  if (value === undefined || value === null) return
  if (!Number.isInteger(value)) throw invalidType(at, 'an integer')
  if ((value as number) < least)
    throw new Refused(`Invalid '${at}': integer below minimum value. Expected a value >= ${least}.`, at, {
      code: 'integer_below_min_value',
    })
}

export function checkFlag(value: unknown, at: string): void {
  if (value !== undefined && value !== null && typeof value !== 'boolean') throw invalidType(at, 'a boolean')
}

/** A function's `parameters`, `schema` of a response format, and what `strict` adds to them. */
export function checkSchema(schema: unknown, strict: unknown, name: string, at: string): void {
  const wrong = (why: string): Refused =>
    new Refused(`Invalid schema for '${name}': ${why}`, at, { code: 'invalid_function_parameters' })
  if (schema === undefined || schema === null) return
  if (!isObject(schema)) throw invalidType(at, 'an object')
  if (schema.type !== 'object')
    throw wrong(`schema must be a JSON Schema of 'type: "object"', got 'type: "${String(schema.type)}"'.`)
  for (const member of ['oneOf', 'anyOf', 'allOf', 'enum', 'not'])
    if (member in schema) throw wrong(`'${member}' is not allowed at the top level.`)
  eachSchema(schema, '', (one, where) => {
    if (one.type === 'array' && !('items' in one)) throw wrong(`In ${where}, array schema missing items.`)
    if (strict === true) checkStrict(one, where, wrong)
  })
}

function checkStrict(schema: Json, where: string, wrong: (why: string) => Refused): void {
  if ('oneOf' in schema) throw wrong(`In ${where}, 'oneOf' is not permitted.`)
  if (schema.type !== 'object') return
  if (schema.additionalProperties !== false)
    throw wrong(`In ${where}, 'additionalProperties' is required to be supplied and to be false.`)
  const required = new Set(Array.isArray(schema.required) ? schema.required : [])
  const missed = Object.keys(isObject(schema.properties) ? schema.properties : {}).find((one) => !required.has(one))
  if (missed !== undefined)
    throw wrong(`In ${where}, 'required' must include every key in properties. Missing '${missed}'.`)
}
