// Scripts and pieces of scripts for the fake upstream, in all dialects.

import type { Dialect } from '../../core/contract/kinds'
import type { Script, Step } from './fake-script'

const SSE = { 'content-type': 'text/event-stream' }
const JSON_TYPE = { 'content-type': 'application/json' }

export const text = (value: string): Step => ({ kind: 'text', text: value })
export const gate = (name: string): Step => ({ kind: 'gate', name })
export const reset: Step = { kind: 'reset' }
export const cut: Step = { kind: 'cut' }
export const hang: Step = { kind: 'hang' }
export const head: Step = { kind: 'head' }

export const stream = (...steps: Step[]): Script => ({ headers: SSE, steps })
export const raw = (...texts: string[]): Script => stream(...texts.map(text))

export const json = (value: unknown): Script => ({ headers: JSON_TYPE, steps: [text(JSON.stringify(value))] })

export const error = (
  status: number,
  body: unknown = { error: { message: `said ${status}`, type: 'api_error', code: null } },
  headers: Readonly<Record<string, string>> = {},
): Script => ({ status, headers: { ...JSON_TYPE, ...headers }, steps: [text(JSON.stringify(body))] })

export const anthropicError = (status: number, type: string, message = `said ${status}`): Script =>
  error(status, { type: 'error', error: { type, message } })

export const html = (status: number): Script => ({
  status,
  headers: { 'content-type': 'text/html' },
  steps: [text('<!DOCTYPE html><html><head><title>Sign in</title></head><body>Please sign in.</body></html>')],
})

/** The pieces of a stream that a user sees nothing of, that she sees something of, and that end it. */
export interface StreamParts {
  readonly preamble: string
  content(words: string): string
  readonly ending: string
  /** Marks of a proper end, which must not stand in a broken stream. */
  readonly endMark: string
}

const data = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`
const chat = (delta: object, finish: string | null = null): string =>
  data({
    id: 'c1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [{ index: 0, delta, finish_reason: finish }],
  })
const claude = (type: string, value: object = {}): string => `event: ${type}\n${data({ type, ...value })}`

const typed = (type: string, value: object): string => `event: ${type}\n${data({ type, sequence_number: 0, ...value })}`
const response = (status: string, output: readonly object[]): object => ({
  id: 'resp_1',
  object: 'response',
  created_at: 1,
  status,
  model: 'm',
  output,
  usage: null,
})
const google = (parts: readonly object[], more: object = {}): string =>
  data({ candidates: [{ content: { role: 'model', parts }, index: 0, ...more }], modelVersion: 'm', responseId: 'r1' })

export const parts: Readonly<Record<Dialect, StreamParts>> = {
  'openai-chat': {
    preamble: chat({ role: 'assistant', content: '' }),
    content: (content) => chat({ content }),
    ending: `${chat({}, 'stop')}data: [DONE]\n\n`,
    endMark: '[DONE]',
  },
  anthropic: {
    preamble:
      claude('message_start', {
        message: {
          id: 'msg_1',
          type: 'message',
          role: 'assistant',
          model: 'm',
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage: { input_tokens: 1, output_tokens: 1 },
        },
      }) +
      claude('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }) +
      claude('ping'),
    content: (words) => claude('content_block_delta', { index: 0, delta: { type: 'text_delta', text: words } }),
    ending:
      claude('content_block_stop', { index: 0 }) +
      claude('message_delta', {
        delta: { stop_reason: 'end_turn', stop_sequence: null },
        usage: { output_tokens: 2 },
      }) +
      claude('message_stop'),
    endMark: 'message_stop',
  },
  'openai-responses': {
    preamble:
      typed('response.created', { response: response('in_progress', []) }) +
      typed('response.output_item.added', {
        output_index: 0,
        item: { id: 'msg_1', type: 'message', status: 'in_progress', role: 'assistant', content: [] },
      }) +
      typed('response.content_part.added', {
        item_id: 'msg_1',
        output_index: 0,
        content_index: 0,
        part: { type: 'output_text', text: '', annotations: [] },
      }),
    content: (delta) =>
      typed('response.output_text.delta', { item_id: 'msg_1', output_index: 0, content_index: 0, delta }),
    ending: typed('response.completed', { response: response('completed', []) }),
    endMark: 'response.completed',
  },
  gemini: {
    preamble: google([{ text: '' }]),
    content: (words) => google([{ text: words }]),
    ending: google([{ text: '' }], { finishReason: 'STOP' }),
    endMark: 'finishReason',
  },
}

export const chatDelta = chat
export const claudeEvent = claude
export const responsesEvent = typed
export const geminiChunk = google
