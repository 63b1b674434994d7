// The telling part of an error, on one line, for log and window.
import { plainText } from './read-body'

const MAX_EXCERPT = 200

export function excerpt(text: string): string {
  const plain = plainText(errorMessage(text) ?? text)
  return plain.length > MAX_EXCERPT ? `${plain.slice(0, MAX_EXCERPT - 1)}…` : plain
}

/** What came instead of an answer. JSON is only named, unless it tells of an error: it may hold the model's words. */
export function formOf(text: string): string {
  const said = errorMessage(text)
  return said === null && /^\s*[{[]/.test(text) ? 'incomplete or unknown JSON' : excerpt(text)
}

function errorMessage(text: string): string | null {
  if (!text.startsWith('{')) return null
  try {
    const { error, message } = JSON.parse(text) as { error?: unknown; message?: unknown }
    const inner = typeof error === 'object' && error !== null ? (error as { message?: unknown }).message : error
    return typeof inner === 'string' ? inner : typeof message === 'string' ? message : null
  } catch {
    return null
  }
}
