// Requests that are too large: for the model's context, for the endpoint, or for a whole minute's allowance. The same
// request can never pass there; nobody is to blame. "Too many tokens, please wait" is a rate limit.
import { hasCode, type Rule } from './rule'

const CODES =
  /^(?:context_length_exceeded|exceed_context_size_error|context_window_exceeded|contextwindowexceedederror|request_too_large|prompt_too_long|model_context_window_exceeded|string_above_max_length_context)$/

const PHRASES: readonly RegExp[] = [
  /\bcontext[\s_]*(?:length|window|size|limit)\b[\w\s()'",]{0,40}(?:exceed|too|reach|overflow|greater|larger)/,
  /\b(?:exceed|larger|greater|longer|beyond|over)\w*\b[^.]{0,60}\bcontext\b/,
  /\bmaximum (?:prompt|input) length\b|\brange of input length\b|\bmaximum context|\bmax(?:imum)?[\s_]context/,
  /\b(?:prompt|input|request|conversation|payload|messages?|body|entity)\b(?: (?:body|length|entity))?(?: is| are| was| were)? too (?:long|large|big)/,
  /\b(?:payload|request|body)\b[\w\s]{0,20}\bsize\b[^.]{0,20}\bexceeds?\b/,
  /\bprompt contains [\d,]+ tokens|\binput token count|\bmodel token limit\b|\btoken limit exceeded for (?:this )?(?:request|prompt|input)/,
  /\b(?:input|prompt|total|messages)\b[\w\s()`'"]{0,40}\btokens?\b[^.]{0,60}\b(?:exceed|greater than|more than|must be (?:<|less))/,
  /\bexceeds? (?:the )?(?:model'?s? )?(?:maximum|max|limit of|allowed)[^.]{0,30}\b(?:input|prompt|number of tokens)/,
  /\breduce (?:the |your )?(?:length|size) of (?:the |your )?(?:messages|prompt|input)|\breduce your (?:prompt|message size|input)/,
  /\btoo many (?:input |total |prompt )?tokens\b|\binputs?` tokens \+ `?max_new_tokens/,
  /超[过過出][^，。]{0,14}(?:上下文|最大长度|token|长度限制)|上下文[^，。]{0,8}(?:超|过长|過長)|(?:输入|prompt|提示词|请求)[^，。]{0,6}(?:过长|超长|太长|過長)/,
]

/** About the length of the answer that was asked for, which the request can lower. */
const ANSWER_LENGTH = /\bmax_(?:completion_|output_|new_)?tokens\b|\bcompletion tokens\b|\boutput tokens\b/
const INPUT = /context|input|prompt|messages/

export const tooLarge: Rule = {
  id: 'too-large',
  find(evidence) {
    const { status, text } = evidence
    if (status === 401 || status === 402 || status === 403 || status === 404 || status === 429) return null
    if (status === 413 || hasCode(evidence, CODES)) return { reason: 'context_overflow' }
    if (ANSWER_LENGTH.test(text) && !INPUT.test(text)) return null
    return PHRASES.some((phrase) => phrase.test(text)) ? { reason: 'context_overflow' } : null
  },
}

const LIMIT_AND_NEED = /\blimit:?\s*([\d,]+)[^.]{0,60}\brequested:?\s*([\d,]+)/

/** A limit that this one request is larger than: waiting can never help. */
export const largerThanLimit: Rule = {
  id: 'larger-than-limit',
  find({ status, text }) {
    if (status !== 429 && status !== 413) return null
    const numbers = LIMIT_AND_NEED.exec(text)
    const [limit, need] = [numbers?.[1], numbers?.[2]].map((number) => Number((number ?? '').replaceAll(',', '')))
    if (numbers !== null && limit !== undefined && need !== undefined) {
      return need > limit ? { reason: 'context_overflow' } : null
    }
    return /\brequest too large\b|\bsingle request\b[^.]{0,40}\b(?:exceed|larger)/.test(text)
      ? { reason: 'context_overflow' }
      : null
  },
}
