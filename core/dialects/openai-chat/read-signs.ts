// What raw answers of OpenAI Chat and the calls beside it say to the pass-through path.
import type { StreamEnd, StreamSign } from '../dialect'
import { isObject, parseJson } from '../json'
import { counters } from '../usage'
import { readFault } from './read-fault'

const DONE = 'data: [DONE]\n\n'
export const END_MARKS = ['[DONE]\n\n', '[DONE]\r\n\r\n'].map((mark) => Buffer.from(mark))

export function readSign(event: string | undefined, data: string): StreamSign {
  if (data === '[DONE]') return { kind: 'end' }
  const chunk = parseJson(data)
  if (!isObject(chunk)) return { kind: 'preamble' }
  const fault = readFault(event, chunk)
  if (fault !== null) return { kind: 'fault', ...fault }
  if (!Array.isArray(chunk.choices)) return { kind: 'preamble' }
  return chunk.choices.some((choice) => isObject(choice) && isAnswer(choice, choice.delta))
    ? { kind: 'content' }
    : { kind: 'preamble' }
}

/** An answer that ends for one of these may be without content. */
const LEGITIMATE_ENDS = new Set<unknown>(['length', 'tool_calls', 'function_call', 'content_filter'])

export function isEmptyAnswer(body: string): boolean {
  const answer = parseJson(body)
  if (!isObject(answer) || !Array.isArray(answer.choices)) return false
  return answer.choices.every((choice) => !isObject(choice) || !isAnswer(choice, choice.message))
}

const isAnswer = (choice: { readonly [member: string]: unknown }, message: unknown): boolean =>
  hasContent(message) || isSomething(choice.text) || LEGITIMATE_ENDS.has(choice.finish_reason)

const CONTENT_MEMBERS = [
  'content',
  'reasoning_content',
  'reasoning',
  'reasoning_details',
  'refusal',
  'tool_calls',
  'function_call',
  'images',
  'audio',
]

const hasContent = (message: unknown): boolean =>
  isObject(message) && CONTENT_MEMBERS.some((name) => isSomething(message[name]))

const isSomething = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 : value !== undefined && value !== null && value !== ''

export const readUsage = counters('prompt_tokens', 'completion_tokens')

export function readEnd(tail: string): StreamEnd {
  // At the start of a line only: a model may speak of end markers, but its line breaks are escaped.
  const done = tail.endsWith(`\n${DONE}`) || /(^|\n)data: ?\[DONE\]/.test(tail)
  const separator = tail.endsWith('\n\n') || tail.endsWith('\r\n\r\n') ? '' : '\n\n'
  return {
    complete: done || /"finish_reason"\s*:\s*"/.test(tail),
    closing: done ? separator : separator + DONE,
    usage: readUsage(tail),
  }
}
