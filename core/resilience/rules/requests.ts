// The request branch: 400, 422 and the like. Mostly the same everywhere, so that the caller gets it after one call.
import { hasCode, type Rule } from './rule'

const UNSUPPORTED =
  /\b(?:unknown|unrecogni[sz]ed|unsupported|unexpected|extra)[\s_](?:parameter|argument|field|input|property|key|option|value)s?\b|\bextra inputs are not permitted|\b(?:parameter|field|feature|role|tool|option)\b[^.]{0,60}\bnot (?:supported|allowed|permitted)|\bdoes(?:n't| not) support\b|\bnot supported (?:with|by|for|in)\b|不支持/

export const requestBranch: Rule = {
  id: 'request',
  find(evidence) {
    const { status, text } = evidence
    if (status < 400 || status >= 500 || status === 408 || status === 429) return null
    if (status === 400 && /\bimproperly formed request\b/.test(text))
      return { reason: 'model_capacity', lasting: 'nothing' }
    if ((status === 400 || status === 403) && LIMITED.test(text)) return { reason: 'rate_limit_exceeded' }
    if (status === 400 && hasCode(evidence, /^not_found_error$/)) return { reason: 'not_found', scope: 'provider' }
    if (BY_STATUS_ALONE.has(status)) return null
    // Another provider may know what this one does not.
    const elsewhere =
      UNSUPPORTED.test(text) || hasCode(evidence, /^unsupported_(?:parameter|value)$|^unknown_parameter$/)
    return { reason: 'bad_request', next: elsewhere ? 'next-target' : 'stop' }
  },
}

/** They say something of their own. */
const BY_STATUS_ALONE: ReadonlySet<number> = new Set([402, 403, 404, 407, 410, 420, 498, 499])

const LIMITED = /\brate[\s_-]?limit(?:ed|s|ing)?\b|\btoo many requests\b|频繁|頻繁|请求过多|速率限制/

/** Words of a rate limit with any other status. */
export const rateWords: Rule = {
  id: 'rate-words',
  find: ({ status, text }) =>
    status !== 401 && status !== 404 && status !== 400 && LIMITED.test(text) ? { reason: 'rate_limit_exceeded' } : null,
}
