// Answer events → a whole Chat answer.
import type { AnswerEvent, JsonObject } from '../canonical'
import type { WriteContext } from '../translation'
import { CallExtras } from './call-extras'
import { finishReason } from './finish-reason'
import { readOpaque } from './opaque'
import { isLegacy } from './parse-tools'
import { writeUsage } from './write-usage'

interface Call {
  readonly id: string
  readonly name: string
  readonly freeForm: boolean
  readonly extra: JsonObject | null
  readonly pieces: string[]
}

export function writeAnswer(events: readonly AnswerEvent[], context: WriteContext): string {
  const legacy = isLegacy(context.body)
  const start = events.find((event) => event.kind === 'start')
  const stop = events.find((event) => event.kind === 'stop')
  const usage = events.find((event) => event.kind === 'usage')
  return JSON.stringify({
    id: start?.id ?? `chatcmpl-${context.requestId}`,
    object: 'chat.completion',
    created: Math.floor(context.now / 1000),
    model: context.model,
    choices: [
      {
        index: 0,
        message: messageOf(events, legacy),
        logprobs: null,
        finish_reason: finishReason(stop?.reason ?? 'stop', legacy),
      },
    ],
    ...(usage === undefined ? {} : { usage: writeUsage(usage.usage) }),
  })
}

function messageOf(events: readonly AnswerEvent[], legacy: boolean): JsonObject {
  const reasoning = textOf(events, 'thinking')
  const details = detailsOf(events)
  const images = imagesOf(events)
  const calls = callsOf(events)
  return {
    role: 'assistant',
    content: textOf(events, 'text') || null,
    refusal: textOf(events, 'refusal') || null,
    ...(reasoning === '' ? {} : { reasoning_content: reasoning }),
    ...(details.length === 0 ? {} : { reasoning_details: details }),
    ...(images.length === 0 ? {} : { images }),
    ...(calls.length === 0 ? {} : legacy ? legacyCall(calls) : { tool_calls: calls.map(writeCall) }),
  }
}

const textOf = (events: readonly AnswerEvent[], kind: 'text' | 'refusal' | 'thinking'): string =>
  events.map((event) => (event.kind === kind ? event.text : '')).join('')

const imagesOf = (events: readonly AnswerEvent[]): readonly JsonObject[] =>
  events
    .filter((event) => event.kind === 'image')
    .map(({ mediaType, data }, index) => {
      return { index, type: 'image_url', image_url: { url: `data:${mediaType};base64,${data}` } }
    })

/** OpenRouter's signed reasoning, as it came. */
const detailsOf = (events: readonly AnswerEvent[]): readonly JsonObject[] =>
  events.flatMap((event) => {
    const isOwn = event.kind === 'thinking-signature' && event.issuer === 'openai-chat'
    const opaque = isOwn ? readOpaque(event.signature) : null
    return opaque?.kind === 'detail' ? [opaque.detail] : []
  })

function callsOf(events: readonly AnswerEvent[]): readonly Call[] {
  const extras = new CallExtras()
  const calls = new Map<number, Call>()
  for (const event of events) {
    const extra = extras.note(event)
    if (event.kind === 'tool-call') {
      const { id, name, freeForm } = event
      calls.set(event.index, { id, name, freeForm, extra, pieces: [] })
    } else if (event.kind === 'tool-arguments') calls.get(event.index)?.pieces.push(event.piece)
  }
  return [...calls.values()]
}

function writeCall({ id, name, freeForm, extra, pieces }: Call): JsonObject {
  const text = pieces.join('')
  const form = freeForm
    ? { type: 'custom', custom: { name, input: text } }
    : { type: 'function', function: { name, arguments: text || '{}' } }
  return { id, ...form, ...(extra === null ? {} : { extra_content: extra }) }
}

/** The form before tools has room for one call. */
const legacyCall = ([call]: readonly Call[]): JsonObject =>
  call === undefined ? {} : { function_call: { name: call.name, arguments: call.pieces.join('') || '{}' } }
