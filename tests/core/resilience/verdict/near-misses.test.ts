// Texts that look like a rule's and are not.
import { describe, expect, it } from 'vitest'
import type { Kind } from '../../../../core/contract/explain'
import { verdictOf } from './signals-of'

type Row = [status: number, says: string, provider?: string]

const are = (kind: Kind, name: string, given: Row[]): void => {
  describe(name, () => {
    it.each(given)(`%i: "%s" is ${kind}`, (status, says, provider = 'own') => {
      expect(verdictOf(provider, status, says).kind).toBe(kind)
    })
  })
}

describe('no ban', () => {
  are('rate_limit', 'but a limit', [
    [429, 'Your account has been temporarily suspended: too many requests. Try again in 30 seconds.'],
    [429, 'Requests from this user are blocked for now: rate limit'],
  ])
  are('credits', 'but money', [
    [403, 'Your account has been suspended due to insufficient balance'],
    [403, 'The organization is disabled because of an unpaid invoice'],
  ])
  are('auth', 'but a model or a right', [
    [403, 'This API key is restricted to certain models'],
    [403, 'Generative Language API has not been used in project 12 before or it is disabled'],
    [403, 'OAuth authentication is currently not allowed for this organization.'],
  ])
  are('server', 'but a fault', [
    [500, 'The account service has been disabled for maintenance'],
    [503, 'user is disabled'],
  ])
  are('bad_request', 'but a request', [
    [400, 'Invalid value "banned" for tool "account"'],
    [400, 'tools[0].name: user_disabled is too long'],
  ])
})

describe('no money', () => {
  are('quota_exhausted', 'but an allowance', [
    [429, 'Rate limit exceeded: free-models-per-day. Add 10 credits to unlock 1000 requests per day'],
    [429, 'You exceeded your current quota, please check your plan and billing details.'],
    [429, 'Daily spending limit reached'],
    [403, '该令牌额度已用尽'],
  ])
  are('rate_limit', 'but a minute', [
    [429, 'Quota exceeded: requests per minute. Check your plan and billing details.'],
    [429, 'You exceeded your current quota of tokens per minute, please check your plan and billing details.'],
  ])
  are('bad_request', 'but a request', [
    [400, 'Unknown parameter: credits'],
    [400, 'balance: field required'],
  ])
})

describe('no quota', () => {
  are('rate_limit', 'but a rate', [
    [429, 'Resource has been exhausted (e.g. check quota).', 'gemini'],
    [429, 'Rate limit exceeded, limit is 60 requests / minute'],
    [429, '您的账户已达到速率限制，请您控制请求频率', 'glm'],
    [429, 'Please retry in 59 minutes'],
  ])
  are('server', 'but a fault', [
    [500, 'quota service failed'],
    [502, 'daily maintenance'],
  ])
})

describe('no concurrency', () => {
  are('rate_limit', 'but a rate', [
    [429, 'Too many requests. Lower your concurrency or slow down.'],
    [429, 'Rate limit exceeded; lower your concurrency'],
  ])
  are('bad_request', 'but a request', [[400, 'parallel_tool_calls: must be boolean']])
})

describe('no overflow', () => {
  are('rate_limit', 'but a rate', [
    [429, 'Too many tokens, please wait before trying again.'],
    [429, 'Tokens per minute limit exceeded - too many tokens processed.'],
    [429, 'Rate limit reached on tokens per min (TPM): Limit 30000, Used 29000, Requested 5000.'],
    [429, 'context window requests are rate limited'],
  ])
  are('bad_request', 'but a request', [
    [400, 'context_management: Extra inputs are not permitted'],
    [400, 'max_tokens is too large: 100000'],
    [400, 'thinking.budget_tokens must be less than max_tokens'],
    [400, 'tools: at most 128 tools'],
  ])
})

describe('no missing model', () => {
  are('auth', 'but a credential', [
    [401, 'User not found.'],
    [401, 'API key not found: the model cannot be used'],
    [401, 'Model access requires a valid token'],
  ])
  are('bad_request', 'but a request', [
    [400, 'temperature is not supported with this model'],
    [400, 'The model gpt-x-1 does not support image input'],
    [400, 'Model m1 unknown parameter: foo'],
    [400, "Previous response with id 'r1' not found."],
  ])
  are('server', 'but a fault', [
    [500, 'the model crashed, trace not found'],
    [503, 'The model is currently unavailable'],
  ])
})

describe('no overload', () => {
  are('rate_limit', 'but a rate', [
    [429, 'Rate limit exceeded because of high demand'],
    [429, 'Too many requests for the service tier'],
  ])
})

describe('no wall', () => {
  are('auth', 'but a right', [
    [403, 'Forbidden'],
    [403, 'You must accept the terms first'],
  ])
})

describe('what a client sent and an upstream repeats', () => {
  const echo = 'rate limit: this account has been suspended, insufficient balance, prompt is too long'

  it.each([
    ['as input', { detail: [{ msg: 'field required', input: { text: echo } }] }],
    ['as messages', { error: { message: 'no' }, messages: [{ role: 'user', content: echo }] }],
    ['as a prompt', { message: 'no', prompt: echo }],
  ])('%s decides nothing', (_what, body) => {
    expect(verdictOf('own', 422, body)).toMatchObject({ kind: 'bad_request', rule: 'request' })
  })

  it('decides nothing in JSON that was cut off either', () => {
    const body = `{"error":{"message":"bad field","code":"invalid"},"input":"${`${echo} `.repeat(9_000)}"}`
    const broken = verdictOf('own', 400, JSON.parse(body))
    expect(broken.kind).toBe('bad_request')
  })
})
