// The table of the comparison, and its place in the documentation: between two marks, so that the words around it stay.
import type { Result } from './tally'

export interface Line {
  readonly name: string
  readonly result: Result
  readonly choosingUs: number
}

export const BEGIN = '<!-- written by npm run bench:strategies: begin -->'
export const END = '<!-- end -->'

const HEAD = [
  'strategy',
  'answered',
  'wasted attempts',
  '$ for 1000 answers',
  'p50 until first content',
  'p95',
  'evenness',
  'choosing among 100',
]

export function tableOf(lines: readonly Line[]): string {
  const rows = lines.map(({ name, result, choosingUs }) => [
    `\`${name}\``,
    `${((100 * result.answered) / result.requests).toFixed(2)} %`,
    String(result.wasted),
    ((1_000 * result.cost) / Math.max(1, result.answered)).toFixed(2),
    seconds(result.p50Ms),
    seconds(result.p95Ms),
    result.fairness.toFixed(2),
    `${Math.round(choosingUs)} µs`,
  ])
  const rule = HEAD.map((_, i) => (i === 0 ? '---' : '---:'))
  return [HEAD, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`

/** @throws Error where the document has no place for it */
export function placed(document: string, text: string): string {
  const from = document.indexOf(BEGIN)
  const to = document.indexOf(END, from)
  if (from < 0 || to < 0) throw new Error(`The document needs "${BEGIN}" and "${END}" on lines of their own.`)
  return `${document.slice(0, from + BEGIN.length)}\n${text}\n${document.slice(to)}`
}
