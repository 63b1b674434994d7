// Larger allowances: five hours, a day, a plan, a key's own limit. Headers first, for they measure; then Google's names of
// limits; then words. Words of billing decide nothing where a minute is named.
import type { Lasting } from '../verdict/verdict'
import { spentWindows } from '../verdict/wait/window-headers'
import { type Evidence, type Finding, hasCode, type Rule } from './rule'
import { longestWindow, type NamedWindow, windowNamed } from './windows'

/** Claude's unified windows, and Codex's: an allowance of the plan is spent, in whatever words. */
const CLAIMS: Readonly<Record<string, Lasting>> = {
  '5h': 'session',
  five_hour: 'session',
  '7d': 'week',
  seven_day: 'week',
}

export const spentWindow: Rule = {
  id: 'spent-window',
  find(evidence) {
    if (evidence.status !== 429) return null
    const { headers } = evidence
    const spent = spentWindows(evidence.windows).map(({ key }) => key)
    if (headers['anthropic-ratelimit-unified-status'] === 'rejected') {
      const claim = headers['anthropic-ratelimit-unified-representative-claim'] ?? spent.at(-1)?.split('-').at(-1) ?? ''
      return { reason: 'quota_exhausted', lasting: CLAIMS[claim] ?? (claim.startsWith('seven_day') ? 'week' : 'usage') }
    }
    if (spent.some((key) => /^codex-/.test(key) && !key.includes('credits'))) {
      return { reason: 'quota_exhausted', lasting: 'usage' }
    }
    return quota(longestWindow(spent.map((key) => `per-${key.split('-').at(-1)}`)))
  },
}

/** Google names the limit that was hit, so its words about plans and billing are not needed. */
export const googleLimit: Rule = {
  id: 'google-limit',
  find(evidence) {
    if (evidence.limits.length === 0) return null
    const window = longestWindow(evidence.limits)
    if (window === 'minute') return { reason: 'rate_limit_exceeded' }
    return quota(window)
  },
}

const CODES =
  /(?:^|_)quota_?(?:exceeded|exhausted|reached)|usage_limit|plan_limit|key_limit|^insufficient_quota$|quotaexceeded|servicequota|(?:daily|weekly|monthly|session)_(?:\w+_)?limit/

const REACHED = `(?:reached|exceeded|hit|exhausted|spent|used up|over)`
const PHRASES: readonly RegExp[] = [
  new RegExp(String.raw`\b${REACHED}\b[^.]{0,50}\busage[\s_-]limits?|\busage[\s_-]limits?\b[^.]{0,30}\b${REACHED}\b`),
  /\b(?:hourly|daily|weekly|monthly|session|\d+[\s-]?hour)[\s_-]+(?:[\w-]+[\s_-]+){0,2}(?:limit|quota|allocation|allowance|cap)\b/,
  /\bquota\b[\s_-]*(?:has been |is |was |limit )?(?:fully )?(?:exceeded|exhausted|reached|used up|depleted)|quota will (?:be )?(?:reset|replenish|refresh)/,
  /\b(?:exceeded|exhausted|out of|insufficient|used up|reached|spent)[\s_-]+(?:[\w-]+[\s_-]+){0,4}quota\b/,
  /\bexhausted your capacity\b|\bout of call volume\b|\bout of extra usage\b/,
  /\b(?:api )?key (?:\w+ )?limit (?:has been )?(?:exceeded|reached)/,
  /使用上限|用量上限|(?:配额|限额|额度|次数)(?:已|被)?(?:用尽|用完|耗尽|不足|超出|达到)|(?:超出|超过|用尽|耗尽|达到)\S{0,8}(?:配额|限额|额度)|限额将/,
]
/** A day, week or month is named, and something about it was exceeded. */
const LIMIT_WORDS = /limit|quota|exceed|reached|too many|上限|限制|次数/

export const quotaWords: Rule = {
  id: 'quota-words',
  find(evidence) {
    const { status, text } = evidence
    if (status !== 400 && status !== 402 && status !== 403 && status !== 429) return null
    const window = windowNamed(text)
    const named = window !== null && window !== 'minute'
    const spent = hasCode(evidence, CODES) || PHRASES.some((phrase) => phrase.test(text))
    if (!spent && !(named && status === 429 && LIMIT_WORDS.test(text))) return isLong(evidence, window) ? LONG : null
    if (window === 'minute') return { reason: 'rate_limit_exceeded' }
    return named ? quota(window) : { reason: 'quota_exhausted', lasting: isPlanUsage(evidence) ? 'usage' : 'quota' }
  },
}

/** "Try again in 58 hours": whatever it is called, no rate is counted over hours. */
const LONG: Finding = { reason: 'quota_exhausted', lasting: 'usage' }
const HOUR_MS = 3_600_000
const isLong = ({ status, wordsMs }: Evidence, window: NamedWindow | null): boolean =>
  status === 429 && window !== 'minute' && wordsMs !== null && wordsMs >= HOUR_MS

const isPlanUsage = (evidence: Evidence): boolean =>
  /usage limit/.test(evidence.text) || hasCode(evidence, /usage_limit|plan_limit/)

function quota(window: NamedWindow | null): Finding | null {
  if (window === null || window === 'minute') return null
  return { reason: 'quota_exhausted', lasting: window === 'hour' ? 'usage' : window }
}
