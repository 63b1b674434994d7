// Tells when a JSON object or list that arrives in pieces is complete, without parsing it again and again.

export class JsonEnd {
  private depth = 0
  private inString = false
  private escaped = false
  private begun = false

  get reached(): boolean {
    return this.begun && this.depth === 0
  }

  feed(piece: string): void {
    for (let i = 0; i < piece.length; i++) {
      const code = piece.charCodeAt(i)
      if (this.escaped) this.escaped = false
      else if (this.inString) {
        if (code === BACKSLASH) this.escaped = true
        else if (code === QUOTE) this.inString = false
      } else if (code === QUOTE) this.inString = true
      else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
        this.begun = true
        this.depth++
      } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) this.depth--
    }
  }
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
