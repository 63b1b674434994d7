// Single values of rate-limit headers. Whatever cannot be read is unknown.
import { type ReadContext, type Unit, waitOf } from '../resilience/verdict/wait/values'

export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>

export function numberOf(headers: Headers, name: string): number | null {
  const value = headers[name]
  if (typeof value !== 'string') return null
  const number = value.trim() === '' ? Number.NaN : Number(value)
  return Number.isFinite(number) ? number : null
}

const UTC = { server: 'UTC', person: 'UTC' } as const

/** When a window begins anew: a length of time, seconds, epoch seconds or milliseconds, or a date; its shape tells. */
export function momentOf(headers: Headers, name: string, at: number, unit: Unit = 's'): number | null {
  const value = headers[name]
  if (typeof value !== 'string') return null
  const context: ReadContext = { now: at, zones: UTC }
  const wait = waitOf(value, context, unit)
  return wait === null ? null : at + wait
}
