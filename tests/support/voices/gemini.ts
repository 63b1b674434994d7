// Google's generateContent as the fake upstream speaks it.
import { isObject, type Json, objects } from '../strict/rules.ts'
import {
  event,
  type Failure,
  type Heard,
  type HeardMedia,
  joined,
  newId,
  pieces,
  type Said,
  type Stop,
  sign,
  signedText,
  sizeOf,
  USAGE,
  type Usage,
  type Voice,
} from './voice.ts'

const STOPS: Readonly<Record<Stop, string>> = { stop: 'STOP', length: 'MAX_TOKENS', filter: 'SAFETY', sequence: 'STOP' }

const STATUS_WORDS: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
}

const errorOf = ({ status, message }: Failure): Json => ({
  error: { code: status, message, status: STATUS_WORDS[status] ?? 'UNKNOWN' },
})

/** Model and whether a stream is asked for: both stand in the path. */
export function readPath(path: string): { readonly model: string; readonly method: string } {
  const found = /\/models\/([^:?]+):(\w+)/.exec(path)
  return { model: decodeURIComponent(found?.[1] ?? ''), method: found?.[2] ?? '' }
}

export const gemini: Voice = {
  hear(given, path) {
    const body = camelCased(given) as Json
    const { model, method } = readPath(path)
    const contents = objects(body.contents)
    const parts = (...roles: string[]) =>
      contents.filter(({ role = 'user' }) => roles.includes(role as string)).flatMap((one) => objects(one.parts))
    const config = (body.generationConfig ?? {}) as Record<string, unknown>
    const thinking = config.thinkingConfig as
      | { thinkingBudget?: number; thinkingLevel?: string; includeThoughts?: boolean }
      | undefined
    const responses = parts('user', 'function').flatMap(({ functionResponse: one }) => (isObject(one) ? [one] : []))
    const asked = contents.findLast(({ role = 'user', parts: list }) => role === 'user' && textIn(list) !== '')
    return {
      model,
      stream: method === 'streamGenerateContent',
      system: textIn((body.systemInstruction as Json | undefined)?.parts),
      said: textIn(asked?.parts),
      tools: objects(body.tools).flatMap(({ functionDeclarations: list }) =>
        objects(list).map(({ name, parameters, parametersJsonSchema }) => ({
          name: String(name),
          schema: (parameters ?? parametersJsonSchema ?? null) as Json | null,
        })),
      ),
      calls: parts('model').flatMap(({ functionCall: call }, i) =>
        isObject(call)
          ? [
              {
                id: String(call.id ?? `place ${i}`),
                name: String(call.name),
                arguments: JSON.stringify(call.args ?? {}),
              },
            ]
          : [],
      ),
      results: inOrder(parts('model'), responses),
      media: [
        ...parts('user').flatMap((part) => mediaIn(part, 'message')),
        ...responses.flatMap((one) => objects(one.parts).flatMap((part) => mediaIn(part, 'tool result'))),
      ],
      schema: (config.responseJsonSchema ?? config.responseSchema ?? null) as Json | null,
      thoughts: parts('model').filter(
        ({ thoughtSignature: signature }) => typeof signature === 'string' && signedText(signature) !== undefined,
      ).length,
      thinks: thinking !== undefined && thinking.thinkingBudget !== 0,
      wantsUsage: true,
    }
  },

  whole: (said, heard) => {
    const signature = said.thought === undefined ? null : sign(said.thought)
    const parts = [...thoughtParts(said.thought === undefined ? [] : [said.thought]), ...spoken(said, signature, false)]
    return chunk(heard, parts, finish(said), usage(said.usage ?? USAGE))
  },

  stream(said, heard) {
    const signature = said.thought === undefined ? null : sign(said.thought)
    const parts = [...thoughtParts(pieces(said.thought ?? '')), ...spoken(said, signature, true)]
    const id = newId('')
    const counts = usage(said.usage ?? USAGE)
    return [
      ...parts.map((part) => event(chunk(heard, [part], {}, { promptTokenCount: counts.promptTokenCount }, id))),
      event(chunk(heard, [{ text: '' }], finish(said), counts, id)),
    ]
  },

  error: errorOf,
  streamError: (failure) => event(errorOf(failure)),
}

const thoughtParts = (texts: readonly string[]): Json[] => texts.map((text) => ({ text, thought: true }))

/** The signature stands on the first call, or else on the text. Calls have no ids, as most models give none. */
function spoken({ text = [], calls = [] }: Said, signature: string | null, streamed: boolean): Json[] {
  const mark = signature === null ? {} : { thoughtSignature: signature }
  const texts = streamed ? text : text.length === 0 ? [] : [text.join('')]
  return [
    ...texts.map((one, i) => ({ text: one, ...(calls.length === 0 && i === texts.length - 1 ? mark : {}) })),
    ...calls.map(({ name, arguments: args }, i) => ({ functionCall: { name, args }, ...(i === 0 ? mark : {}) })),
  ]
}

const finish = ({ stop = 'stop' }: Said): Json => ({ finishReason: STOPS[stop] })

const chunk = (heard: Heard, parts: readonly Json[], more: Json, usageMetadata: Json, id = newId('')): Json => ({
  candidates: [{ content: { role: 'model', parts }, index: 0, ...more }],
  usageMetadata,
  modelVersion: heard.model,
  responseId: id,
})

const usage = ({ input, cached, output, reasoning }: Usage): Json => ({
  promptTokenCount: input,
  ...(cached === 0 ? {} : { cachedContentTokenCount: cached }),
  candidatesTokenCount: output - reasoning,
  ...(reasoning === 0 ? {} : { thoughtsTokenCount: reasoning }),
  totalTokenCount: input + output,
})

/** Responses without ids belong to the calls by their order among those of the same name. */
function inOrder(model: readonly Json[], responses: readonly Json[]): { id: string; text: string; isError: boolean }[] {
  const calls = model.flatMap(({ functionCall: call }, i) =>
    isObject(call) ? [{ id: String(call.id ?? `place ${i}`), name: call.name }] : [],
  )
  const taken = new Set<string>()
  return responses.map((one) => {
    const call = calls.find(({ id, name }) => !taken.has(id) && (one.id == null ? name === one.name : id === one.id))
    if (call !== undefined) taken.add(call.id)
    const { response } = one as { response: Json }
    const said = response.result ?? response.output ?? response.error ?? response.content ?? response
    return {
      id: call?.id ?? '',
      text: typeof said === 'string' ? said : JSON.stringify(said),
      isError: 'error' in response,
    }
  })
}

const textIn = (parts: unknown): string =>
  joined(objects(parts).map(({ text, thought }) => (typeof text === 'string' && thought !== true ? text : '')))

function mediaIn({ inlineData: blob, fileData: file }: Json, where: HeardMedia['where']): HeardMedia[] {
  if (isObject(blob)) {
    const type = String(blob.mimeType)
    return [{ kind: kindOf(type), where, what: sizeOf(type, String(blob.data)) }]
  }
  if (!isObject(file)) return []
  return [{ kind: kindOf(String(file.mimeType ?? 'image/')), where, what: String(file.fileUri) }]
}

const kindOf = (type: string): string =>
  type.startsWith('image/') ? 'image' : type.startsWith('audio/') ? 'audio' : 'document'

/** Members whose names are the user's own. */
const FREE = new Set(['args', 'response', 'properties', 'parametersJsonSchema', 'responseJsonSchema'])

function camelCased(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(camelCased)
  if (!isObject(value)) return value
  const named = Object.entries(value).map(([name, member]): [string, unknown] => {
    const camel = name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
    return [camel, FREE.has(camel) ? member : camelCased(member)]
  })
  return Object.fromEntries(named)
}
