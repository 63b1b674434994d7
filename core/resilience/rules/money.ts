// Money: an empty balance, an unpaid bill, a spending limit. A person must act, whatever the status it is written with.

import { type Evidence, hasCode, type Rule } from './rule'
import { windowNamed } from './windows'

const CODES =
  /^(?:insufficient_(?:balance|credits?|funds|user_quota|account_balance)(?:_error)?|credit_balance_too_low|billing_(?:error|hard_limit_reached|not_active|cap_reached)|arrearage|payment_required|exceeded_current_quota_error|spend(?:ing)?_(?:limit|cap)_(?:reached|exceeded)|out_of_credits|no_credits|credits_exhausted)$/

const PHRASES: readonly RegExp[] = [
  /insufficient[\s_-]+(?:(?:account|user|wallet|api|available|prepaid)[\s_-]+)?(?:balance|credits?|funds)/,
  /\b(?:account |credit |wallet |available )?balance(?:\s+is|\s+was|\s+has)?\s+(?:too low|not enough|insufficient|negative|depleted|exhausted|used up)/,
  /\bcredits?\s+(?:balance\s+)?(?:(?:is|are|was|were|has been|have been)\s+)?(?:too low|exhausted|depleted|used up|expired)/,
  /\b(?:out of|no more|no remaining|used all (?:of )?(?:the |your )?(?:available )?|ran out of|run out of|not have (?:any|enough)|do(?:es)?n't have (?:any|enough)|not enough|lacks?)\s*credits\b/,
  /\bpurchase (?:more |additional )?credits|\btop up (?:your )?(?:account|balance|credits)|recharge your (?:account|balance)/,
  /\bpayment[\s_]required|\bin arrears\b|\barrearage\b|\bbilling[\s_]hard[\s_]limit|failure to pay/,
  /\b(?:payment|invoices?|bills?|account|balance)\b[^.]{0,20}\b(?:overdue|past due|unpaid)\b|\b(?:overdue|unpaid|past due) (?:payment|bill|balance|invoice)/,
  /\baccount is not active[\s\S]{0,40}billing|check your billing details/,
  /\b(?:inactive|expired|no active) (?:subscription|plan)\b|\b(?:subscription|plan) (?:has |is )?(?:expired|inactive|not active|cancell?ed)\b/,
  /余额不足|餘額不足|余额已|欠费|欠費|充值|用户额度不足|预扣费额度失败|剩余额度|套餐[^，。]{0,6}(?:到期|过期)/,
]
/** A key of a relay may have a limit of money by the day: that is an allowance, and comes back. */
const SPENDING = /\bspend(?:ing)?[\s_-]*(?:limit|cap|budget)/
const RELAY_QUOTA = /额度(?:不足|已用[尽完]|耗尽)/
const KEY_QUOTA = /令牌[^，。]{0,6}额度/

export function speaksOfMoney(evidence: Evidence): boolean {
  const { text } = evidence
  if (hasCode(evidence, CODES) || PHRASES.some((phrase) => phrase.test(text))) return true
  if (SPENDING.test(text)) return !/\b(?:daily|weekly|hourly)\b/.test(text)
  return RELAY_QUOTA.test(text) && !KEY_QUOTA.test(text) && windowNamed(text) === null
}

/** What OpenAI writes when an account is empty, and others when a limit of any kind is hit. */
const WEAK_CODE = /^insufficient_quota$/
const WEAK_PHRASE = /exceeded your current (?:usage )?quota/

export const moneySignal: Rule = {
  id: 'money',
  find(evidence) {
    if (evidence.status === 404) return null
    if (speaksOfMoney(evidence)) return { reason: 'credits_exhausted' }
    // With 429 the same words are left to the provider's rules, and to those about quotas.
    const weak = hasCode(evidence, WEAK_CODE) || WEAK_PHRASE.test(evidence.text)
    const believed = evidence.row.builtIn && evidence.status !== 429 && evidence.status < 500
    return weak && believed && windowNamed(evidence.text) === null ? { reason: 'credits_exhausted' } : null
  },
}
