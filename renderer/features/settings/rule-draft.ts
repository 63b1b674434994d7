// A rule of one's own about errors: what is entered, what is wrong with it, and the whole list that is sent. Pure.
import type { ProviderErrorRule, ProviderErrorRules } from '../../../core/contract/error-rules'
import type { IpcError } from '../../../core/contract/ipc'
import { sentence } from '../../app/sentence'

export type RuleReason = ProviderErrorRule['reason']
export type RuleScope = ProviderErrorRule['scope']

/** The contract's list, without the schemas that it stands beside: they have no place in the window. */
const REASON_ORDER: Readonly<Record<RuleReason, 1>> = {
  rate_limit_exceeded: 1,
  quota_exhausted: 1,
  concurrency_limited: 1,
  credits_exhausted: 1,
  auth_error: 1,
  forbidden: 1,
  banned: 1,
  server_error: 1,
  model_capacity: 1,
  context_overflow: 1,
  bad_request: 1,
  not_found: 1,
}
export const RULE_REASONS = Object.keys(REASON_ORDER) as RuleReason[]

export const SCOPE_CHOICES: readonly { readonly value: RuleScope; readonly label: string }[] = [
  { value: 'model', label: 'The model' },
  { value: 'connection', label: 'The connection' },
  { value: 'provider', label: 'The provider' },
]

export interface RuleDraft {
  /** A provider's id; empty: not chosen yet. */
  readonly provider: string
  readonly status: string
  readonly match: string
  readonly reason: RuleReason
  readonly scope: RuleScope
  /** Seconds; empty: as after any failure of that reason. */
  readonly restSeconds: string
}
export type RuleField = keyof RuleDraft
export type RuleErrors = Partial<Record<RuleField | 'general', string>>

export const emptyRule = (provider: string): RuleDraft => ({
  ...{ provider, status: '429', match: '', restSeconds: '' },
  reason: 'quota_exhausted',
  scope: 'connection',
})

export const draftOfRule = (provider: string, rule: ProviderErrorRule): RuleDraft => ({
  ...{ provider, match: rule.match, reason: rule.reason, scope: rule.scope },
  status: String(rule.status),
  restSeconds: rule.cooldownMs === undefined ? '' : String(rule.cooldownMs / 1_000),
})

const MOST_SECONDS = 2_592_000

export function checkRule({ provider, status, match, restSeconds }: RuleDraft): RuleErrors {
  const rest = Number(restSeconds.trim().replace(',', '.'))
  return {
    ...(provider === '' ? { provider: 'Choose the provider that the rule is for.' } : {}),
    ...(/^[45]\d\d$/.test(status.trim()) ? {} : { status: 'An HTTP error status, 400 to 599.' }),
    ...(match.trim() === ''
      ? { match: 'Enter a part of the error’s text.' }
      : match.trim().length > 200
        ? { match: 'At most 200 characters.' }
        : {}),
    ...(restSeconds.trim() === '' || (rest >= 0 && rest <= MOST_SECONDS)
      ? {}
      : { restSeconds: 'A number of seconds, at most 30 days (2592000).' }),
  }
}

export function toRule({ status, match, reason, scope, restSeconds }: RuleDraft): ProviderErrorRule {
  const rest = restSeconds.trim().replace(',', '.')
  return {
    ...{ status: Number(status), match: match.trim(), scope, reason },
    ...(rest === '' ? {} : { cooldownMs: Math.round(Number(rest) * 1_000) }),
  }
}

/** Which rule of which provider. */
export interface RulePlace {
  readonly provider: string
  readonly index: number
}

/** All rules with one put in its place; without a place, or with another provider, it becomes the last of its provider's. */
export function withRule(rules: ProviderErrorRules, draft: RuleDraft, place: RulePlace | null): ProviderErrorRules {
  const rule = toRule(draft)
  if (place !== null && place.provider === draft.provider) {
    const list = rules[place.provider] ?? []
    return { ...rules, [place.provider]: list.map((each, index) => (index === place.index ? rule : each)) }
  }
  const rest = place === null ? rules : withoutRule(rules, place)
  return { ...rest, [draft.provider]: [...(rest[draft.provider] ?? []), rule] }
}

/** A provider without rules is not mentioned. */
export function withoutRule(rules: ProviderErrorRules, { provider, index }: RulePlace): ProviderErrorRules {
  const { [provider]: list = [], ...others } = rules
  const left = list.filter((_, i) => i !== index)
  return left.length === 0 ? others : { ...others, [provider]: left }
}

/** One earlier or later: the first rule that fits decides. */
export function movedRule(rules: ProviderErrorRules, { provider, index }: RulePlace, by: -1 | 1): ProviderErrorRules {
  const list = [...(rules[provider] ?? [])]
  const [one, other] = [list[index], list[index + by]]
  if (one === undefined || other === undefined) return rules
  list[index] = other
  list[index + by] = one
  return { ...rules, [provider]: list }
}

const FIELDS: Readonly<Record<string, RuleField>> = {
  status: 'status',
  match: 'match',
  scope: 'scope',
  reason: 'reason',
  cooldownMs: 'restSeconds',
}

/** A refusal at the field it is about: "providerErrorRules.openai[2].match must be …" */
export function placeRuleError({ field, message }: IpcError): RuleErrors {
  const name = field === null ? undefined : /\.(\w+)$/.exec(field)?.[1]
  const place = name === undefined ? undefined : FIELDS[name]
  return place === undefined ? { general: message } : { [place]: wordsAt(message, field) }
}

/** Without "Nothing was changed: <field> " in front, and what else was wrong behind. */
export function wordsAt(message: string, field: string | null): string {
  const said = message.replace(/^Nothing was changed: /, '')
  const alone = field !== null && said.startsWith(`${field} `) ? said.slice(field.length + 1) : said
  return sentence(alone.replace(/ \(and \d+ more\)\.$/, '.'))
}

export interface SignalErrors {
  /** By the line's index. */
  readonly lines: Readonly<Record<number, string>>
  readonly general: string | null
}
export const NO_SIGNAL_ERRORS: SignalErrors = { lines: {}, general: null }

const MOST_CHARACTERS = 200
const MOST_SIGNALS = 100

export function checkSignals(texts: readonly string[]): SignalErrors {
  const wrong = texts.flatMap((text, index) =>
    text.trim().length > MOST_CHARACTERS ? [[index, `At most ${MOST_CHARACTERS} characters.`] as const] : [],
  )
  const filled = texts.filter((text) => text.trim() !== '').length
  return {
    lines: Object.fromEntries(wrong),
    general: filled > MOST_SIGNALS ? `At most ${MOST_SIGNALS} texts.` : null,
  }
}

/** Empty lines are left out. */
export const toSignals = (texts: readonly string[]): string[] =>
  texts.flatMap((text) => (text.trim() === '' ? [] : [text.trim()]))

/** A refusal at the line it is about: "customBannedSignals[1] must not be empty". Empty lines were not sent. */
export function placeSignalError({ field, message }: IpcError, texts: readonly string[]): SignalErrors {
  const sent = /^customBannedSignals\[(\d+)\]$/.exec(field ?? '')?.[1]
  const lines = texts.flatMap((text, index) => (text.trim() === '' ? [] : [index]))
  const line = sent === undefined ? undefined : lines[Number(sent)]
  return line === undefined
    ? { lines: {}, general: wordsAt(message, field) }
    : { lines: { [line]: wordsAt(message, field) }, general: null }
}
