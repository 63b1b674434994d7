// Anthropic Messages as the fake upstream speaks it.
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
  sizeOf,
  USAGE,
  type Usage,
  type Voice,
} from './voice.ts'

const STOPS: Readonly<Record<Stop, string>> = {
  stop: 'end_turn',
  length: 'max_tokens',
  filter: 'refusal',
  sequence: 'stop_sequence',
}

const TYPES: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  429: 'rate_limit_error',
  529: 'overloaded_error',
}

const errorOf = ({ status, message }: Failure): Json => ({
  type: 'error',
  error: { type: TYPES[status] ?? (status >= 500 ? 'api_error' : 'invalid_request_error'), message },
  request_id: newId('req_'),
})

export const messages: Voice = {
  hear(body) {
    const list = objects(body.messages)
    const blocks = (role: string) =>
      list.filter((message) => message.role === role).flatMap(({ content }) => objects(content))
    const results = blocks('user').filter(({ type }) => type === 'tool_result')
    const config = body.output_config as { format?: { schema?: Json } } | undefined
    const format = config?.format ?? (body.output_format as { schema?: Json } | undefined)
    return {
      model: String(body.model),
      stream: body.stream === true,
      system: textIn(body.system),
      said: textIn(list.findLast(({ role, content }) => role === 'user' && textIn(content) !== '')?.content),
      tools: objects(body.tools).map(({ name, input_schema: schema }) => ({
        name: String(name),
        schema: isObject(schema) ? schema : null,
      })),
      calls: blocks('assistant')
        .filter(({ type }) => type === 'tool_use')
        .map(({ id, name, input }) => ({ id: String(id), name: String(name), arguments: JSON.stringify(input) })),
      results: results.map(({ tool_use_id: id, content, is_error: isError }) => ({
        id: String(id),
        text: textIn(content),
        isError: isError === true,
      })),
      media: [
        ...blocks('user').flatMap((block) => mediaIn(block, 'message')),
        ...results.flatMap(({ content }) => objects(content).flatMap((block) => mediaIn(block, 'tool result'))),
      ],
      schema: format?.schema ?? null,
      // The strict check has let none with a false signature through.
      thoughts: blocks('assistant').filter(({ type }) => type === 'thinking' || type === 'redacted_thinking').length,
      thinks: isObject(body.thinking) && body.thinking.type !== 'disabled',
      wantsUsage: true,
    }
  },

  whole: (said, heard) => ({
    ...message(heard, said.usage ?? USAGE),
    content: [
      ...(said.thought === undefined
        ? []
        : [{ type: 'thinking', thinking: said.thought, signature: sign(said.thought) }]),
      ...(said.text === undefined ? [] : [{ type: 'text', text: said.text.join('') }]),
      ...(said.calls ?? []).map(({ name, arguments: input }) => ({
        type: 'tool_use',
        id: newId('toolu_'),
        name,
        input,
      })),
    ],
    ...stopOf(said),
  }),

  stream(said, heard) {
    const { thought, text, calls = [], usage = USAGE } = said
    const send = (type: string, more: object = {}): string => event({ type, ...more }, type)
    let index = 0
    const block = (start: object, deltas: readonly object[]): string[] => {
      const at = index++
      return [
        send('content_block_start', { index: at, content_block: start }),
        ...deltas.map((delta) => send('content_block_delta', { index: at, delta })),
        send('content_block_stop', { index: at }),
      ]
    }
    const begun = { ...message(heard, { ...usage, output: 1, reasoning: 0 }), content: [] }
    return [
      send('message_start', { message: begun }),
      send('ping'),
      ...(thought === undefined
        ? []
        : block({ type: 'thinking', thinking: '', signature: '' }, [
            ...pieces(thought).map((thinking) => ({ type: 'thinking_delta', thinking })),
            { type: 'signature_delta', signature: sign(thought) },
          ])),
      ...(text === undefined
        ? []
        : block(
            { type: 'text', text: '' },
            text.map((one) => ({ type: 'text_delta', text: one })),
          )),
      ...calls.flatMap(({ name, arguments: given }) =>
        block(
          { type: 'tool_use', id: newId('toolu_'), name, input: {} },
          ['', ...pieces(JSON.stringify(given))].map((one) => ({ type: 'input_json_delta', partial_json: one })),
        ),
      ),
      send('message_delta', { delta: stopOf(said), usage: usageOf(usage) }),
      send('message_stop'),
    ]
  },

  error: errorOf,
  streamError: (failure) => event(errorOf(failure), 'error'),
}

const message = (heard: Heard, usage: Usage): Json => ({
  id: newId('msg_'),
  type: 'message',
  role: 'assistant',
  model: heard.model,
  stop_reason: null,
  stop_sequence: null,
  usage: usageOf(usage),
})

const stopOf = ({ calls, stop = 'stop' }: Said): Json => ({
  stop_reason: stop === 'stop' && calls !== undefined ? 'tool_use' : STOPS[stop],
  stop_sequence: stop === 'sequence' ? 'END' : null,
})

const usageOf = ({ input, cached, output, reasoning }: Usage): Json => ({
  input_tokens: input - cached,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: cached,
  output_tokens: output,
  ...(reasoning === 0 ? {} : { output_tokens_details: { thinking_tokens: reasoning } }),
  service_tier: 'standard',
})

function textIn(content: unknown): string {
  if (typeof content === 'string') return content
  return joined(objects(content).map(({ type, text }) => (type === 'text' && typeof text === 'string' ? text : '')))
}

function mediaIn({ type, source }: Json, where: HeardMedia['where']): HeardMedia[] {
  if ((type !== 'image' && type !== 'document') || !isObject(source)) return []
  const what = source.type === 'url' ? String(source.url) : sizeOf(String(source.media_type), String(source.data))
  return [{ kind: type, where, what }]
}
