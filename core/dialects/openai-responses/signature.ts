// Signatures of reasoning on the Responses wire: the opaque `encrypted_content` of a reasoning item. The upstream
// ties it to the item's id, so the two travel as one; a signature of another dialect is wrapped so that it comes back
// as what it is.
import { DIALECTS, type Dialect } from '../../contract/kinds'

export interface Signed {
  readonly issuer: Dialect
  readonly signature: string
}

export const OWN: Dialect = 'openai-responses'

/** Prefix of the ids of reasoning items the gateway made: the upstream that encrypted the content does not know them. */
export const MADE_REASONING_ID = 'rs_bw'

const WRAPPED = 'bw1:'

/** `id` of the item that holds it, where the upstream gave one: "rs_1|gAAA…", "|gAAA…". */
export const ownSignature = (id: string | null, encrypted: string): string =>
  `${id === null || id.startsWith(MADE_REASONING_ID) ? '' : id}|${encrypted}`

/** What `encrypted_content` of the item `id` means. */
export function readSignature(id: string | null, encrypted: string): Signed {
  if (encrypted.startsWith(WRAPPED)) {
    const end = encrypted.indexOf(':', WRAPPED.length)
    const issuer = DIALECTS.find((dialect) => dialect === encrypted.slice(WRAPPED.length, end))
    if (end > 0 && issuer !== undefined) return { issuer, signature: encrypted.slice(end + 1) }
  }
  return { issuer: OWN, signature: ownSignature(id, encrypted) }
}

/** The `encrypted_content` that brings a signature back to its issuer, and the item's own id where it has one. */
export function writeSignature({ issuer, signature }: Signed): { id: string | null; encrypted: string } {
  if (issuer !== OWN) return { id: null, encrypted: `${WRAPPED}${issuer}:${signature}` }
  const bar = signature.indexOf('|')
  return { id: bar > 0 ? signature.slice(0, bar) : null, encrypted: signature.slice(bar + 1) }
}
