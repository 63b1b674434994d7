// One failed attempt in, one verdict out. The rules are asked in this order and the first that finds something decides
// (docs/resilience.md, "How a failure is judged"). Pure; remembers nothing.
import { NO_OPERATOR_RULES, type OperatorRules } from '../../contract/error-rules'
import { KIND_OF_REASON, type Kind } from '../../contract/explain'
import type { BreakerKind } from '../../contract/health-words'
import { bannedSignal } from '../rules/banned'
import { concurrencyLimit } from '../rules/concurrency'
import { badCredential, forbidden, noCredentials, notServedHere, refusedContent } from '../rules/credentials'
import { missingModel, missingModel404, missingResource, modelNamed } from '../rules/models'
import { moneySignal } from '../rules/money'
import { operatorRule } from '../rules/operator-rules'
import { overload } from '../rules/overload'
import { ownWords, providerRule } from '../rules/provider-rules'
import { googleLimit, quotaWords, spentWindow } from '../rules/quotas'
import { rateWords, requestBranch } from '../rules/requests'
import type { Evidence, Finding, Rule } from '../rules/rule'
import { largerThanLimit, tooLarge } from '../rules/sizes'
import { statusAlone } from '../rules/statuses'
import { browserChallenge } from '../rules/walls'
import { prepare } from './evidence'
import { excerpt } from './excerpt'
import { judgeIncident } from './incident'
import type { FailureSignal, Signal } from './signal'
import type { Lasting, NextStep, Scope, Verdict } from './verdict'
import { type StatedWait, statedWait } from './wait/stated-wait'

/** Another gateway of this family says that its service does not run yet. */
const fallbackHint: Rule = {
  id: 'fallback-hint',
  find: ({ status, headers }) =>
    status === 503 && headers['x-omni-fallback-hint'] === 'connection_cooldown'
      ? { reason: 'server_error', scope: 'connection', ruleRest: { ms: 5_000, capped: false }, blameless: true }
      : null,
}

const RULES: readonly Rule[] = [
  fallbackHint,
  operatorRule,
  browserChallenge,
  bannedSignal,
  ownWords,
  moneySignal,
  providerRule,
  // What the request itself or one model is to blame for, before words about limits that stand beside it.
  largerThanLimit,
  missingModel,
  spentWindow,
  googleLimit,
  quotaWords,
  concurrencyLimit,
  notServedHere,
  noCredentials,
  badCredential,
  refusedContent,
  overload,
  rateWords,
  tooLarge,
  missingResource,
  missingModel404,
  requestBranch,
  forbidden,
  statusAlone,
]

export const judge = (signal: Signal, operator: OperatorRules = NO_OPERATOR_RULES): Verdict =>
  signal.kind === 'incident' ? judgeIncident(signal) : judgeAnswer(signal, operator)

function judgeAnswer(signal: FailureSignal, operator: OperatorRules): Verdict {
  const { evidence, restatement, context } = prepare(signal, operator)
  const { finding, rule } = firstFinding(evidence)
  const { reason } = finding
  const kind = KIND_OF_REASON[reason]
  const { status, headers, json, wordsMs } = evidence
  const refusedByLimit = status === 429
  const stated = mayWait(kind) ? statedWait({ headers, json, words: wordsMs, refusedByLimit }, context) : null
  const scope = scopeOf(finding, evidence)
  const lasting = finding.lasting ?? usualLasting(finding, evidence)
  return {
    ...{ reason, kind, scope, status, lasting, rule },
    scopeByRule: scope === finding.scope && finding.scopeByRule === true,
    model: finding.model ?? modelNamed(evidence) ?? signal.model,
    statedWait: stated,
    ruleRest: finding.ruleRest ?? null,
    breakerKind: breakerKind(finding, scope, stated, evidence),
    next: finding.next ?? usualNext(finding, scope),
    message: messageOf(signal, evidence),
    told: {
      status,
      retryAfterMs: status === 429 || status === 503 ? (stated?.ms ?? restatement?.retryAfterMs ?? null) : null,
    },
  }
}

function firstFinding(evidence: Evidence): { readonly finding: Finding; readonly rule: string } {
  for (const rule of RULES) {
    const finding = rule.find(evidence)
    if (finding !== null) return { finding, rule: finding.rule ?? rule.id }
  }
  return { finding: { reason: 'server_error' }, rule: 'none' }
}

/** The others are not over when a time is. */
const mayWait = (kind: Kind | null): boolean =>
  kind === 'rate_limit' || kind === 'quota_exhausted' || kind === 'concurrency' || kind === 'server'

/** Where limits are counted by address, that comes before any built-in word on the scope. */
function scopeOf(finding: Finding, evidence: Evidence): Scope {
  const { reason, rule } = finding
  const { row, status } = evidence
  const isLimit = reason === 'rate_limit_exceeded' || reason === 'quota_exhausted'
  if (isLimit && status === 429 && row.egressLimited && rule !== 'operator') return 'egress'
  return finding.scope ?? usualScope(finding, evidence)
}

function usualScope({ reason }: Finding, evidence: Evidence): Scope {
  const { row, status } = evidence
  switch (reason) {
    case 'rate_limit_exceeded':
    case 'quota_exhausted':
      return row.perModelQuota || (status === 429 && modelNamed(evidence) !== null) ? 'model' : 'connection'
    case 'forbidden':
      return row.perModelQuota ? 'model' : 'connection'
    case 'server_error':
    case 'model_capacity':
    case 'timeout':
      return row.perModelQuota ? 'model' : 'provider'
    case 'not_found':
      return row.perModelQuota && status === 404 ? 'model' : 'provider'
    case 'network_error':
      return 'egress'
    case 'empty_answer':
      return 'model'
    case 'context_overflow':
    case 'bad_request':
      return 'request'
    case 'aborted':
    case 'local':
    case 'stream_stall':
    case 'throughput_too_low':
      return 'nobody'
    case 'concurrency_limited':
    case 'credits_exhausted':
    case 'auth_error':
    case 'request_rejected':
    case 'banned':
      return 'connection'
  }
}

function usualLasting({ reason, scope }: Finding, { row }: Evidence): Lasting {
  switch (reason) {
    case 'rate_limit_exceeded':
    case 'server_error':
    case 'model_capacity':
    case 'timeout':
    case 'network_error':
    case 'request_rejected':
      return 'passing'
    case 'quota_exhausted':
      return 'quota'
    case 'concurrency_limited':
      return 'concurrency'
    case 'credits_exhausted':
      return 'money'
    case 'auth_error':
      return 'credential'
    case 'forbidden':
      // A subscription that refuses three times in a row is closed; one that refuses a model is not.
      return row.class === 'oauth' && !row.perModelQuota && scope === undefined ? 'rejection' : 'passing'
    case 'banned':
      return 'banned'
    case 'not_found':
      return 'absent'
    case 'stream_stall':
      return 'stall'
    case 'empty_answer':
    case 'throughput_too_low':
    case 'context_overflow':
    case 'bad_request':
    case 'aborted':
    case 'local':
      return 'nothing'
  }
}

/** A larger window, another parser may take what this target cannot; what is wrong in itself, none will. */
function usualNext({ reason }: Finding, scope: Scope): NextStep {
  if (reason === 'context_overflow') return 'next-target'
  if (scope === 'request') return 'stop'
  return scope === 'provider' && reason === 'not_found' ? 'next-target' : 'next-connection'
}

const EVIDENCE: ReadonlySet<number> = new Set([408, 500, 502, 503, 504])
const HOUR_MS = 3_600_000

/** By the status, whatever the text (docs/resilience.md, "What counts against a provider"). */
function breakerKind(
  { reason, blameless }: Finding,
  scope: Scope,
  stated: StatedWait | null,
  { status, row }: Evidence,
): BreakerKind | null {
  if (blameless === true || scope === 'request') return null
  if (EVIDENCE.has(status)) {
    const aboutModel = reason === 'model_capacity' || reason === 'not_found'
    return row.overloadIsPerModel && aboutModel ? null : 'transient'
  }
  if (status !== 429) return null
  switch (reason) {
    case 'rate_limit_exceeded':
      return 'rate_limit'
    case 'credits_exhausted':
      return 'quota_exhausted'
    case 'quota_exhausted':
      return stated !== null && stated.ms < HOUR_MS ? 'rate_limit' : 'quota_exhausted'
    default:
      return null
  }
}

function messageOf({ status: given, body }: FailureSignal, { status }: Evidence): string {
  const said = excerpt(body)
  if (given >= 300 && given < 400) return `${given}: a redirect is not followed${said === '' ? '' : ` (${said})`}`
  const head = given === status ? `${given}` : `${given}, which stands for ${status}`
  return said === '' ? head : `${head}: ${said}`
}
