// Events of an answer → a stream as streamGenerateContent?alt=sse gives it: every event a whole GenerateContentResponse.
import type { CanonicalUsage, JsonObject, StopReason } from '../canonical'
import type { StreamWriter, WriteContext } from '../translation'
import { PartMaker } from './answer-parts'
import { finishReasonOf } from './finish-reason'

export function createStreamWriter(context: WriteContext): StreamWriter {
  const maker = new PartMaker()
  const identity = `"modelVersion":${JSON.stringify(context.model)},"responseId":${JSON.stringify(context.requestId)}}\n\n`
  // Text is most of a stream: only its own bytes are made anew.
  const before = 'data: {"candidates":[{"content":{"parts":['
  const behind = `],"role":"model"},"index":0}],${identity}`
  let usage: CanonicalUsage | null = null
  let reason: StopReason = 'stop'
  return {
    write(event) {
      switch (event.kind) {
        case 'usage':
          usage = event.usage
          return ''
        case 'stop': {
          reason = event.reason
          const parts = maker.last(reason)
          return parts.length === 0 ? '' : before + textOf(parts) + behind
        }
        case 'end':
          // Empty text, as Gemini's own last chunk has it: clients look into the parts of every one.
          return `data: {"candidates":[${JSON.stringify(endingCandidate([{ text: '' }], reason))}],${usageMember(usage)}${identity}`
        default: {
          const parts = maker.parts(event)
          return parts.length === 0 ? '' : before + textOf(parts) + behind
        }
      }
    },
    // Every event stands for itself: nothing is open, and a call that is not complete was not told.
    breakOff: () => '',
  }
}

const textOf = (parts: readonly JsonObject[]): string => parts.map((part) => JSON.stringify(part)).join(',')

const usageMember = (usage: CanonicalUsage | null): string =>
  usage === null ? '' : `"usageMetadata":${JSON.stringify(usageMetadata(usage))},`

export function endingCandidate(parts: readonly JsonObject[], reason: StopReason): JsonObject {
  return {
    content: { parts, role: 'model' },
    finishReason: finishReasonOf(reason),
    ...(reason === 'pause' ? { finishMessage: 'The model paused. Send the conversation back to let it go on.' } : {}),
    index: 0,
  }
}

/** Thoughts are counted beside the answer, cached tokens within the prompt. */
export function usageMetadata({ input, cachedInput, output, reasoning }: CanonicalUsage): JsonObject {
  const counts: [string, number | null][] = [
    ['promptTokenCount', input],
    ['cachedContentTokenCount', cachedInput],
    ['candidatesTokenCount', output === null ? null : Math.max(0, output - (reasoning ?? 0))],
    ['thoughtsTokenCount', reasoning],
    ['totalTokenCount', input === null && output === null ? null : (input ?? 0) + (output ?? 0)],
  ]
  return Object.fromEntries(counts.filter(([, count]) => count !== null))
}
