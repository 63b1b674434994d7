// What single providers mean by their codes, where it is not what everybody means. Data; how it is applied stands in
// resilience/rules/provider-rules.ts (docs/resilience.md, "Provider rules").
import type { Reason } from '../contract/kinds'

/** A status that says the wrong thing, put right before anything is judged. */
export interface Restatement {
  readonly id: string
  readonly from: readonly number[]
  readonly to: number
  /** Lower case; the error's text or JSON holds one of them … */
  readonly markers: readonly string[]
  /** … and none of these. */
  readonly unless: readonly string[]
  /** What the client is told where the provider states nothing. Not how long anything rests. */
  readonly retryAfterMs: number
}

export interface ProviderRule {
  readonly id: string
  /** Missing: any error status. */
  readonly statuses?: readonly number[]
  /** Lower case; one of them is among the error's codes and types. */
  readonly codes?: readonly string[]
  /** Lower case; the error's own message holds one of them. */
  readonly says?: readonly string[]
  /** Lower case; the raw body holds one of them. Read only where the provider's row has `fullTextRules`. */
  readonly texts?: readonly string[]
  /** A response header and what it holds. */
  readonly header?: { readonly name: string; readonly value: RegExp }
  /** Asked before the general words about money: they mean something else here. */
  readonly beforeMoney?: true
  /** Applied to 400 too, where built-in rules are otherwise silent. */
  readonly on400?: true
  readonly reason: Reason
  /** `connection` is acted upon only where the row has `honorsRuleScope`; `model` everywhere. */
  readonly scope?: 'model' | 'connection' | 'provider' | 'request'
  /** How long the allowance runs, where the code says so. */
  readonly lasting?: 'session' | 'usage' | 'day' | 'week' | 'month' | 'passing'
  /** Its own rest; locks of models are never longer than the settings allow. */
  readonly restMs?: number
}

export interface ProviderRules {
  readonly restatements: readonly Restatement[]
  readonly rules: readonly ProviderRule[]
}

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000

const OPENAI: readonly ProviderRule[] = [
  { id: 'openai-insufficient-quota', statuses: [429], codes: ['insufficient_quota'], reason: 'credits_exhausted' },
]

const CODEX: readonly ProviderRule[] = [
  ...OPENAI,
  { id: 'codex-usage-limit', codes: ['usage_limit_reached'], reason: 'quota_exhausted', lasting: 'usage' },
  { id: 'codex-not-included', codes: ['usage_not_included'], reason: 'forbidden', scope: 'model' },
]

/** Codes of open.bigmodel.cn and z.ai. 1302 is left to its words: they name either the rate or the concurrency. */
const GLM: readonly ProviderRule[] = [
  { id: 'glm-credential', codes: ['1000', '1001', '1002', '1003', '1004', '1100'], on400: true, reason: 'auth_error' },
  { id: 'glm-inactive', codes: ['1110', '1111', '1220'], reason: 'forbidden' },
  { id: 'glm-locked', codes: ['1112', '1121'], reason: 'banned' },
  { id: 'glm-no-balance', codes: ['1113', '1309'], on400: true, reason: 'credits_exhausted' },
  {
    id: 'glm-request',
    codes: ['1210', '1212', '1213', '1214', '1215', '1300', '1301'],
    on400: true,
    reason: 'bad_request',
  },
  { id: 'glm-model', codes: ['1211', '1311'], on400: true, reason: 'not_found', scope: 'model' },
  { id: 'glm-retired', codes: ['1221', '1222'], on400: true, reason: 'not_found' },
  { id: 'glm-failed', codes: ['1120', '1230', '1234'], reason: 'server_error' },
  { id: 'glm-too-long', codes: ['1261'], on400: true, reason: 'context_overflow' },
  { id: 'glm-frequency', codes: ['1303', '1313'], reason: 'rate_limit_exceeded' },
  { id: 'glm-daily', codes: ['1304'], reason: 'quota_exhausted', lasting: 'day' },
  { id: 'glm-busy', codes: ['1305', '1312'], reason: 'model_capacity', scope: 'model' },
  { id: 'glm-session', codes: ['1308'], reason: 'quota_exhausted', lasting: 'session' },
  { id: 'glm-weekly', codes: ['1310'], reason: 'quota_exhausted', lasting: 'week' },
]

const MINIMAX: readonly ProviderRule[] = [
  {
    id: 'minimax-model-quota',
    header: { name: 'x-model-quota-remaining', value: /(?:^|=)\s*0\s*(?:$|[,;])/ },
    reason: 'quota_exhausted',
    scope: 'model',
  },
  { id: 'minimax-limit', codes: ['1002', '1039', '2045'], reason: 'rate_limit_exceeded' },
  { id: 'minimax-connections', codes: ['1041'], reason: 'concurrency_limited' },
  { id: 'minimax-credential', codes: ['1004', '2049'], on400: true, reason: 'auth_error' },
  { id: 'minimax-no-balance', codes: ['1008'], on400: true, reason: 'credits_exhausted' },
  { id: 'minimax-failed', codes: ['1000', '1001', '1013', '1024', '1033'], reason: 'server_error' },
  { id: 'minimax-refused-content', codes: ['1026', '1027', '1042'], on400: true, reason: 'bad_request' },
  { id: 'minimax-plan-limit', codes: ['2056'], reason: 'quota_exhausted', lasting: 'session' },
]

const DASHSCOPE: readonly ProviderRule[] = [
  {
    id: 'dashscope-throttled',
    statuses: [429],
    codes: [
      ...['insufficient_quota', 'limit_requests', 'limit_burst_rate', 'throttling', 'throttling.ratequota'],
      ...['throttling.burstrate', 'throttling.allocationquota'],
    ],
    reason: 'rate_limit_exceeded',
    lasting: 'passing',
  },
  { id: 'dashscope-free-tier', codes: ['allocationquota.freetieronly'], reason: 'quota_exhausted', scope: 'model' },
  {
    id: 'dashscope-unpaid',
    codes: ['arrearage', 'prepaidbilloverdue', 'postpaidbilloverdue', 'commoditynotpurchased'],
    on400: true,
    reason: 'credits_exhausted',
  },
  {
    id: 'dashscope-content',
    codes: ['datainspectionfailed', 'data_inspection_failed'],
    on400: true,
    reason: 'bad_request',
  },
]

const OPENCODE: readonly ProviderRule[] = [
  {
    id: 'opencode-plan-limit',
    codes: ['organization_quota_exceeded', 'account_quota_exceeded', 'plan_limit_reached'],
    reason: 'quota_exhausted',
    scope: 'connection',
  },
  {
    id: 'opencode-monthly-limit',
    statuses: [429],
    says: ['monthly limit', 'monthly usage limit'],
    reason: 'quota_exhausted',
    scope: 'connection',
    lasting: 'month',
  },
  {
    id: 'opencode-nothing-remains',
    statuses: [429],
    header: { name: 'x-ratelimit-remaining', value: /^0$/ },
    reason: 'quota_exhausted',
    scope: 'connection',
  },
  {
    id: 'opencode-model-unavailable',
    statuses: [400],
    says: ['model is unavailable'],
    on400: true,
    reason: 'model_capacity',
    scope: 'model',
    restMs: HOUR_MS,
  },
]

const VOLCENGINE: readonly ProviderRule[] = [
  { id: 'volcengine-unpaid', codes: ['accountoverdueerror'], reason: 'credits_exhausted' },
  {
    id: 'volcengine-limit-set',
    codes: ['setlimitexceeded', 'quotaexceeded'],
    reason: 'quota_exhausted',
    scope: 'model',
  },
  { id: 'volcengine-in-flight', codes: ['inflightbatchsizeexceeded'], reason: 'concurrency_limited' },
  { id: 'volcengine-busy', codes: ['serveroverloaded'], reason: 'model_capacity', scope: 'model' },
]

const AGENTROUTER: readonly ProviderRule[] = [
  {
    id: 'agentrouter-user-quota-exhausted',
    statuses: [429],
    texts: ['额度不足'],
    beforeMoney: true,
    reason: 'quota_exhausted',
    scope: 'connection',
    lasting: 'passing',
  },
  {
    id: 'agentrouter-model-access-denied',
    statuses: [403],
    texts: ['无权访问模型'],
    // The same text may speak of an allowance: the model is what one may not use.
    beforeMoney: true,
    reason: 'forbidden',
    scope: 'model',
    restMs: 6 * HOUR_MS,
  },
]

const RULES: Readonly<Record<string, Partial<ProviderRules>>> = {
  openai: { rules: OPENAI },
  codex: { rules: CODEX },
  glm: { rules: GLM },
  'glm-coding': { rules: GLM },
  'glm-cn': { rules: GLM },
  'glm-cn-coding': { rules: GLM },
  minimax: { rules: MINIMAX },
  'minimax-cn': { rules: MINIMAX },
  dashscope: { rules: DASHSCOPE },
  'dashscope-cn': { rules: DASHSCOPE },
  'dashscope-coding': { rules: DASHSCOPE },
  volcengine: { rules: VOLCENGINE },
  'volcengine-coding': { rules: VOLCENGINE },
  byteplus: { rules: VOLCENGINE },
  'opencode-zen': { rules: OPENCODE },
  'opencode-go': { rules: OPENCODE },
  agentrouter: {
    restatements: [
      {
        id: 'agentrouter-spent',
        from: [403, 400],
        to: 429,
        markers: ['额度不足'],
        unless: ['无权访问'],
        retryAfterMs: MINUTE_MS,
      },
    ],
    rules: AGENTROUTER,
  },
  groq: {
    restatements: [
      {
        id: 'groq-limit',
        from: [413],
        to: 429,
        markers: ['tokens per', 'rate limit'],
        unless: ['too large'],
        retryAfterMs: MINUTE_MS,
      },
    ],
  },
  // It may afford a smaller answer: not an empty account.
  openrouter: {
    rules: [
      {
        id: 'openrouter-credits',
        statuses: [402],
        reason: 'credits_exhausted',
        scope: 'connection',
        lasting: 'passing',
        restMs: 2 * MINUTE_MS,
      },
    ],
  },
  'cloudflare-ai': {
    rules: [
      {
        id: 'cloudflare-daily-allocation',
        codes: ['4006'],
        reason: 'quota_exhausted',
        scope: 'connection',
        lasting: 'day',
      },
      { id: 'cloudflare-no-capacity', codes: ['3040'], reason: 'model_capacity' },
      { id: 'cloudflare-no-model', codes: ['5007'], on400: true, reason: 'not_found', scope: 'model' },
    ],
  },
}

const NONE: ProviderRules = { restatements: [], rules: [] }

/** By the id of a provider's row. */
export function providerRules(id: string): ProviderRules {
  return Object.hasOwn(RULES, id) ? { ...NONE, ...RULES[id] } : NONE
}
