// Name patterns as people write them: `*` stands for anything, `?` for one character. Letters match in either case.

/** Whether a text is a pattern, or a plain name. */
export const isPattern = (text: string): boolean => text.includes('*') || text.includes('?')

/** Literal characters: of two patterns that match, the one with more of them says more. */
export const literalLength = (pattern: string): number => pattern.replace(/[*?]/g, '').length

/** Never slower than pattern times name: a regular expression could be made to run for minutes. */
export function matchesGlob(pattern: string, name: string): boolean {
  const p = pattern.toLowerCase()
  const n = name.toLowerCase()
  let i = 0
  let j = 0
  /** Where the last `*` stood, and how far the name was then. */
  let star = -1
  let mark = 0
  while (j < n.length) {
    if (p[i] === '*') {
      star = i++
      mark = j
    } else if (i < p.length && (p[i] === '?' || p[i] === n[j])) {
      i++
      j++
    } else if (star >= 0) {
      i = star + 1
      j = ++mark
    } else return false
  }
  while (p[i] === '*') i++
  return i === p.length
}
