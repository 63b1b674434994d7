// OpenAI Responses as the fake upstream speaks it.
import { type Json, objects } from '../strict/rules.ts'
import { openAiError, urlWords } from './openai-chat.ts'
import {
  event,
  type Heard,
  type HeardMedia,
  issue,
  joined,
  newId,
  pieces,
  type Said,
  sign,
  signedText,
  USAGE,
  type Usage,
  type Voice,
} from './voice.ts'

export const responses: Voice = {
  hear(body) {
    const { input } = body
    const items = typeof input === 'string' ? [{ role: 'user', content: input }] : objects(input)
    const of = (...types: string[]) => items.filter((item) => types.includes(String((item as Json).type))) as Json[]
    const messages = items.filter((item) => 'role' in item) as Json[]
    const system = messages.filter(({ role }) => role === 'system' || role === 'developer')
    const text = body.text as { format?: { schema?: Json } } | undefined
    const effort = (body.reasoning as { effort?: string } | null | undefined)?.effort
    return {
      model: String(body.model),
      stream: body.stream === true,
      system: joined([String(body.instructions ?? ''), ...system.map(({ content }) => textIn(content))]),
      said: textIn(messages.findLast(({ role, content }) => role === 'user' && textIn(content) !== '')?.content),
      tools: objects(body.tools).flatMap((tool) =>
        tool.type === 'function' ? [{ name: String(tool.name), schema: (tool.parameters ?? null) as Json | null }] : [],
      ),
      calls: of('function_call').map((item) => ({
        id: String(item.call_id),
        name: String(item.name),
        arguments: String(item.arguments),
      })),
      results: of('function_call_output').map(({ call_id: id, output }) => ({
        id: String(id),
        text: textIn(output),
        isError: false,
      })),
      media: [
        ...messages.flatMap(({ content }) => objects(content).flatMap((part) => mediaIn(part, 'message'))),
        ...of('function_call_output').flatMap(({ output }) =>
          objects(output).flatMap((part) => mediaIn(part, 'tool result')),
        ),
      ],
      schema: text?.format?.schema ?? null,
      thoughts: of('reasoning').filter(
        ({ encrypted_content: encrypted, id }) => signedText(String(encrypted ?? id)) !== undefined,
      ).length,
      thinks: effort !== undefined && effort !== 'none',
      wantsUsage: true,
    }
  },

  whole: (said, heard) => envelope(said, heard, outputOf(said).map(done), true),

  stream(said, heard) {
    let sequence = 0
    const send = (type: string, more: object): string => event({ type, sequence_number: sequence++, ...more }, type)
    const output = outputOf(said)
    const begun = envelope(said, heard, [], false)
    const opening = ['response.created', 'response.in_progress'].map((type) => send(type, { response: begun }))
    const middle = output.flatMap((item, index) => itemEvents(item, index, send))
    const { status } = envelope(said, heard, [], true)
    const last = send(`response.${String(status)}`, {
      response: { ...envelope(said, heard, output.map(done), true), id: begun.id },
    })
    return [...opening, ...middle, last]
  },

  error: (failure) => ({ error: openAiError(failure) }),
  streamError: ({ message, code = null, param = null }) =>
    event({ type: 'error', sequence_number: 99, code: code ?? 'server_error', message, param }, 'error'),
}

type Item =
  | { readonly type: 'reasoning'; readonly id: string; readonly text: string; readonly encrypted: string }
  | { readonly type: 'message'; readonly id: string; readonly texts: readonly string[] }
  | {
      readonly type: 'function_call'
      readonly id: string
      readonly callId: string
      readonly name: string
      readonly text: string
    }

function outputOf({ thought, text, calls = [] }: Said): Item[] {
  return [
    ...(thought === undefined
      ? []
      : [{ type: 'reasoning' as const, id: issue(newId('rs_')), text: thought, encrypted: sign(thought) }]),
    ...(text === undefined ? [] : [{ type: 'message' as const, id: newId('msg_'), texts: text }]),
    ...calls.map(({ name, arguments: given }) => ({
      type: 'function_call' as const,
      id: newId('fc_'),
      callId: newId('call_'),
      name,
      text: JSON.stringify(given),
    })),
  ]
}

const textPart = (text: string): Json => ({ type: 'output_text', text, annotations: [], logprobs: [] })
const summaryPart = (text: string): Json => ({ type: 'summary_text', text })

function begun(item: Item): Json {
  switch (item.type) {
    case 'reasoning':
      return { id: item.id, type: 'reasoning', summary: [] }
    case 'message':
      return { id: item.id, type: 'message', status: 'in_progress', role: 'assistant', content: [] }
    case 'function_call':
      return {
        id: item.id,
        type: 'function_call',
        status: 'in_progress',
        call_id: item.callId,
        name: item.name,
        arguments: '',
      }
  }
}

function done(item: Item): Json {
  switch (item.type) {
    case 'reasoning':
      return { ...begun(item), summary: [summaryPart(item.text)], encrypted_content: item.encrypted }
    case 'message':
      return { ...begun(item), status: 'completed', content: [textPart(item.texts.join(''))] }
    case 'function_call':
      return { ...begun(item), status: 'completed', arguments: item.text }
  }
}

function itemEvents(item: Item, index: number, send: (type: string, more: object) => string): string[] {
  const place = { item_id: item.id, output_index: index }
  const part = { ...place, content_index: 0 }
  const summary = { ...place, summary_index: 0 }
  const added = send('response.output_item.added', { output_index: index, item: begun(item) })
  let inner: string[]
  switch (item.type) {
    case 'reasoning':
      inner = [
        send('response.reasoning_summary_part.added', { ...summary, part: summaryPart('') }),
        ...pieces(item.text).map((delta) => send('response.reasoning_summary_text.delta', { ...summary, delta })),
        send('response.reasoning_summary_text.done', { ...summary, text: item.text }),
        send('response.reasoning_summary_part.done', { ...summary, part: summaryPart(item.text) }),
      ]
      break
    case 'message': {
      const text = item.texts.join('')
      inner = [
        send('response.content_part.added', { ...part, part: textPart('') }),
        ...item.texts.map((delta) => send('response.output_text.delta', { ...part, delta, logprobs: [] })),
        send('response.output_text.done', { ...part, text, logprobs: [] }),
        send('response.content_part.done', { ...part, part: textPart(text) }),
      ]
      break
    }
    case 'function_call':
      inner = [
        ...pieces(item.text).map((delta) => send('response.function_call_arguments.delta', { ...place, delta })),
        send('response.function_call_arguments.done', { ...place, name: item.name, arguments: item.text }),
      ]
  }
  return [added, ...inner, send('response.output_item.done', { output_index: index, item: done(item) })]
}

function envelope(said: Said, heard: Heard, output: readonly Json[], ended: boolean): Json {
  const reason = said.stop === 'length' ? 'max_output_tokens' : said.stop === 'filter' ? 'content_filter' : null
  return {
    id: newId('resp_'),
    object: 'response',
    created_at: 1,
    status: ended ? (reason === null ? 'completed' : 'incomplete') : 'in_progress',
    error: null,
    incomplete_details: ended && reason !== null ? { reason } : null,
    instructions: null,
    metadata: {},
    model: heard.model,
    output,
    parallel_tool_calls: true,
    temperature: 1,
    tool_choice: 'auto',
    tools: [],
    top_p: 1,
    usage: ended ? usage(said.usage ?? USAGE) : null,
  }
}

const usage = ({ input, cached, output, reasoning }: Usage): Json => ({
  input_tokens: input,
  input_tokens_details: { cached_tokens: cached },
  output_tokens: output,
  output_tokens_details: { reasoning_tokens: reasoning },
  total_tokens: input + output,
})

function textIn(content: unknown): string {
  if (typeof content === 'string') return content
  return joined(objects(content).map(({ text }) => (typeof text === 'string' ? text : '')))
}

function mediaIn(part: Json, where: HeardMedia['where']): HeardMedia[] {
  if (part.type === 'input_image') return [{ kind: 'image', where, what: urlWords(String(part.image_url)) }]
  if (part.type !== 'input_file') return []
  return [{ kind: 'document', where, what: urlWords(String(part.file_data ?? part.file_url)) }]
}
