// Thinking carries an opaque signature that only its issuer can read. On this wire there are two places for it: the
// `signature` of a thinking block and the `data` of a redacted_thinking block. Foreign ones travel in the same places
// as "bw1:<issuer>:<signature>", so that they come back whole when the client repeats the conversation.
import { DIALECTS, type Dialect } from '../../contract/kinds'
import type { JsonObject, ThinkingPart } from '../canonical'
import { textOf } from '../json'

const FOREIGN = 'bw1:'

/**
 * Marks the data of redacted_thinking among Anthropic's own signatures. Other dialects have one place for both and
 * may hide the text of a thinking block, so the kind of block must be told by the signature itself.
 */
const REDACTED = 'redacted:'

/** A block of an assistant message, of Anthropic's or of a foreign issuer. */
export function signedBlock(text: string, signature: string, issuer: Dialect, redacted: boolean): JsonObject {
  if (issuer === 'anthropic') {
    return signature.startsWith(REDACTED)
      ? { type: 'redacted_thinking', data: signature.slice(REDACTED.length) }
      : { type: 'thinking', thinking: text, signature }
  }
  const wrapped = `${FOREIGN}${issuer}:${signature}`
  return redacted
    ? { type: 'redacted_thinking', data: wrapped }
    : { type: 'thinking', thinking: text, signature: wrapped }
}

/** Reads a thinking or redacted_thinking block; null where a redacted one holds nothing. */
export function readThinking(block: JsonObject): ThinkingPart | null {
  if (block.type === 'redacted_thinking') {
    const data = textOf(block.data) ?? ''
    if (data === '') return null
    const { issuer, signature } = split(data)
    return {
      kind: 'thinking',
      text: '',
      signature: issuer === 'anthropic' ? REDACTED + signature : signature,
      issuer,
      redacted: true,
    }
  }
  const text = textOf(block.thinking) ?? ''
  const opaque = textOf(block.signature) ?? ''
  if (opaque === '') return text === '' ? null : unsigned(text)
  return { kind: 'thinking', text, ...split(opaque), redacted: text === '' }
}

const unsigned = (text: string): ThinkingPart => ({
  kind: 'thinking',
  text,
  signature: null,
  issuer: 'anthropic',
  redacted: false,
})

function split(opaque: string): { issuer: Dialect; signature: string } {
  if (opaque.startsWith(FOREIGN)) {
    const colon = opaque.indexOf(':', FOREIGN.length)
    const issuer = DIALECTS.find((name) => name === opaque.slice(FOREIGN.length, colon))
    if (issuer !== undefined) return { issuer, signature: opaque.slice(colon + 1) }
  }
  return { issuer: 'anthropic', signature: opaque }
}
