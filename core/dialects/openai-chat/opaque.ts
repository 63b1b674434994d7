// What is opaque in reasoning, on its way through a dialect that has no place for it. A signature of another issuer
// travels as "bw1:<issuer>:<signature>". What Chat servers themselves want back (the member their reasoning came in,
// OpenRouter's reasoning_details, Google's extra_content) becomes a signature of the issuer openai-chat.
import { DIALECTS, type Dialect } from '../../contract/kinds'
import type { JsonObject, ThinkingPart } from '../canonical'
import { isObject, parseJson, textOf } from '../json'

const PREFIX = 'bw1:'

export const wrapSignature = (issuer: Dialect, signature: string): string => `${PREFIX}${issuer}:${signature}`

/** null for a text that is not a wrapped signature. */
export function unwrapSignature(text: string): { readonly issuer: Dialect; readonly signature: string } | null {
  if (!text.startsWith(PREFIX)) return null
  const colon = text.indexOf(':', PREFIX.length)
  const issuer = DIALECTS.find((dialect) => dialect === text.slice(PREFIX.length, colon))
  return issuer === undefined ? null : { issuer, signature: text.slice(colon + 1) }
}

/** Members of an assistant message in which servers give reasoning as plain text. */
export const REASONING_MEMBERS = ['reasoning_content', 'reasoning'] as const

/** Where Mistral gives it: as a part of the content. */
export const REASONING_IN_CONTENT = 'content'

/** Clients give signatures back as they please: no other member may be named by one. */
const NAMES: readonly string[] = [...REASONING_MEMBERS, REASONING_IN_CONTENT]

/** What a signature of the issuer openai-chat stands for. */
export type ChatOpaque =
  | { readonly kind: 'member'; readonly name: string }
  /** An element of reasoning_details without its text. */
  | { readonly kind: 'detail'; readonly detail: JsonObject }
  /** Of the tool call that follows. */
  | { readonly kind: 'extra'; readonly extra: JsonObject }

/** null for one that is not of this form. */
export function readOpaque(signature: string): ChatOpaque | null {
  const value = signature.startsWith('{') ? parseJson(signature) : null
  if (isObject(value) && isObject(value.reasoning_details)) return { kind: 'detail', detail: value.reasoning_details }
  if (isObject(value) && isObject(value.extra_content)) return { kind: 'extra', extra: value.extra_content }
  return NAMES.includes(signature) ? { kind: 'member', name: signature } : null
}

export const detailSignature = ({ text, summary, ...detail }: JsonObject): string =>
  JSON.stringify({ reasoning_details: detail })

/** The element again, with the text at the place its type has for it. */
export function detailWithText(detail: JsonObject, text: string): JsonObject {
  if (text === '') return detail
  return detail.type === 'reasoning.summary' ? { ...detail, summary: text } : { ...detail, text }
}

export const detailText = (detail: JsonObject): string => textOf(detail.text) ?? textOf(detail.summary) ?? ''

export const extraSignature = (extra: JsonObject): string => JSON.stringify({ extra_content: extra })

/**
 * `extra_content` of a tool call that carries the signature before it. Google's own form for its own, so that clients
 * made for Google keep it; a form of ours for others, with the text the signature belongs to (null: hidden).
 */
export function extraContent(issuer: Dialect, signature: string, text: string | null): JsonObject | null {
  if (issuer === 'gemini') return { google: { thought_signature: signature } }
  if (issuer !== 'openai-chat') {
    const wrapped = wrapSignature(issuer, signature)
    return { breakwater: text === null ? { signature: wrapped } : { signature: wrapped, thinking: text } }
  }
  const opaque = readOpaque(signature)
  return opaque?.kind === 'extra' ? opaque.extra : null
}

/** The reasoning a client's tool call carries in its `extra_content`; null where there is none. */
export function thinkingOf(extra: unknown): ThinkingPart | null {
  if (!isObject(extra)) return null
  const own = isObject(extra.breakwater) ? extra.breakwater : {}
  const google = isObject(extra.google) ? textOf(extra.google.thought_signature) : null
  const signature = textOf(own.signature) ?? google
  if (signature === null || signature === '') return null
  const known = unwrapSignature(signature) ?? (google === null ? null : { issuer: 'gemini' as const, signature })
  if (known === null) return null
  const text = textOf(own.thinking)
  return { kind: 'thinking', text: text ?? '', redacted: text === null, ...known }
}
