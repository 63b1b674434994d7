// Takes secrets out of text. Known values first, for patterns never know every provider's keys; patterns for the rest.

const MASK = '•••'
/** Shorter "secrets" would mask ordinary words. */
const SHORTEST = 6

const PATTERNS: readonly [RegExp, string][] = [
  [/\b(bearer\s+)[\w.~+/=-]{8,}/gi, `$1${MASK}`],
  [/\b(sk-|bw-|sk_|gsk_|xai-|AIza)[\w-]{8,}/g, `$1${MASK}`],
  [/([?&](?:key|api_key|apikey|token|access_token)=)[^&\s"']+/gi, `$1${MASK}`],
  [/(:\/\/)[^/\s:@"']+:[^/\s@"']+@/g, `$1${MASK}@`],
  // As a header line, as JSON, and as JSON inside JSON.
  [
    /((?:authorization|api-key|cookie)\\*["']?\s*[:=]\s*\\*["']?(?:(?:basic|bearer)\s+)?)[^\s"'\\•]+(?:;[^"'\\]*)?/gi,
    `$1${MASK}`,
  ],
]

export class Redactor {
  private readonly values = new Set<string>()
  private known: RegExp | null = null

  add(value: string): void {
    if (value.length < SHORTEST || this.values.has(value)) return
    const inJson = escaped(value)
    for (const form of [value, encodeURIComponent(value), inJson, escaped(inJson)]) this.values.add(form)
    const longestFirst = [...this.values].sort((a, b) => b.length - a.length)
    this.known = new RegExp(longestFirst.map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|'), 'g')
  }

  /** Known values only: for text that goes to a client and must else stay as it is. */
  clean(text: string): string {
    return this.known === null ? text : text.replace(this.known, MASK)
  }

  cleanLine(line: string): string {
    let text = this.clean(line)
    for (const [pattern, replacement] of PATTERNS) text = text.replace(pattern, replacement)
    return text
  }
}

const escaped = (text: string): string => JSON.stringify(text).slice(1, -1)
