// A model that is not there, or not for this account: about that model, whatever the status it is written with.
import { type Evidence, type Finding, hasCode, type Rule } from './rule'

const MISSING_CODES =
  /^(?:model_?not_?found(?:_error)?|deployment_?not_?found|model_not_(?:supported|available)|unsupported_model|invalid_model(?:_id|_name)?|no_such_model|unknown_model|modelnotopen|invalidendpointormodel\.notfound)$/

/** A model's name between "model" and what is said of it; often quoted. */
const NAME = String.raw`(?:[\s:]+[\x60'"“]?[\w.:/@+-]{1,120}[\x60'"”]?)?`
const ABSENT = String.raw`(?:was\s+|is\s+|are\s+|does\s+|could\s+|has\s+been\s+)?(?:currently\s+|no\s+longer\s+)?(?:not found|not exist|n't exist|not supported|unknown\b(?! \w)|not be found|not a valid|not available|unavailable|available here|deprecated|retired|decommissioned|shut down|discontinued)`
const MISSING: readonly RegExp[] = [
  new RegExp(String.raw`\bmodels?${NAME}[\s,]+${ABSENT}`),
  new RegExp(String.raw`\bmodels?\/[\w.:@+-]+\s+${ABSENT}`),
  /\b(?:unknown|invalid|unsupported|no such|not a valid|nonexistent) model\b(?! (?:parameter|input|output|config))/,
  /\bnot a valid model|\bno (?:allowed )?(?:endpoints|providers) (?:found|are available)|model identifier is invalid|try pulling it|not found for account/,
  /\bdeployment\b[^.]{0,60}does not exist/,
  /无可用渠道|no available channel|模型[^，。]{0,40}(?:不存在|未找到|不支持|已下线)|不存在[^，。]{0,6}模型/,
]

/** The plan or the account does not have it. */
const NOT_IN_PLAN =
  /not (?:included |available )?(?:in|on|for|with|part of|under) your (?:current )?(?:plan|subscription|tier)|(?:plan|subscription|tier) does(?:n't| not) (?:include|support|allow|cover)|套餐[^，。]{0,20}(?:未|不|暂)[^，。]{0,6}(?:开放|包含|支持|含)/
const NO_ACCESS: readonly RegExp[] = [
  /\b(?:not have|n't have|no|without|lacks?|denied) (?:\w+ ){0,2}(?:access|permission)s?\b[^.]{0,40}\bmodel/,
  /\bmodel\b[^.]{0,60}\b(?:access (?:is )?denied|not (?:allowed|permitted|enabled)|permission|access to (?:it|this))/,
  /\bnot (?:authorized|allowed|permitted) to (?:use|access|invoke)[^.]{0,20}\bmodel/,
  /\bverified to use[^.]{0,20}\bmodel|model_permission|无权(?:访问|使用)[^，。]{0,8}模型|无权[^，。]{0,8}该模型/,
]

/** Words about the credential: a model that is missing because nobody is signed in says nothing of the model. */
const CREDENTIAL = /api[\s_-]?key|\btoken\b|credential|unauthorized|authenticat/

/** `ask`: what the status leaves open. 5xx needs a code or a relay's plain word, for it may only be a fault. */
export const missingModel: Rule = {
  id: 'missing-model',
  find(evidence) {
    const { status, text } = evidence
    if (hasCode(evidence, MISSING_CODES) || /无可用渠道|no available channel/.test(text)) return missing(evidence)
    if (status >= 500 || status === 402 || status === 408) return null
    if (NOT_IN_PLAN.test(text) && status !== 403) return missing(evidence)
    if (status === 403 && (NOT_IN_PLAN.test(text) || NO_ACCESS.some((phrase) => phrase.test(text)))) {
      return { reason: 'forbidden', scope: 'model', scopeByRule: true, lasting: 'passing', ...named(evidence) }
    }
    if (status === 429) return null
    if (status === 401 && CREDENTIAL.test(text)) return null
    return MISSING.some((phrase) => phrase.test(text)) ? missing(evidence) : null
  },
}

/** With 404 a bare hint is enough: that something about a model is not found. */
export const missingModel404: Rule = {
  id: 'missing-model-404',
  find: (evidence) =>
    evidence.status === 404 &&
    !isResource(evidence) &&
    /\bmodels?\b|模型|deployment|inference profile/.test(evidence.text)
      ? missing(evidence)
      : null,
}

/** A file, an earlier response: the request's own, unknown wherever it is asked for. */
const RESOURCE =
  /\b(?:file|response|item|batch|thread|assistant|vector store|conversation|run|upload)\b[^.]{0,80}\bnot found|^no (?:file|response|thread)/

const isResource = (evidence: Evidence): boolean =>
  hasCode(evidence, /^previous_response_not_found$/) || RESOURCE.test(evidence.text)

export const missingResource: Rule = {
  id: 'missing-resource',
  find(evidence) {
    const { status } = evidence
    if ((status !== 404 && status !== 400) || !isResource(evidence)) return null
    return { reason: status === 404 ? 'not_found' : 'bad_request', scope: 'request', next: 'stop' }
  },
}

const missing = (evidence: Evidence): Finding => ({
  ...{ reason: 'not_found', scope: 'model', scopeByRule: true, lasting: 'absent' },
  ...named(evidence),
})

const named = (evidence: Evidence): { readonly model?: string } => {
  const model = modelNamed(evidence)
  return model === null ? {} : { model }
}

const NAMED: readonly RegExp[] = [
  /\bfor model[:\s]+[`'"]?([\w.:/@+-]*\w)[`'"]?/i,
  /\breached for ([\w.:/@+-]*\w) (?:in|on)\b/i,
  /\bmodel[:\s]+[`'"]([\w.:/@+-]*\w)[`'"]/i,
  /\blimit exceeded for ([\w.:/@+-]*\w)\b/i,
  /\btoo large for ([\w.:/@+-]*\w) in\b/i,
]

/** Which model the error speaks of: the one asked for, where it stands in the text, or one in a place made for it. */
export function modelNamed({ model, messages, json, text }: Evidence): string | null {
  if (model !== null && model.length > 2 && text.includes(model.toLowerCase())) return model
  const structured = modelMember(json, 0)
  if (structured !== null) return structured
  for (const message of messages) {
    for (const form of NAMED) {
      const name = form.exec(message)?.[1]
      if (name !== undefined && /[\d-]/.test(name)) return name
    }
  }
  return null
}

/** Google's `quotaDimensions.model` and `metadata.model`. */
function modelMember(json: unknown, depth: number): string | null {
  if (typeof json !== 'object' || json === null || depth > 8) return null
  for (const [key, member] of Object.entries(json)) {
    if (/^(?:quotaDimensions|metadata)$/.test(key) && typeof member === 'object' && member !== null) {
      const { model } = member as { readonly model?: unknown }
      if (typeof model === 'string' && model !== '') return model
    }
    const inner = modelMember(member, depth + 1)
    if (inner !== null) return inner
  }
  return null
}
