// Signatures of reasoning on their way to a Chat client: the only place they have is the tool call after them.
import type { AnswerEvent, JsonObject } from '../canonical'
import { extraContent } from './opaque'

export class CallExtras {
  /** Pieces of the open block of reasoning. */
  private thoughts: string[] = []
  private pending: { readonly extra: JsonObject; readonly isOfCall: boolean } | null = null

  /** To be told every event in order. Gives what the tool call that begins with it carries; null for nothing. */
  note(event: AnswerEvent): JsonObject | null {
    switch (event.kind) {
      case 'thinking':
        this.thoughts.push(event.text)
        return null
      case 'thinking-signature': {
        const { issuer, signature, redacted } = event
        const extra = extraContent(issuer, signature, redacted ? null : this.thoughts.join(''))
        this.thoughts = []
        if (extra !== null) this.pending = { extra, isOfCall: issuer === 'gemini' || issuer === 'openai-chat' }
        return null
      }
      case 'tool-call': {
        const extra = this.pending?.extra ?? null
        this.pending = null
        return extra
      }
      case 'text':
      case 'refusal':
      case 'image':
        // Gemini signs the part right after; the others' reasoning belongs to the whole turn.
        if (this.pending?.isOfCall === true) this.pending = null
        return null
      default:
        return null
    }
  }
}
