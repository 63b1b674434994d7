// Google's JSON knows every member by two names: functionCall and function_call mean the same, and null means absent.
import type { JsonObject } from '../canonical'
import { needObject } from '../json'

/**
 * A message of Google's API with all its members in camelCase. Only for messages: members of a function's arguments or
 * of a schema's properties are names of the client's own.
 * @throws GatewayError 400 naming `field`
 */
export function messageOf(value: unknown, field: string): JsonObject {
  const given = needObject(value, field)
  if (!Object.keys(given).some(isSnake)) return given
  const named: [string, unknown][] = []
  for (const [name, member] of Object.entries(given)) {
    if (isSnake(name)) named.push([camelName(name), member])
  }
  // Where both names are given, the one Google's own documents use counts.
  for (const [name, member] of Object.entries(given)) if (!isSnake(name)) named.push([name, member])
  return Object.fromEntries(named)
}

const isSnake = (name: string): boolean => name.includes('_', 1)

export const camelName = (name: string): string =>
  name.replace(/(?<=.)_([a-z0-9])/g, (_all, letter: string) => letter.toUpperCase())

export const snakeName = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** A repeated member: Google takes a single element without its list. Absent and null are an empty list. */
export function listOf(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return []
  return Array.isArray(value) ? value : [value]
}

/** Members of `message` that say something and are not in `known`. */
export const unknownMembers = (message: JsonObject, known: ReadonlySet<string>): readonly string[] =>
  Object.keys(message).filter((name) => !known.has(name) && message[name] !== null && message[name] !== undefined)
