// Thought signatures of other issuers in Gemini's wire form. The member is of type bytes: Google's SDKs decode it and
// encode it anew, so what is put there must be base64, and may come back in the URL-safe alphabet.
import { DIALECTS, type Dialect } from '../../contract/kinds'

export interface Signature {
  readonly issuer: Dialect
  readonly signature: string
}

const MARK = 'bw1:'
/** How every base64 text of bytes that begin with the mark begins. */
const ENCODED_MARK = 'YncxO'

/**
 * What Google documents for function calls its model did not make: other models' calls in a conversation that is
 * carried on here. Models from Gemini 3 on refuse calls without any signature.
 */
export const NOT_OURS = 'skip_thought_signature_validator'

/** A signature as it came over the wire; null for the word that stands for none. */
export function readSignature(text: string): Signature | null {
  if (text === NOT_OURS || text === '') return null
  const plain = text.startsWith(ENCODED_MARK) ? Buffer.from(text, 'base64').toString('utf8') : text
  if (!plain.startsWith(MARK)) return { issuer: 'gemini', signature: text }
  const colon = plain.indexOf(':', MARK.length)
  const issuer = DIALECTS.find((dialect) => dialect === plain.slice(MARK.length, colon))
  return issuer === undefined ? { issuer: 'gemini', signature: text } : { issuer, signature: plain.slice(colon + 1) }
}

export const writeSignature = ({ issuer, signature }: Signature): string =>
  issuer === 'gemini' ? signature : Buffer.from(`${MARK}${issuer}:${signature}`).toString('base64')
