// A provider's key as people paste it, made safe for a header, or refused without being shown.
import { badInput } from '../errors'

const SHORTEST_SHOWN = 12

/** @throws GatewayError 400; its text never holds the key */
export function normalizeApiKey(raw: string, field = 'apiKey'): { value: string; tail: string | null } {
  const value = raw
    .trim()
    .replace(/^bearer\s+/i, '')
    .trim()
  if (value === '') throw badInput(field, 'The key is empty.')
  if (/[^\x21-\x7e]/.test(value)) {
    throw badInput(
      field,
      'The key contains a space, a line break or an invisible character. Copy it again, without anything around it.',
    )
  }
  return { value, tail: value.length >= SHORTEST_SHOWN ? value.slice(-4) : null }
}
