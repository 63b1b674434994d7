// The practice provider's answers in both dialects. Pure: text in, bytes out.
import type { Dialect } from '../contract/kinds'

/** What the practice server speaks; for clients of other dialects the gateway translates, as for any provider. */
export type PracticeDialect = Extract<Dialect, 'openai-chat' | 'anthropic'>

export interface PracticeWire {
  whole(model: string, text: string): string
  /** Events before, for each word, and after. */
  start(model: string): string
  word(model: string, text: string): string
  end(model: string, words: number): string
  error(status: number, message: string): string
}

const ID = 'practice-1'
const data = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`
const event = (type: string, value: object): string => `event: ${type}\n${data({ type, ...value })}`

const chunk = (model: string, delta: object, finish: string | null, more: object = {}): string =>
  data({
    id: ID,
    object: 'chat.completion.chunk',
    created: 0,
    model,
    choices: [{ index: 0, delta, finish_reason: finish }],
    ...more,
  })

const countWords = (text: string): number => text.split(' ').length

const openAiChat: PracticeWire = {
  whole: (model, text) =>
    JSON.stringify({
      id: ID,
      object: 'chat.completion',
      created: 0,
      model,
      choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
      usage: {
        prompt_tokens: countWords(text),
        completion_tokens: countWords(text),
        total_tokens: 2 * countWords(text),
      },
    }),
  start: (model) => chunk(model, { role: 'assistant', content: '' }, null),
  word: (model, text) => chunk(model, { content: text }, null),
  end: (model, words) =>
    chunk(model, {}, 'stop', { usage: { prompt_tokens: words, completion_tokens: words, total_tokens: 2 * words } }) +
    'data: [DONE]\n\n',
  error: (status, message) =>
    JSON.stringify({ error: { message, type: status === 429 ? 'rate_limit_error' : 'server_error', code: null } }),
}

const message = (model: string, content: object[], stop: string | null, words: number): object => ({
  id: ID,
  type: 'message',
  role: 'assistant',
  model,
  content,
  stop_reason: stop,
  stop_sequence: null,
  usage: { input_tokens: words, output_tokens: stop === null ? 0 : words },
})

const anthropic: PracticeWire = {
  whole: (model, text) => JSON.stringify(message(model, [{ type: 'text', text }], 'end_turn', countWords(text))),
  start: (model) =>
    event('message_start', { message: message(model, [], null, 0) }) +
    event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
  word: (_model, text) => event('content_block_delta', { index: 0, delta: { type: 'text_delta', text } }),
  end: (_model, words) =>
    event('content_block_stop', { index: 0 }) +
    event('message_delta', {
      delta: { stop_reason: 'end_turn', stop_sequence: null },
      usage: { input_tokens: words, output_tokens: words },
    }) +
    event('message_stop', {}),
  error: (status, text) =>
    JSON.stringify({
      type: 'error',
      error: {
        type: status === 429 ? 'rate_limit_error' : status === 529 ? 'overloaded_error' : 'api_error',
        message: text,
      },
    }),
}

export const practiceWires: Readonly<Record<PracticeDialect, PracticeWire>> = { 'openai-chat': openAiChat, anthropic }

interface Body {
  model?: unknown
  stream?: unknown
  messages?: { role?: unknown; content?: unknown }[]
}

export interface PracticeRequest {
  readonly model: string
  readonly stream: boolean
  /** The text of the last user message. */
  readonly prompt: string
}

export function readPracticeRequest(text: string): PracticeRequest {
  const body = JSON.parse(text) as Body
  const last = body.messages?.findLast((entry) => entry.role === 'user')
  const prompt = textOf(last?.content).trim()
  return {
    model: String(body.model),
    stream: body.stream === true,
    prompt: prompt === '' ? 'Say something, and the practice provider says it back.' : prompt,
  }
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.map((part: { text?: unknown }) => (typeof part?.text === 'string' ? part.text : '')).join(' ')
}
