// Too many requests open at once: fewer in parallel is the cure, not waiting.
import { hasCode, type Rule } from './rule'

const CODES = /concurren/
const MANY = `(?:concurren(?:t|cy)|simultaneous|in-?flight|parallel requests?)`
const PHRASES: readonly RegExp[] = [
  /too many (?:concurrent|simultaneous|parallel|open|in-?flight)\b|too many connections/,
  new RegExp(
    String.raw`${MANY}[^.;,!]{0,40}(?:limit|exceed|reach|max)|\b(?:limit|max(?:imum)?|exceeded|reached)[^.;,!]{0,40}${MANY}`,
  ),
  /userconcurrentrequests/,
  /并发[数量]?(?:过高|过多|超|达到|已达|限制|上限)|(?:超[过出]|达到)[^，。,]{0,10}并发|並發|同时请求数/,
]

export const concurrencyLimit: Rule = {
  id: 'concurrency',
  find(evidence) {
    const { status, text } = evidence
    if (status !== 429 && status !== 503 && status !== 403 && status !== 409) return null
    const found = hasCode(evidence, CODES) || PHRASES.some((phrase) => phrase.test(text))
    return found ? { reason: 'concurrency_limited', blameless: true } : null
  },
}
