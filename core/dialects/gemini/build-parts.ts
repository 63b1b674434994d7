// What one side said → the parts of one content.
import type { JsonObject, MediaPart, Part, TextPart, ThinkingPart, ToolCallPart, ToolResultPart } from '../canonical'
import { anyArguments } from './call-arguments'
import { typeOfUrl } from './parse-media'

export function mediaPart({ media }: MediaPart): JsonObject {
  if (media.kind === 'base64') return { inlineData: { mimeType: media.mediaType, data: media.data } }
  const mimeType = media.mediaType ?? typeOfUrl(media.url)
  return { fileData: { ...(mimeType === null ? {} : { mimeType }), fileUri: media.url } }
}

/** Parts of the model. Reasoning of other issuers is left out: its signature means nothing here. */
export function modelParts(given: readonly Part[]): JsonObject[] {
  const own = given.filter((part) => part.kind !== 'thinking' || part.issuer === 'gemini')
  const parts: JsonObject[] = []
  let signature: string | null = null
  for (const [at, part] of own.entries()) {
    switch (part.kind) {
      case 'thinking':
        if (!isHidden(part)) parts.push(thoughtPart(part))
        else if (own[at + 1]?.kind === 'tool-call') signature = part.signature
        else if (part.signature !== null) sign(parts, part.signature)
        break
      case 'tool-call':
        parts.push({ functionCall: callOf(part), ...(signature === null ? {} : { thoughtSignature: signature }) })
        signature = null
        break
      case 'tool-result':
        parts.push(lostResult(part))
        break
      case 'text':
      case 'refusal':
        parts.push({ text: part.text })
        break
      default:
        parts.push(mediaPart(part))
    }
  }
  return parts
}

const isHidden = ({ redacted, text }: ThinkingPart): boolean => redacted || text === ''

const thoughtPart = ({ text, signature }: ThinkingPart): JsonObject => ({
  text,
  thought: true,
  ...(signature === null ? {} : { thoughtSignature: signature }),
})

const callOf = ({ id, name, arguments: text, freeForm }: ToolCallPart): JsonObject => ({
  id,
  name,
  args: anyArguments(text, freeForm),
})

/** A signature that belongs to no call stands on the words before it, or where there are none on empty ones. */
function sign(parts: JsonObject[], signature: string): void {
  const last = parts.at(-1)
  if (typeof last?.text === 'string' && last.thought !== true && last.thoughtSignature === undefined) {
    parts[parts.length - 1] = { ...last, thoughtSignature: signature }
  } else parts.push({ text: '', thoughtSignature: signature })
}

/**
 * Parts of the user. `calls` are those of the content before: Gemini wants the results of all of them first, in their
 * order. Images of results follow the results, then everything else as it was said.
 */
export function userParts(given: readonly Part[], calls: readonly ToolCallPart[]): JsonObject[] {
  const results = new Map<string, ToolResultPart>()
  for (const part of given) {
    if (part.kind === 'tool-result' && !results.has(part.callId)) results.set(part.callId, part)
  }
  const answers = calls.map((call) => ({ call, result: results.get(call.id) }))
  const used = new Set<Part | undefined>(answers.map(({ result }) => result))
  return [
    ...answers.map(({ call, result }) => responsePart(call, result)),
    ...answers.flatMap(({ result }) => (result?.content ?? []).filter(isMedia).map(mediaPart)),
    ...given.filter((part) => !used.has(part)).flatMap(plainParts),
  ]
}

function responsePart({ id, name }: ToolCallPart, result: ToolResultPart | undefined): JsonObject {
  if (result === undefined) return { functionResponse: { id, name, response: { error: 'No result was given.' } } }
  const text = wordsOf(result)
  return { functionResponse: { id, name, response: result.isError ? { error: text } : { output: text } } }
}

function wordsOf({ content }: ToolResultPart): string {
  const text = content
    .filter((part): part is TextPart => part.kind === 'text')
    .map((part) => part.text)
    .join('\n')
  return text === '' && content.some(isMedia) ? 'See the attached file.' : text
}

const isMedia = (part: Part): part is MediaPart =>
  part.kind === 'image' || part.kind === 'document' || part.kind === 'audio'

function plainParts(part: Part): JsonObject[] {
  if (part.kind === 'text' || part.kind === 'refusal') return [{ text: part.text }]
  if (part.kind === 'tool-result') return [lostResult(part), ...part.content.filter(isMedia).map(mediaPart)]
  return isMedia(part) ? [mediaPart(part)] : []
}

/** The call is not in the content before, where Gemini would look for it: the result is told in words. */
const lostResult = (result: ToolResultPart): JsonObject => ({
  text: `Result of ${result.name ?? result.callId}: ${wordsOf(result)}`,
})
