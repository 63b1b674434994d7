// Why an answer ended: Chat's words and the canonical ones.
import type { StopReason } from '../canonical'

const REASONS: ReadonlyMap<string, StopReason> = new Map([
  ['length', 'length'],
  ['max_tokens', 'length'],
  ['model_length', 'length'],
  ['content_filter', 'content-filter'],
  ['safety', 'content-filter'],
  ['sensitive', 'content-filter'],
  ['refusal', 'content-filter'],
  ['stop_sequence', 'stop-sequence'],
  ['pause_turn', 'pause'],
])

/** Servers that say "stop" after tool calls, or "tool_calls" without any, are corrected. */
export function stopReason(finishReason: string | null, hasCalls: boolean): StopReason {
  const known = finishReason === null ? undefined : REASONS.get(finishReason.toLowerCase())
  return known ?? (hasCalls ? 'tool-calls' : 'stop')
}

const WORDS: Readonly<Record<StopReason, string>> = {
  stop: 'stop',
  'stop-sequence': 'stop',
  length: 'length',
  'tool-calls': 'tool_calls',
  'content-filter': 'content_filter',
  // The answer is not finished, and no other word of Chat says so.
  pause: 'length',
}

/** `legacy`: the client speaks the form before tools. */
export const finishReason = (reason: StopReason, legacy: boolean): string =>
  legacy && reason === 'tool-calls' ? 'function_call' : WORDS[reason]
