import { describe, expect, it } from 'vitest'
import type { Kind } from '../../../../core/contract/explain'
import { explainDefaults, explainSignal } from '../../../../core/resilience/verdict/explain'

const NOW = Date.parse('2026-11-30T02:50:00Z')

interface Case {
  readonly from: string
  readonly status: number
  /** The message of an OpenAI-shaped error, or the whole body. */
  readonly says: string | object
  readonly code?: string
  readonly headers?: Record<string, string>
  readonly wait?: number
}

function explained({ from, status, says, code, headers = {} }: Case) {
  const body =
    typeof says === 'string' && !says.startsWith('<') && !says.startsWith('plain:')
      ? { error: { message: says, type: 'error', ...(code === undefined ? {} : { code }) } }
      : typeof says === 'string'
        ? says.replace('plain:', '')
        : says
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return explainSignal(
    { id: 'x', provider: from, status, headers, body: text, now: NOW },
    explainDefaults('America/New_York'),
  )
}

const of = (kind: Kind, cases: readonly Case[]) =>
  describe(kind, () => {
    it.each(
      cases.map(
        (given) => [`${given.from} ${given.status}: ${JSON.stringify(given.says).slice(0, 90)}`, given] as const,
      ),
    )('%s', (_name, given) => {
      const { kind: found, retryAfterMs } = explained(given)
      expect(found).toBe(kind)
      if (given.wait !== undefined) expect(retryAfterMs).toBe(given.wait)
    })
  })

const google = (message: string, ...details: object[]) => ({
  error: { code: 429, message, status: 'RESOURCE_EXHAUSTED', details },
})
const quotaFailure = (...quotaIds: string[]) => ({
  '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
  violations: quotaIds.map((quotaId) => ({ quotaId })),
})
const retryInfo = (retryDelay: string) => ({ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay })
const anthropic = (type: string, message: string) => ({ type: 'error', error: { type, message } })

of('rate_limit', [
  {
    from: 'xai',
    status: 429,
    says: {
      error:
        'Too many requests for team t. Your team has exceeded its rate limit: requests per second (actual/limit: 2/1).',
    },
  },
  {
    from: 'some-relay',
    status: 429,
    says: { detail: 'Request was throttled. Expected available in 12 seconds.' },
    wait: 12_000,
  },
  { from: 'some-relay', status: 429, says: { detail: 'Rate limit exceeded: 10 per 1 minute' } },
  { from: 'some-relay', status: 429, says: 'plain:[error] too many requests' },
  {
    from: 'openai',
    status: 429,
    says: 'Rate limit reached for gpt-x-1 on requests per min (RPM): Limit 3, Used 3, Requested 1. Please try again in 20s.',
    wait: 20_000,
  },
  {
    from: 'openai',
    status: 429,
    says: 'Rate limit reached for gpt-x-1 on tokens per min (TPM). Please try again in 1m12.345s.',
    wait: 72_345,
  },
  {
    from: 'anthropic',
    status: 429,
    says: anthropic(
      'rate_limit_error',
      'This request would exceed your organization’s rate limit of 20,000 input tokens per minute.',
    ),
  },
  {
    from: 'anthropic',
    status: 429,
    says: anthropic(
      'rate_limit_error',
      'This request would exceed the acceleration limit of your organization. Ramp up slowly.',
    ),
  },
  {
    from: 'gemini',
    status: 429,
    says: google('Quota exceeded for quota metric "Generate Content API requests per minute"'),
  },
  {
    from: 'vertex',
    status: 429,
    says: google(
      'Quota exceeded for aiplatform.googleapis.com/generate_content_requests_per_minute_per_project_per_base_model with base model: gemini-x.',
    ),
  },
  {
    from: 'vertex',
    status: 429,
    says: google('Resource exhausted. Please try again later. See the page about error code 429.'),
  },
  {
    from: 'gemini',
    status: 429,
    says: google(
      'You exceeded your current quota.',
      quotaFailure('GenerateContentInputTokensPerModelPerMinute-FreeTier'),
      retryInfo('12s'),
    ),
    wait: 12_000,
  },
  {
    from: 'antigravity',
    status: 429,
    says: google('Too quick.', { reason: 'RATE_LIMIT_EXCEEDED' }, { quotaResetDelay: '539.477544ms' }),
    wait: 540,
  },
  {
    from: 'azure',
    status: 429,
    says: 'Requests to the Embeddings_Create Operation have exceeded call rate limit of your current pricing tier. Please retry after 7 seconds.',
    wait: 7_000,
  },
  { from: 'azure', status: 429, says: 'Rate limit is exceeded. Try again in 56 seconds.', wait: 56_000 },
  { from: 'mistral', status: 429, says: { message: 'Requests rate limit exceeded' } },
  {
    from: 'cohere',
    status: 429,
    says: { message: 'You are using a Trial key, which is limited to 10 API calls / minute.' },
  },
  {
    from: 'github-models',
    status: 429,
    says: 'Rate limit of 15 per 60s exceeded for UserByModelByMinute. Please wait 33 seconds before retrying.',
    wait: 33_000,
  },
  {
    from: 'some-relay',
    status: 403,
    says: 'You have exceeded a secondary rate limit. Please wait a few minutes before you try again.',
  },
  { from: 'some-relay', status: 500, says: 'Upstream said: 429 Too Many Requests' },
  { from: 'some-relay', status: 400, says: '请求过于频繁，请稍后再试' },
  { from: 'new-api', status: 429, says: '您已达到总请求数限制：3分钟内最多请求10次，包括失败次数' },
  {
    from: 'moonshot',
    status: 429,
    says: 'Your account request reached organization TPM rate limit, current: 100, limit: 50, please try again after 3 seconds',
    wait: 3_000,
  },
  { from: 'minimax', status: 429, says: 'rate limit exceeded(RPM) (1002)' },
  { from: 'minimax', status: 200, says: { base_resp: { status_code: 1002, status_msg: 'rate limit' } } },
  {
    from: 'dashscope',
    status: 429,
    says: 'Allocated quota exceeded, please increase your quota limit.',
    code: 'Throttling.AllocationQuota',
  },
  { from: 'dashscope', status: 429, says: 'You exceeded your current requests list.', code: 'limit_requests' },
  {
    from: 'siliconflow',
    status: 429,
    says: { code: 50, message: 'Request was rejected due to rate limiting. Details: TPM limit reached.' },
  },
  { from: 'bedrock', status: 429, says: { message: 'Too many requests, please wait before trying again.' } },
  { from: 'together', status: 429, says: 'You have reached the rate limit specific to this model. Slow down.' },
  {
    from: 'groq',
    status: 413,
    says: 'Rate limit reached for model `llama-x-1` on tokens per minute (TPM): Limit 6000, Used 5000, Requested 2000. Please try again in 10s.',
    wait: 10_000,
  },
  { from: 'openrouter', status: 429, says: 'Rate limit exceeded: free-models-per-min. ' },
  { from: 'some-relay', status: 429, says: 'Too many tokens, slow down.' },
  { from: 'some-relay', status: 429, says: 'Your account is temporarily restricted because of too many requests.' },
  { from: 'some-relay', status: 429, says: '<html><body>429 Too Many Requests</body></html>' },
  { from: 'some-relay', status: 429, says: '' },
  { from: 'some-relay', status: 429, says: 'Slow down', headers: { 'x-ratelimit-reset': '1796007045' }, wait: 45_000 },
  { from: 'some-relay', status: 429, says: 'Slow down', headers: { ratelimit: '"default";r=0;t=30' }, wait: 30_000 },
  {
    from: 'some-relay',
    status: 429,
    says: 'Slow down',
    headers: { 'ratelimit-remaining': '0', 'ratelimit-reset': '12' },
    wait: 12_000,
  },
])

of('quota_exhausted', [
  {
    from: 'openai',
    status: 429,
    says: 'Rate limit reached for gpt-x-1 on requests per day (RPD): Limit 200, Used 200, Requested 1. Please try again in 7m12s.',
    wait: 432_000,
  },
  {
    from: 'openai-like',
    status: 429,
    says: 'You exceeded your current quota, please check your plan and billing details.',
    code: 'insufficient_quota',
  },
  {
    from: 'anthropic',
    status: 400,
    says: anthropic(
      'invalid_request_error',
      'You have reached your specified API usage limits. You will regain access on 2026-12-01 at 00:00 UTC.',
    ),
    wait: 76_200_000,
  },
  {
    from: 'claude',
    status: 429,
    says: anthropic('rate_limit_error', 'x'),
    headers: {
      'anthropic-ratelimit-unified-status': 'rejected',
      'anthropic-ratelimit-unified-reset': '1796245200',
      'anthropic-ratelimit-unified-representative-claim': 'seven_day',
      'anthropic-ratelimit-unified-overage-status': 'rejected',
      'anthropic-ratelimit-unified-overage-reset': '1798761600',
    },
    wait: 238_200_000,
  },
  { from: 'claude', status: 429, says: 'Claude AI usage limit reached|1796014800', wait: 7_800_000 },
  {
    from: 'claude',
    status: 429,
    says: "You've hit your session limit · resets 3am (America/New_York)",
    wait: 18_600_000,
  },
  {
    from: 'gemini',
    status: 429,
    says: google(
      'Out.',
      quotaFailure('GenerateRequestsPerMinutePerProject', 'GenerateRequestsPerDayPerProject-FreeTier'),
      retryInfo('40s'),
    ),
    wait: 40_000,
  },
  {
    from: 'gemini',
    status: 429,
    says: google('Quota exceeded for quota metric requests and limit requests per model per day'),
  },
  {
    from: 'codex',
    status: 429,
    says: {
      error: { type: 'usage_limit_reached', message: 'The usage limit has been reached', resets_at: 1796014800 },
    },
    wait: 7_800_000,
  },
  {
    from: 'codex',
    status: 429,
    says: { detail: 'limit' },
    headers: {
      'x-codex-primary-used-percent': '100',
      'x-codex-primary-reset-after-seconds': '3600',
      'x-codex-secondary-used-percent': '40',
      'x-codex-secondary-reset-after-seconds': '500000',
    },
    wait: 3_600_000,
  },
  {
    from: 'codex',
    status: 429,
    says: "You've hit your usage limit. Upgrade to Pro or try again at Nov 30th, 2026 11:50 AM.",
    wait: 50_400_000,
  },
  { from: 'openrouter', status: 403, says: 'Key limit exceeded (daily limit). Manage it in your settings.' },
  {
    from: 'groq',
    status: 429,
    says: 'Rate limit reached for model `llama-x-1` on tokens per day (TPD): Limit 100, Used 99, Requested 3. Please try again in 1h2m3.5s.',
    wait: 3_723_500,
  },
  {
    from: 'github-models',
    status: 429,
    says: 'Rate limit of 150 per 86400s exceeded for UserByModelByDay. Please wait 5000 seconds before retrying.',
    wait: 5_000_000,
  },
  {
    from: 'github-copilot',
    status: 402,
    says: 'You have exceeded your premium request allowance.',
    code: 'quota_exceeded',
  },
  {
    from: 'github-copilot',
    status: 429,
    says: 'plain:Sorry, you have been rate-limited. Please try again in 2 days 3 hours.',
    wait: 183_600_000,
  },
  {
    from: 'cerebras',
    status: 429,
    says: { message: 'Requests per day limit exceeded', code: 'request_quota_exceeded' },
    headers: { 'x-ratelimit-remaining-requests-day': '0', 'x-ratelimit-reset-requests-day': '33011.3' },
    wait: 33_011_300,
  },
  { from: 'bedrock', status: 429, says: { message: 'Too many tokens per day, please wait before trying again.' } },
  {
    from: 'cohere',
    status: 429,
    says: { message: 'You are using a Trial key, which is limited to 1000 API calls / month.' },
  },
  {
    from: 'cloudflare-ai',
    status: 429,
    says: {
      errors: [{ code: 4006, message: 'you have used up your daily free allocation of 10,000 neurons' }],
      success: false,
    },
  },
  { from: 'ollama-cloud', status: 429, says: { error: 'you (user) have reached your hourly usage limit' } },
  {
    from: 'ollama-cloud',
    status: 429,
    says: { error: 'you have reached your session usage limit, resets in 3 hours' },
    wait: 10_800_000,
  },
  {
    from: 'moonshot',
    status: 429,
    says: 'Your account request reached organization TPD rate limit, current: 1500000, limit: 1500000',
  },
  {
    from: 'glm-coding',
    status: 429,
    says: 'Weekly/Monthly Limit Exhausted. Your limit will reset at 2026-12-02 10:50:00',
    code: '1310',
    wait: 172_800_000,
  },
  { from: 'glm', status: 429, says: '已达到每日调用上限', code: '1304' },
  { from: 'minimax', status: 429, says: 'usage limit exceeded, 5-hour usage limit reached for Token Plan (2056)' },
  {
    from: 'volcengine',
    status: 429,
    says: 'You have exceeded the 5-hour usage quota. It will reset at 2026-11-30 15:20:00 +0800 CST.',
    code: 'AccountQuotaExceeded',
    wait: 16_200_000,
  },
  {
    from: 'volcengine',
    status: 429,
    says: 'Your account has exhausted its free trial quota for the model.',
    code: 'QuotaExceeded',
  },
  { from: 'dashscope-coding', status: 429, says: 'hour allocated quota exceeded.' },
  { from: 'dashscope-coding', status: 429, says: 'week allocated quota exceeded.' },
  {
    from: 'azure',
    status: 403,
    says: 'Out of call volume quota. Quota will be replenished in 1.02:03:04.',
    wait: 93_784_000,
  },
  {
    from: 'claude-relay',
    status: 429,
    says: { error: 'Daily cost limit reached', message: '已达到每日费用限制 ($10)' },
  },
  { from: 'new-api', status: 403, says: '该令牌额度已用尽' },
  { from: 'opencode', status: 429, says: 'Monthly usage limit reached. Resets in 12 days.', wait: 1_036_800_000 },
  { from: 'opencode', status: 429, says: 'x', code: 'plan_limit_reached' },
  { from: 'agentrouter', status: 403, says: '用户额度不足, 剩余额度: ¥0' },
  { from: 'some-relay', status: 429, says: 'Subscription quota exceeded' },
  {
    from: 'some-relay',
    status: 429,
    says: '您的账户已达到今日使用上限，请于 2026-12-01 00:00:00 +08:00 后重试',
    wait: 47_400_000,
  },
])

of('concurrency', [
  { from: 'some-relay', status: 429, says: 'Max simultaneous requests exceeded' },
  { from: 'some-relay', status: 429, says: 'Limit of in-flight requests reached (4)' },
  { from: 'some-relay', status: 429, says: 'Too many parallel requests' },
  { from: 'glm', status: 429, says: '您当前使用该API的并发数过高，请降低并发，或联系客服增加限额。', code: '1302' },
  { from: 'some-relay', status: 429, says: 'Parallel request limit reached' },
  { from: 'some-relay', status: 429, says: 'Maximum number of concurrent requests reached, retry in 5s', wait: 5_000 },
  { from: 'some-relay', status: 429, says: '当前并发数超过限制 5' },
  { from: 'volcengine', status: 429, says: 'x', code: 'InflightBatchsizeExceeded' },
  { from: 'minimax', status: 429, says: 'conn limit (1041)' },
  { from: 'claude-relay', status: 429, says: { error: 'Account-level concurrency limit exceeded' } },
  { from: 'bedrock', status: 503, says: { message: 'Too many connections, please wait before trying again.' } },
])

of('credits', [
  { from: 'mistral', status: 401, says: { message: 'Inactive subscription or usage limit reached' } },
  { from: 'glm-coding', status: 429, says: '您的GLM Coding Plan套餐已到期', code: '1309' },
  {
    from: 'openai',
    status: 429,
    says: 'Your account is not active, please check your billing details on our website.',
    code: 'billing_not_active',
  },
  { from: 'openai', status: 400, says: 'Billing hard limit has been reached', code: 'billing_hard_limit_reached' },
  {
    from: 'gemini',
    status: 429,
    says: google('Your prepayment credits are depleted. Please go to AI Studio to manage your project and billing.'),
  },
  { from: 'gemini', status: 429, says: google('Your project has exceeded its spending cap.') },
  {
    from: 'xai',
    status: 403,
    says: {
      code: 'forbidden',
      error: "Your newly created team doesn't have any credits or licenses yet. You can purchase those on the console.",
    },
  },
  { from: 'openrouter', status: 402, says: 'Insufficient credits. Add more using the settings page.' },
  {
    from: 'siliconflow',
    status: 403,
    says: { code: 30001, message: 'Sorry, your account balance is insufficient', data: null },
  },
  {
    from: 'dashscope',
    status: 400,
    says: 'Access denied, please make sure your account is in good standing.',
    code: 'Arrearage',
  },
  {
    from: 'volcengine',
    status: 403,
    says: 'The request failed because your account has an overdue balance.',
    code: 'AccountOverdueError',
  },
  {
    from: 'fireworks',
    status: 412,
    says: 'Account x is suspended, possibly due to reaching the monthly spending limit or failure to pay past invoices.',
  },
  {
    from: 'new-api',
    status: 403,
    says: '预扣费额度失败, 用户剩余额度: $0.01, 需要预扣费额度: $0.04',
    code: 'insufficient_user_quota',
  },
  { from: 'new-api', status: 403, says: '用户额度不足, 剩余额度: $0.00' },
  { from: 'minimax', status: 200, says: { base_resp: { status_code: 1008, status_msg: 'insufficient balance' } } },
  { from: 'nvidia', status: 402, says: 'Cloud credits expired - Please contact NVIDIA representatives' },
  { from: 'cerebras', status: 402, says: { message: 'Payment required to continue', code: 'payment_required' } },
  { from: 'some-relay', status: 429, says: 'You have run out of credits' },
  { from: 'some-relay', status: 402, says: '' },
  { from: 'some-relay', status: 500, says: '账户余额不足，请充值' },
  { from: 'anthropic', status: 403, says: anthropic('billing_error', 'Your account is past due.') },
])

of('auth', [
  { from: 'openai', status: 403, says: 'Your organization must be verified to use the model `gpt-x-1`.' },
  { from: 'nvidia', status: 403, says: { detail: 'Authorization failed' } },
  {
    from: 'gemini',
    status: 400,
    says: {
      error: {
        code: 400,
        message: 'API key not valid. Please pass a valid API key.',
        status: 'INVALID_ARGUMENT',
        details: [{ reason: 'API_KEY_INVALID' }],
      },
    },
  },
  { from: 'gemini', status: 400, says: 'API key expired. Please renew the API key.' },
  { from: 'gemini', status: 403, says: 'Your API key was reported as leaked. Please use another API key.' },
  {
    from: 'gemini',
    status: 403,
    says: 'Generative Language API has not been used in project 1 before or it is disabled.',
  },
  { from: 'gemini', status: 403, says: 'The caller does not have permission' },
  { from: 'xai', status: 400, says: { code: 'invalid', error: 'Incorrect API key provided: xa***12.' } },
  { from: 'azure', status: 401, says: 'Access denied due to invalid subscription key or wrong API endpoint.' },
  {
    from: 'anthropic',
    status: 401,
    says: anthropic('authentication_error', 'OAuth token has expired. Please refresh your existing token.'),
  },
  { from: 'claude', status: 403, says: anthropic('permission_error', 'OAuth token has been revoked.') },
  { from: 'claude', status: 403, says: anthropic('forbidden', 'Request not allowed') },
  { from: 'anthropic', status: 403, says: anthropic('forbidden', 'Request not allowed') },
  {
    from: 'openai',
    status: 403,
    says: 'Country, region, or territory not supported',
    code: 'unsupported_country_region_territory',
  },
  {
    from: 'openai',
    status: 401,
    says: 'You have insufficient permissions for this operation. Missing scopes: model.request.',
  },
  { from: 'bedrock', status: 403, says: { message: 'The security token included in the request is expired' } },
  {
    from: 'bedrock',
    status: 403,
    says: { message: 'x' },
    headers: { 'x-amzn-errortype': 'ExpiredTokenException:http://internal' },
  },
  { from: 'mistral', status: 401, says: { detail: 'Unauthorized' } },
  { from: 'cohere', status: 498, says: { message: 'invalid api token' } },
  { from: 'new-api', status: 401, says: '无效的令牌' },
  { from: 'agentrouter', status: 403, says: '无权访问模型 claude-x' },
  { from: 'perplexity', status: 401, says: '<html><head><title>401 Authorization Required</title></head></html>' },
  { from: 'some-relay', status: 403, says: 'plain:Forbidden' },
  { from: 'some-relay', status: 403, says: 'Your IP address is not allowed to use this key' },
])

of('banned', [
  {
    from: 'openai',
    status: 401,
    says: 'The OpenAI account associated with this API key has been deactivated.',
    code: 'account_deactivated',
  },
  { from: 'anthropic', status: 400, says: anthropic('invalid_request_error', 'This organization has been disabled.') },
  {
    from: 'antigravity',
    status: 403,
    says: 'This service has been disabled in this account for violation of Terms of Service.',
  },
  { from: 'antigravity', status: 403, says: 'Verify your account to continue.' },
  { from: 'gemini', status: 403, says: "Permission denied: Consumer 'api_key:x' has been suspended." },
  { from: 'new-api', status: 403, says: '用户已被封禁' },
  { from: 'some-relay', status: 403, says: 'Your account has been suspended for abuse' },
  { from: 'some-relay', status: 401, says: 'API key has been disabled by the administrator' },
  { from: 'codex', status: 402, says: 'x', code: 'deactivated_workspace' },
])

of('server', [
  {
    from: 'huggingface',
    status: 503,
    says: { error: 'Model x is currently loading', estimated_time: 20.5 },
    wait: 20_500,
  },
  {
    from: 'openai',
    status: 503,
    says: 'That model is currently overloaded with other requests. You can retry your request.',
  },
  { from: 'anthropic', status: 500, says: anthropic('api_error', 'Internal server error') },
  { from: 'anthropic', status: 200, says: anthropic('overloaded_error', 'Overloaded') },
  {
    from: 'moonshot',
    status: 429,
    says: {
      error: { type: 'engine_overloaded_error', message: 'The engine is currently overloaded, please try again later' },
    },
  },
  {
    from: 'antigravity',
    status: 503,
    says: google('No capacity available for model gemini-x on the server', { reason: 'MODEL_CAPACITY_EXHAUSTED' }),
  },
  {
    from: 'mistral',
    status: 429,
    says: {
      message: 'Service tier capacity exceeded for this model.',
      type: 'service_tier_capacity_exceeded',
      code: '3505',
    },
  },
  {
    from: 'cerebras',
    status: 429,
    says: {
      message: "We're experiencing high traffic right now! Please try again soon.",
      type: 'too_many_requests_error',
      code: 'queue_exceeded',
    },
  },
  { from: 'groq', status: 498, says: 'Flex Tier Capacity Exceeded: over capacity' },
  {
    from: 'cloudflare-ai',
    status: 429,
    says: { errors: [{ code: 3040, message: 'Capacity temporarily exceeded, please try again.' }] },
  },
  { from: 'volcengine', status: 429, says: 'x', code: 'ServerOverloaded' },
  {
    from: 'siliconflow',
    status: 503,
    says: { code: 50505, message: 'Model service overloaded. Please try again later.' },
  },
  { from: 'nvidia', status: 400, says: { detail: 'Function id x: DEGRADED function cannot be invoked' } },
  { from: 'glm', status: 429, says: '模型繁忙', code: '1312' },
  {
    from: 'llamacpp',
    status: 503,
    says: { error: { code: 503, message: 'Loading model', type: 'unavailable_error' } },
  },
  { from: 'ollama', status: 503, says: { error: 'server busy, please try again.  maximum pending requests exceeded' } },
  { from: 'ollama', status: 500, says: { error: 'llama runner process has terminated: exit status 2' } },
  { from: 'some-relay', status: 520, says: '<html>Web server is returning an unknown error</html>' },
  { from: 'some-relay', status: 408, says: 'Request timed out' },
  {
    from: 'some-relay',
    status: 403,
    says: '<html><title>Attention Required! | Cloudflare</title></html>',
    headers: { server: 'cloudflare' },
  },
  { from: 'some-relay', status: 403, says: 'plain:error code: 1010' },
  { from: 'codex', status: 403, says: '<html><body>Enable JavaScript and cookies to continue</body></html>' },
  { from: 'some-relay', status: 301, says: '<html>Moved</html>' },
  {
    from: 'some-relay',
    status: 503,
    says: 'Service unavailable',
    headers: { 'retry-after': 'Mon, 30 Nov 2026 02:51:00 GMT' },
    wait: 60_000,
  },
  {
    from: 'openai',
    status: 200,
    says: 'plain:event: error\ndata: {"type":"error","error":{"type":"server_error","message":"The server had an error"}}\n\n',
  },
])

of('context_overflow', [
  { from: 'gemini', status: 400, says: 'Request payload size exceeds the limit: 20971520 bytes.' },
  {
    from: 'anthropic',
    status: 400,
    says: anthropic(
      'invalid_request_error',
      'input length and `max_tokens` exceed context limit: 199000 + 20000 > 200000',
    ),
  },
  { from: 'anthropic', status: 413, says: anthropic('request_too_large', 'Request exceeds the maximum size') },
  {
    from: 'openrouter',
    status: 400,
    says: "This endpoint's maximum context length is 131072 tokens. However, you requested about 150000 tokens.",
  },
  {
    from: 'openai',
    status: 400,
    says: 'Your input exceeds the context window of this model. Please adjust your input and try again.',
    code: 'context_length_exceeded',
  },
  {
    from: 'cerebras',
    status: 400,
    says: {
      message: 'Please reduce the length of the messages or completion. Current length is 9000 while limit is 8192',
    },
  },
  { from: 'moonshot', status: 400, says: 'Invalid request: Your request exceeded model token limit: 8192' },
  {
    from: 'mistral',
    status: 400,
    says: {
      message: 'Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
      code: '3051',
    },
  },
  {
    from: 'cohere',
    status: 400,
    says: { message: 'too many tokens: total number of tokens in the prompt exceeds the limit of 4081' },
  },
  { from: 'together', status: 422, says: 'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 8193' },
  { from: 'fireworks', status: 400, says: 'The prompt is too long: 40000, model maximum context length: 32767' },
  {
    from: 'llamacpp',
    status: 400,
    says: {
      error: {
        code: 400,
        message: 'the request exceeds the available context size, try increasing it',
        type: 'exceed_context_size_error',
      },
    },
  },
  { from: 'ollama', status: 500, says: { error: 'the input length exceeds the context length' } },
  {
    from: 'github-copilot',
    status: 400,
    says: 'prompt token count of 140000 exceeds the limit of 128000',
    code: 'model_max_prompt_tokens_exceeded',
  },
  { from: 'glm', status: 400, says: 'Prompt 超长', code: '1261' },
  { from: 'some-relay', status: 413, says: '<html><title>413 Request Entity Too Large</title></html>' },
  {
    from: 'xai',
    status: 400,
    says: { error: "This model's maximum prompt length is 131072 but the request contains 140000 tokens." },
  },
  { from: 'dashscope', status: 400, says: 'Range of input length should be [1, 30720]', code: 'InvalidParameter' },
  {
    from: 'lmstudio',
    status: 400,
    says: { error: 'The number of tokens to keep from the initial prompt is greater than the context length' },
  },
  { from: 'some-relay', status: 400, says: '输入内容超过模型最大长度限制' },
])

of('bad_request', [
  { from: 'openai', status: 400, says: "Unknown parameter: 'input[150].namespace'.", code: 'unknown_parameter' },
  {
    from: 'openai',
    status: 400,
    says: 'max_tokens is too large: 100000. This model supports at most 16384 completion tokens.',
  },
  {
    from: 'anthropic',
    status: 400,
    says: anthropic(
      'invalid_request_error',
      'max_tokens: 100000 > 64000, which is the maximum allowed number of output tokens for claude-x-1',
    ),
  },
  {
    from: 'anthropic',
    status: 400,
    says: anthropic(
      'invalid_request_error',
      'messages.0.content.1.image.source.base64: image exceeds 5 MB maximum: 6291456 bytes > 5242880 bytes',
    ),
  },
  {
    from: 'anthropic',
    status: 400,
    says: anthropic('invalid_request_error', 'Output blocked by content filtering policy'),
  },
  {
    from: 'anthropic',
    status: 400,
    says: anthropic('invalid_request_error', 'messages: text content blocks must be non-empty'),
  },
  {
    from: 'openai',
    status: 400,
    says: "Unsupported parameter: 'temperature' is not supported with this model.",
    code: 'unsupported_parameter',
  },
  {
    from: 'openai',
    status: 400,
    says: "Previous response with id 'resp_x' not found.",
    code: 'previous_response_not_found',
  },
  { from: 'gemini', status: 400, says: 'Please use a valid role: user, model.' },
  {
    from: 'openrouter',
    status: 403,
    says: 'Your chosen model requires moderation and your input was flagged for "x".',
  },
  {
    from: 'azure',
    status: 400,
    says: 'The response was filtered due to the prompt triggering the content management policy.',
    code: 'content_filter',
  },
  {
    from: 'dashscope',
    status: 400,
    says: 'Output data may contain inappropriate content.',
    code: 'DataInspectionFailed',
  },
  { from: 'deepseek', status: 422, says: 'Failed to deserialize the JSON body' },
  {
    from: 'some-relay',
    status: 422,
    says: {
      detail: [
        {
          loc: ['body', 'messages'],
          msg: 'field required',
          type: 'value_error.missing',
          input: 'rate limit 429 account has been suspended',
        },
      ],
    },
  },
  { from: 'some-relay', status: 405, says: 'Method Not Allowed' },
  { from: 'some-relay', status: 400, says: 'The model x-1 does not support image input' },
  { from: 'some-relay', status: 400, says: 'Invalid value for tools[0].name: too long' },
])

of('not_found', [
  { from: 'openrouter', status: 404, says: 'No endpoints found for vendor/model-x.' },
  { from: 'openrouter', status: 400, says: 'vendor/model-x is not a valid model ID' },
  { from: 'deepseek', status: 400, says: 'Model Not Exist' },
  { from: 'mistral', status: 400, says: { message: 'Invalid model: nope', code: '1500', type: 'invalid_model' } },
  { from: 'ollama', status: 404, says: { error: "model 'x:7b' not found, try pulling it first" } },
  { from: 'fireworks', status: 404, says: 'Model not found, inaccessible, and/or not deployed' },
  { from: 'bedrock', status: 400, says: { message: 'The provided model identifier is invalid.' } },
  { from: 'nvidia', status: 404, says: { detail: "Function 'x': Not found for account 'y'" } },
  { from: 'github-copilot', status: 400, says: 'The requested model is not supported.', code: 'model_not_supported' },
  {
    from: 'siliconflow',
    status: 400,
    says: { code: 20012, message: 'Model does not exist. Please check it carefully.' },
  },
  { from: 'glm', status: 400, says: '模型不存在，请检查模型代码。', code: '1211' },
  { from: 'glm-coding', status: 429, says: '当前订阅套餐暂未开放GLM-X权限', code: '1311' },
  {
    from: 'openai',
    status: 403,
    says: 'Project `proj_x` does not have access to model `gpt-x-1`',
    code: 'model_not_found',
  },
  { from: 'some-relay', status: 429, says: 'Model m1 is not included in your plan' },
  { from: 'some-relay', status: 410, says: 'gone' },
  { from: 'some-relay', status: 404, says: { detail: 'Not Found' } },
  { from: 'cloudflare-ai', status: 400, says: { errors: [{ code: 5007, message: 'No such model x or task' }] } },
  {
    from: 'volcengine',
    status: 404,
    says: 'The model or endpoint x does not exist or you do not have access to it.',
    code: 'InvalidEndpointOrModel.NotFound',
  },
  {
    from: 'cerebras',
    status: 404,
    says: { message: 'Model x does not exist or you do not have access to it.', code: 'model_not_found' },
  },
  { from: 'anthropic', status: 404, says: '<html>404</html>' },
])
