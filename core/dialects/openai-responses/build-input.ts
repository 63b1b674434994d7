// Turns → the items of a Responses request. The API demands that every call has its result and every result its call,
// and that reasoning stands right before what it led to; what the conversation lacks is mended here, and said.
import { badInput } from '../../errors'
import type { JsonObject, MediaPart, Part, ThinkingPart, ToolCallPart, ToolResultPart, Turn } from '../canonical'
import { shortened } from '../shortened'
import { OWN, writeSignature } from './signature'

const MAX_CALL_ID = 64

/** @throws GatewayError 400 for sound, which the API does not take */
export function buildInput(turns: readonly Turn[]): JsonObject[] {
  const builder = new InputBuilder(turns)
  for (const turn of turns) builder.turn(turn)
  return builder.items
}

class InputBuilder {
  readonly items: JsonObject[] = []
  /** Calls that have been sent, and whether their result has. */
  private readonly calls = new Map<string, { readonly freeForm: boolean; answered: boolean }>()
  /** Ids of all results of the conversation. */
  private readonly results = new Set<string>()

  constructor(turns: readonly Turn[]) {
    for (const { parts } of turns) {
      for (const part of parts) if (part.kind === 'tool-result') this.results.add(part.callId)
    }
  }

  turn({ role, parts }: Turn): void {
    if (role === 'assistant') return this.said(parts)
    const rest: JsonObject[] = []
    for (const part of parts) {
      if (part.kind !== 'tool-result') {
        rest.push(...inputContent(part))
        continue
      }
      const call = this.calls.get(part.callId)
      if (call === undefined || call.answered) rest.push(...orphanContent(part))
      else {
        call.answered = true
        this.items.push(resultItem(part, call.freeForm))
      }
    }
    if (rest.length > 0)
      this.items.push({ type: 'message', role: role === 'system' ? 'developer' : 'user', content: rest })
  }

  private said(parts: readonly Part[]): void {
    const images: JsonObject[] = []
    const unanswered: ToolCallPart[] = []
    let content: JsonObject[] | null = null
    let thoughts: JsonObject[] = []
    // Reasoning without anything behind it would be refused.
    const push = (item: JsonObject): void => {
      this.items.push(...thoughts, item)
      thoughts = []
    }
    for (const part of parts) {
      switch (part.kind) {
        case 'text':
        case 'refusal': {
          const piece = outputContent(part)
          if (content === null) {
            content = [piece]
            push({ type: 'message', role: 'assistant', content })
          } else content.push(piece)
          continue
        }
        case 'tool-call':
          push(callItem(part))
          this.calls.set(part.id, { freeForm: part.freeForm, answered: false })
          if (!this.results.has(part.id)) unanswered.push(part)
          break
        case 'thinking':
          if (canReturn(part)) thoughts.push(reasoningItem(part))
          break
        case 'image':
        case 'document':
        case 'audio':
          images.push(...inputContent(part))
      }
      content = null
    }
    for (const { id, freeForm } of unanswered) this.items.push(noResult(id, freeForm))
    // The API knows no images in what the model said: they follow as a message of the user.
    if (images.length > 0) this.items.push({ type: 'message', role: 'user', content: images })
  }
}

const canReturn = ({ issuer, signature }: ThinkingPart): boolean => issuer === OWN && signature !== null

function reasoningItem({ text, signature }: ThinkingPart): JsonObject {
  const { id, encrypted } = writeSignature({ issuer: OWN, signature: signature ?? '' })
  return {
    type: 'reasoning',
    ...(id === null ? {} : { id }),
    summary: text === '' ? [] : [{ type: 'summary_text', text }],
    encrypted_content: encrypted,
  }
}

const wireId = (id: string): string => shortened(id, MAX_CALL_ID)

const callItem = ({ id, name, arguments: args, freeForm }: ToolCallPart): JsonObject =>
  freeForm
    ? { type: 'custom_tool_call', call_id: wireId(id), name, input: args }
    : { type: 'function_call', call_id: wireId(id), name, arguments: args }

const outputType = (freeForm: boolean): string => (freeForm ? 'custom_tool_call_output' : 'function_call_output')

function resultItem(result: ToolResultPart, freeForm: boolean): JsonObject {
  return { type: outputType(freeForm), call_id: wireId(result.callId), output: resultOutput(result) }
}

function resultOutput({ content, isError }: ToolResultPart): string | JsonObject[] {
  const [first] = content
  // The API has no mark for a failure: one without words would look like a success.
  if (first === undefined) return isError ? 'The call failed.' : ''
  if (content.length === 1 && first.kind === 'text') return first.text
  return content.flatMap(inputContent)
}

const noResult = (id: string, freeForm: boolean): JsonObject => ({
  type: outputType(freeForm),
  call_id: wireId(id),
  output: 'No result was given for this call.',
})

/** A result whose call is gone (a shortened history) is still something the user showed. */
const orphanContent = ({ name, content }: ToolResultPart): JsonObject[] => [
  { type: 'input_text', text: `Result of an earlier call${name === null ? '' : ` of ${name}`}:` },
  ...content.flatMap(inputContent),
]

function outputContent(part: Extract<Part, { kind: 'text' | 'refusal' }>): JsonObject {
  return part.kind === 'text'
    ? { type: 'output_text', text: part.text, annotations: [] }
    : { type: 'refusal', refusal: part.text }
}

function inputContent(part: Part): JsonObject[] {
  switch (part.kind) {
    case 'text':
    case 'refusal':
      return [{ type: 'input_text', text: part.text }]
    case 'image':
      return [{ type: 'input_image', image_url: urlOf(part), detail: 'auto' }]
    case 'document':
      return [documentContent(part)]
    case 'audio':
      throw badInput(
        'audio',
        'cannot be sent to a model that speaks OpenAI Responses. Leave it out, or choose another model.',
      )
    default:
      return []
  }
}

const urlOf = ({ media }: MediaPart): string =>
  media.kind === 'url' ? media.url : `data:${media.mediaType};base64,${media.data}`

function documentContent(part: MediaPart): JsonObject {
  if (part.media.kind === 'url') return { type: 'input_file', file_url: part.media.url }
  const extension = part.media.mediaType === 'application/pdf' ? 'pdf' : 'txt'
  return { type: 'input_file', filename: part.name ?? `document.${extension}`, file_data: urlOf(part) }
}
