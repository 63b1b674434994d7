// Typed reading of JSON a client or upstream sent: either what it must be, or an error that names the place.
import { badInput } from '../errors'
import type { JsonObject } from './canonical'

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The member as a string; null where it is absent or of another type. For answers, which are never refused. */
export const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)

export const numberOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null

export const objectsOf = (value: unknown): readonly JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : [])

/** @throws GatewayError 400 */
export function needObject(value: unknown, field: string): JsonObject {
  if (!isObject(value)) throw badInput(field, 'must be an object.')
  return value
}

/** @throws GatewayError 400 */
export function needArray(value: unknown, field: string): readonly unknown[] {
  if (!Array.isArray(value)) throw badInput(field, 'must be a list.')
  return value
}

/** @throws GatewayError 400 */
export function needString(value: unknown, field: string): string {
  if (typeof value !== 'string') throw badInput(field, 'must be a string.')
  return value
}

/** Absent and null are null. @throws GatewayError 400 */
export const maybeString = (value: unknown, field: string): string | null =>
  value === undefined || value === null ? null : needString(value, field)

/** Absent and null are null. @throws GatewayError 400 */
export function maybeNumber(value: unknown, field: string): number | null {
  if (value === undefined || value === null) return null
  if (typeof value !== 'number' || !Number.isFinite(value)) throw badInput(field, 'must be a number.')
  return value
}

/** Absent and null are null. @throws GatewayError 400 */
export function maybeBoolean(value: unknown, field: string): boolean | null {
  if (value === undefined || value === null) return null
  if (typeof value !== 'boolean') throw badInput(field, 'must be true or false.')
  return value
}

/** The value a JSON text stands for; null where it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
