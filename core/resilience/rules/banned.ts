// An account, key or organisation that is disabled for other reasons than money. Terminal, so the words must be plain.
import { speaksOfMoney } from './money'
import { hasCode, type Rule } from './rule'

const SIGNALS = [
  'account_deactivated',
  'account has been deactivated',
  'account has been disabled',
  'your account has been suspended',
  'this account is deactivated',
  'verify your account to continue',
  'this service has been disabled in this account',
]

const CODES =
  /^(?:account|user|organi[sz]ation|workspace|consumer|team)_(?:deactivated|disabled|suspended|banned|restricted|terminated)$|^deactivated_workspace$/

const WHO = String.raw`(?:account|organi[sz]ation|workspace|api[\s_-]?key|user|team|project|consumer)`
const DONE = String.raw`(?:deactivated|disabled|suspended|banned|terminated|blocked|restricted(?!\s+(?:to|from)))`
const SENTENCE = new RegExp(
  String.raw`\b${WHO}(?:\s+(?:with id\s+)?[\w<>'":@.*-]{1,80})?\s+(?:has been|have been|was|is)\s+(?:permanently\s+|currently\s+)?${DONE}\b`,
)
const CHINESE = /(?:账[号户]|帳[號戶]|用户|组织|令牌|api ?key|密钥)\S{0,8}(?:封禁|封号|停用|禁用|锁定|冻结)/

/** A limit's way of saying "wait": it ends by itself. */
const SOON = /temporar(?:y|ily)|too many|rate limit|try again in|has not been used in project/

export const bannedSignal: Rule = {
  id: 'banned-signal',
  find(evidence) {
    const { status, text, wholeText, operator } = evidence
    if (operator.customBannedSignals.some((signal) => wholeText.includes(signal.toLowerCase()))) {
      return { reason: 'banned' }
    }
    if (status >= 500 || status === 404) return null
    // "Suspended due to insufficient balance": money, and a person can mend it.
    if (speaksOfMoney(evidence) || SOON.test(text)) return null
    const banned =
      SIGNALS.some((signal) => text.includes(signal)) ||
      hasCode(evidence, CODES) ||
      SENTENCE.test(text) ||
      CHINESE.test(text)
    return banned ? { reason: 'banned' } : null
  },
}
