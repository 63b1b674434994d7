// Made-up requests for the fake core. Development only.

import { METRICS_BUCKET_MS } from '../../core/contract/kinds'
import type { AttemptView, MetricsBucket, RequestView } from '../../core/contract/views'

let seed = 7
/** The same numbers each time, so that two screenshots can be compared. */
const random = (): number => {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
  return seed / 2_147_483_648
}
const pick = <T>(list: readonly [T, ...T[]]): T => list[Math.floor(random() * list.length)] ?? list[0]

const MODELS = [
  'openai/gpt-5.1-mini',
  'openai/gpt-5.1',
  'openrouter/qwen/qwen3-coder-480b',
  'anthropic/claude-sonnet-5',
  'lab/llama-4-scout',
] as const
const TOOLS = ['Claude Code', 'aider', 'Zed', 'openai-python', 'breakwater-window'] as const

const attempt = (index: number, model: string, at: number, fields: Partial<AttemptView>): AttemptView => {
  const [provider = '', ...rest] = model.split('/')
  return {
    index,
    provider,
    model: rest.join('/'),
    connectionId: `c${index + 1}`,
    connectionName: index === 0 ? 'work' : 'home',
    outcome: 'ok',
    status: 200,
    reason: null,
    message: '',
    next: '',
    startedAt: at,
    firstByteMs: 420,
    totalMs: 2400,
    ...fields,
  }
}

let counter = 0
export function makeRequest(at: number, forced?: Partial<RequestView>): RequestView {
  counter += 1
  const model = forced?.model ?? pick(MODELS)
  const kind = random()
  const firstByteMs = 180 + random() * 900
  const totalMs = firstByteMs + random() * 9000
  const failedFirst = attempt(0, model, at, {
    outcome: 'failed',
    status: 429,
    reason: 'rate_limit_exceeded',
    message: 'Rate limit reached for requests per minute: limit 60, used 60. Try again in 42s.',
    next: 'The key work is over its limit; home is another key, so it was tried next.',
    firstByteMs: 210,
    totalMs: 214,
  })
  const secondOk = attempt(1, model, at + 220, { firstByteMs, totalMs })
  const secondDown = attempt(1, model, at + 220, {
    outcome: 'failed',
    status: 503,
    reason: 'server_error',
    message: 'upstream connect error or disconnect/reset before headers',
    next: 'No other connection of this provider is left.',
    totalMs: 900,
  })
  const base: RequestView = {
    id: `req_${String(counter).padStart(4, '0')}${Math.floor(random() * 1e9).toString(36)}`,
    at,
    clientKey: 'main',
    tool: pick(TOOLS),
    endpoint: '/v1/chat/completions',
    dialect: 'openai-chat',
    model,
    target: model,
    stream: true,
    outcome: 'ok',
    status: 200,
    code: null,
    message: '',
    firstByteMs,
    totalMs,
    inputTokens: Math.floor(random() * 48_000),
    outputTokens: Math.floor(random() * 2400),
    attempts: [attempt(0, model, at, { firstByteMs, totalMs })],
  }
  if (kind < 0.1) return { ...base, attempts: [failedFirst, secondOk], ...forced }
  if (kind < 0.15)
    return {
      ...base,
      outcome: 'failed',
      status: 503,
      code: 'all_connections_failed',
      message: 'Both connections failed: work 429, home 503.',
      target: null,
      firstByteMs: null,
      inputTokens: null,
      outputTokens: null,
      attempts: [failedFirst, secondDown],
      ...forced,
    }
  if (kind < 0.18) return { ...base, outcome: 'aborted', status: 499, outputTokens: null, ...forced }
  if (kind < 0.2)
    return { ...base, outcome: 'truncated', message: 'The provider closed the connection after 214 words.', ...forced }
  return { ...base, ...forced }
}

export function makeHistory(count: number): RequestView[] {
  let at = Date.now()
  return Array.from({ length: count }, () => {
    at -= 2000 + random() * 26_000
    return makeRequest(at)
  })
}

export function makeBuckets(): MetricsBucket[] {
  const last = Math.floor(Date.now() / METRICS_BUCKET_MS) * METRICS_BUCKET_MS
  return Array.from({ length: 90 }, (_, index): MetricsBucket => {
    const wave = 5 + 4 * Math.sin(index / 9) + random() * 5
    const requests = index > 20 && index < 27 ? 0 : Math.max(0, Math.round(wave))
    const p50Ms = 900 + 500 * Math.sin(index / 13) + random() * 300
    return {
      at: last - (89 - index) * METRICS_BUCKET_MS,
      requests,
      failed: random() < 0.14 ? Math.min(requests, Math.ceil(random() * 3)) : 0,
      failedOver: 0,
      p50Ms: requests === 0 ? null : p50Ms,
      p95Ms: requests === 0 ? null : p50Ms * (1.8 + random()),
      firstByteP50Ms: requests === 0 ? null : 300,
    }
  })
}
