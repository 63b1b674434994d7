// OpenAI Chat Completions as the fake upstream speaks it; with `reasoning_content`, as the compatible servers think.
import { dataUrl, isObject, type Json, objects } from '../strict/rules.ts'
import {
  event,
  type Failure,
  type HeardMedia,
  joined,
  newId,
  pieces,
  type Said,
  type Stop,
  sizeOf,
  USAGE,
  type Usage,
  type Voice,
} from './voice.ts'

const STOPS: Readonly<Record<Stop, string>> = {
  stop: 'stop',
  length: 'length',
  filter: 'content_filter',
  sequence: 'stop',
}

export const openAiTypes: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  429: 'rate_limit_error',
}

/** Of both OpenAI APIs. */
export const openAiError = ({ status, message, param = null, code = null }: Failure): Json => ({
  message,
  type: openAiTypes[status] ?? (status >= 500 ? 'server_error' : 'invalid_request_error'),
  param,
  code,
})

export const chat: Voice = {
  hear(body) {
    const messages = objects(body.messages)
    const of = (...roles: string[]) => messages.filter(({ role }) => roles.includes(role as string))
    const format = body.response_format as { json_schema?: { schema?: Json } } | undefined
    return {
      model: String(body.model),
      stream: body.stream === true,
      system: joined(of('system', 'developer').map(({ content }) => textIn(content))),
      said: textIn(of('user').findLast(({ content }) => textIn(content) !== '')?.content),
      tools: objects(body.tools).flatMap(({ function: given }) =>
        isObject(given) ? [{ name: String(given.name), schema: (given.parameters ?? null) as Json | null }] : [],
      ),
      calls: of('assistant').flatMap(({ tool_calls: calls }) =>
        objects(calls).map((call) => {
          const given = call.function as { name: string; arguments: string }
          return { id: String(call.id), name: given.name, arguments: given.arguments }
        }),
      ),
      results: of('tool').map(({ tool_call_id: id, content }) => ({
        id: String(id),
        text: textIn(content),
        isError: false,
      })),
      media: of('user').flatMap(({ content }) => objects(content).flatMap(mediaIn)),
      schema: format?.json_schema?.schema ?? null,
      thoughts: of('assistant').filter((message) => message.reasoning_content != null).length,
      thinks: body.reasoning_effort != null && body.reasoning_effort !== 'none',
      wantsUsage: (body.stream_options as { include_usage?: boolean } | undefined)?.include_usage === true,
    }
  },

  whole(said, heard) {
    const calls = (said.calls ?? []).map(({ name, arguments: given }) => ({
      id: newId('call_'),
      type: 'function',
      function: { name, arguments: JSON.stringify(given) },
    }))
    const message = {
      role: 'assistant',
      content: said.text?.join('') ?? null,
      refusal: null,
      ...(said.thought === undefined ? {} : { reasoning_content: said.thought }),
      ...(calls.length === 0 ? {} : { tool_calls: calls }),
    }
    return {
      id: newId('chatcmpl-'),
      object: 'chat.completion',
      created: 1,
      model: heard.model,
      choices: [{ index: 0, message, logprobs: null, finish_reason: finish(said) }],
      usage: usage(said.usage ?? USAGE),
    }
  },

  stream(said, heard) {
    const id = newId('chatcmpl-')
    const chunk = (choices: readonly object[], more: object = {}): string =>
      event({ id, object: 'chat.completion.chunk', created: 1, model: heard.model, choices, ...more })
    const delta = (value: object, reason: string | null = null): string =>
      chunk(
        [{ index: 0, delta: value, logprobs: null, finish_reason: reason }],
        heard.wantsUsage ? { usage: null } : {},
      )
    return [
      delta({ role: 'assistant', content: '', refusal: null }),
      ...pieces(said.thought ?? '').map((piece) => delta({ reasoning_content: piece })),
      ...(said.text ?? []).map((content) => delta({ content })),
      ...callDeltas(said).map((calls) => delta({ tool_calls: calls })),
      delta({}, finish(said)),
      ...(heard.wantsUsage ? [chunk([], { usage: usage(said.usage ?? USAGE) })] : []),
      'data: [DONE]\n\n',
    ]
  },

  error: (failure) => ({ error: openAiError(failure) }),
  streamError: (failure) => event({ error: openAiError(failure) }),
}

function callDeltas({ calls = [], interleaved = false }: Said): object[][] {
  const heads = calls.map(({ name }, index) => ({
    index,
    id: newId('call_'),
    type: 'function',
    function: { name, arguments: '' },
  }))
  const texts = calls.map(({ arguments: given }, index) =>
    pieces(JSON.stringify(given)).map((piece) => ({ index, function: { arguments: piece } })),
  )
  if (!interleaved) return heads.flatMap((head, i) => [[head], ...(texts[i] ?? []).map((one) => [one])])
  const most = Math.max(0, ...texts.map(({ length }) => length))
  const turns = Array.from({ length: most }, (_, turn) =>
    texts.flatMap((list) => (list[turn] === undefined ? [] : [list[turn]])),
  )
  return [heads, ...turns.flatMap((one) => one.map((delta) => [delta]))]
}

const finish = ({ calls, stop = 'stop' }: Said): string =>
  stop === 'stop' && calls !== undefined ? 'tool_calls' : STOPS[stop]

const usage = ({ input, cached, output, reasoning }: Usage): Json => ({
  prompt_tokens: input,
  completion_tokens: output,
  total_tokens: input + output,
  prompt_tokens_details: { cached_tokens: cached },
  completion_tokens_details: { reasoning_tokens: reasoning },
})

function textIn(content: unknown): string {
  if (typeof content === 'string') return content
  return joined(objects(content).map(({ text }) => (typeof text === 'string' ? text : '')))
}

function mediaIn(part: Json): HeardMedia[] {
  if (part.type === 'input_audio') return [{ kind: 'audio', where: 'message', what: 'audio' }]
  const file = part.file as { file_data?: string } | undefined
  if (file?.file_data !== undefined) return [{ kind: 'document', where: 'message', what: urlWords(file.file_data) }]
  const image = part.image_url as { url: string } | undefined
  return image === undefined ? [] : [{ kind: 'image', where: 'message', what: urlWords(image.url) }]
}

/** Of both OpenAI APIs. */
export function urlWords(url: string): string {
  const data = dataUrl(url)
  return data === null ? url : sizeOf(data.mediaType, data.data)
}
