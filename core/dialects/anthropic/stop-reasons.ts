// Why an answer ended, in both directions.
import type { StopReason } from '../canonical'

/** `calls`: the answer holds tool calls. Servers that imitate the API end such answers with "end_turn" too. */
export function stopReasonOf(word: string, calls: boolean): StopReason {
  switch (word) {
    case 'max_tokens':
    case 'model_context_window_exceeded':
      return 'length'
    case 'stop_sequence':
      return 'stop-sequence'
    case 'refusal':
      return 'content-filter'
    case 'pause_turn':
      return 'pause'
    default:
      return calls ? 'tool-calls' : 'stop'
  }
}

/** `refused`: the model said no in words, which other dialects end with a plain stop. */
export function stopWord(reason: StopReason, calls: boolean, refused: boolean): string {
  switch (reason) {
    case 'length':
      return 'max_tokens'
    case 'stop-sequence':
      return 'stop_sequence'
    case 'content-filter':
      return 'refusal'
    case 'pause':
      return 'pause_turn'
    default:
      if (calls) return 'tool_use'
      return refused ? 'refusal' : 'end_turn'
  }
}
