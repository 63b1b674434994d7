// How many tokens a request is about, for clients that ask before they send and upstreams that cannot say. Counted with
// OpenAI's newest vocabulary; other models differ by a tenth or two.
import { systemClock } from '../clock'
import type { CanonicalRequest, MediaPart, Part, ToolDefinition } from '../dialects/canonical'
import { createTokenCounter, type TokenCounter } from './token-counter'

/** What wraps a turn: role and separators. */
const TURN_TOKENS = 4
const TOOL_TOKENS = 8
const REQUEST_TOKENS = 3
/** The most an image costs at Anthropic, which is what a screenshot costs there; elsewhere it is less. */
const IMAGE_TOKENS = 1_600
/** A page of a PDF is about 50 kB and 2,000 tokens. */
const DOCUMENT_BYTES_PER_TOKEN = 25
/** A second of sound is about 16 kB and 32 tokens. */
const AUDIO_BYTES_PER_TOKEN = 500
/** A document or sound of which only the address is known. */
const UNSEEN_TOKENS = 2_000

const shared = createTokenCounter(systemClock)

/** Never rejects. The counting itself is done by a thread of its own. */
export const estimateTokens = (request: CanonicalRequest): Promise<number> => estimateTokensWith(request, shared)

export async function estimateTokensWith(request: CanonicalRequest, counter: TokenCounter): Promise<number> {
  const texts: string[] = request.system.map(({ text }) => text)
  let fixed = REQUEST_TOKENS + (request.system.length > 0 ? TURN_TOKENS : 0)
  for (const { parts } of request.turns) {
    fixed += TURN_TOKENS
    for (const part of parts) fixed += addPart(part, texts)
  }
  for (const tool of request.tools) {
    fixed += TOOL_TOKENS
    texts.push(toolText(tool))
  }
  return fixed + (await counter.count(texts))
}

/** Adds the part's texts; gives the tokens of what is no text. */
function addPart(part: Part, texts: string[]): number {
  switch (part.kind) {
    case 'text':
    case 'refusal':
      texts.push(part.text)
      return 0
    case 'thinking':
      if (!part.redacted) texts.push(part.text)
      return 0
    case 'tool-call':
      texts.push(part.name, part.arguments)
      return TOOL_TOKENS
    case 'tool-result':
      return part.content.reduce((sum, inner) => sum + addPart(inner, texts), TOOL_TOKENS)
    case 'image':
    case 'document':
    case 'audio':
      return mediaTokens(part)
  }
}

function mediaTokens({ kind, media }: MediaPart): number {
  if (kind === 'image') return IMAGE_TOKENS
  if (media.kind === 'url') return UNSEEN_TOKENS
  const bytes = (media.data.length * 3) / 4
  return Math.ceil(bytes / (kind === 'audio' ? AUDIO_BYTES_PER_TOKEN : DOCUMENT_BYTES_PER_TOKEN))
}

const toolText = ({ name, description, schema }: ToolDefinition): string =>
  JSON.stringify({ name, ...(description === null ? {} : { description }), ...(schema === null ? {} : { schema }) })
