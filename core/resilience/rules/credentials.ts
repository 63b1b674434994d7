// What 401 and 403 say of the credential, the account's rights and its place; and 400 where providers write that instead.
import { hasCode, type Rule } from './rule'

const CODES =
  /^(?:invalid_?api_?key|api_key_invalid|incorrect_api_key\w*|authentication_error|invalid_authentication\w*|unauthenticated|token_(?:expired|invalidated|revoked)|expiredtoken(?:exception)?|unrecognizedclientexception|invalidsignatureexception|invalid_token|access_token_\w+)$/
const PHRASES: readonly RegExp[] = [
  /\b(?:invalid|incorrect|wrong|missing|expired|revoked|unknown|no)[\s_-]+(?:x-)?(?:api|access|auth|oauth|bearer|secret)[\s_-]*(?:key|token|credentials?)/,
  /\b(?:api|access|auth|oauth|bearer|security)[\s_-]*(?:key|token)s?\b[\w\s':*.-]{0,60}?\b(?:not valid|invalid|expired|revoked|incorrect|missing|not found|does not exist|reported as leaked|malformed)\b/,
  /\b(?:invalid|missing|no) (?:authentication )?credentials|could not validate credentials|not authenticated|authentication (?:failed|fails|required)/,
  /无效的?(?:令牌|密钥|api)|(?:令牌|密钥|token)[^，。]{0,8}(?:无效|过期|失效|不存在|错误)|身份验证失败|鉴权失败|认证失败/,
]

export const badCredential: Rule = {
  id: 'bad-credential',
  find(evidence) {
    const { status, text } = evidence
    if (status === 401) return { reason: 'auth_error' }
    if (status !== 400 && status !== 403) return null
    const said = PHRASES.some((phrase) => phrase.test(text)) || hasCode(evidence, CODES)
    return said ? { reason: 'auth_error', scope: 'connection', scopeByRule: true } : null
  },
}

export const noCredentials: Rule = {
  id: 'no-credentials',
  find: ({ status, text }) =>
    status !== 401 && /\bno credentials\b/.test(text)
      ? { reason: 'auth_error', lasting: 'passing', ruleRest: { ms: 120_000, capped: false } }
      : null,
}

const PLACE =
  /\blocation is not supported|\b(?:country|region)\b[^.]{0,30}\b(?:is |are )?not (?:supported|available|allowed)|not (?:available|supported) in your (?:country|region|location)|unsupported_country|geo-?block/
const PROJECT =
  /has not been used in project|project (?:is )?required|service_disabled|api has not been (?:used|enabled)/

/** The country is not served, or the account lacks a project: nothing that a retry would change soon. */
export const notServedHere: Rule = {
  id: 'not-served-here',
  find(evidence) {
    const { status, text } = evidence
    if (status === 451) return { reason: 'forbidden', scope: 'connection', scopeByRule: true, lasting: 'place' }
    if (status !== 400 && status !== 403) return null
    const said =
      PLACE.test(text) || PROJECT.test(text) || hasCode(evidence, /^(?:unsupported_country|service_disabled)/)
    return said ? { reason: 'forbidden', scope: 'connection', scopeByRule: true, lasting: 'place' } : null
  },
}

/** Refused for its content, which is the same wherever it is sent. */
const CONTENT =
  /\bmoderation\b|\bcontent[\s_-](?:policy|filter(?:ing)?|management)|\binput was flagged|\bsafety (?:system|polic)|\busage polic|\bdata_?inspection|敏感|不安全|内容[^，。]{0,6}(?:违规|审核)/

export const refusedContent: Rule = {
  id: 'refused-content',
  find: (evidence) =>
    (evidence.status === 400 || evidence.status === 403) &&
    (CONTENT.test(evidence.text) ||
      hasCode(evidence, /^content_(?:filter|policy_violation)$|^data_?inspection_?failed$/))
      ? { reason: 'bad_request', next: 'stop' }
      : null,
}

export const forbidden: Rule = {
  id: 'forbidden',
  find(evidence) {
    const { status, text, row, wholeText } = evidence
    if (status !== 403) return null
    if (/not authorized for this route/.test(text) || /"retryable"\s*:\s*false/.test(wholeText)) {
      return { reason: 'forbidden', scope: 'request', lasting: 'nothing', next: 'stop' }
    }
    if (/\brequest not allowed\b/.test(text)) {
      if (row.class === 'oauth') return { reason: 'request_rejected', scope: 'connection', lasting: 'rejection' }
      return { reason: 'request_rejected', ruleRest: { ms: 5_000, capped: false } }
    }
    return { reason: 'forbidden' }
  },
}
