// What a provider answers at a moment: crafted as real ones write it, so that it is judged by the same rules as in the
// gateway. Keeps count of each connection's minute and of its allowances.
import type { Outcome } from '../../../core/pipeline/outcome'
import { bell, luck } from './luck'
import type { SimRequest } from './traffic'
import { isDuring, type ModelSpec, OFFLINE, type ProviderSpec, type Trouble } from './world'

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const FIVE_HOURS_MS = 5 * HOUR_MS
const WEEK_MS = 7 * DAY_MS
/** So long the gateway waits for a connection to be made. */
const HANGS_MS = 30_000

export interface Reply {
  /** Milliseconds until the first content, or the failure. */
  readonly afterMs: number
  /** From there to the end. */
  readonly streamMs: number
  readonly headers: Readonly<Record<string, string>>
  /** null: it is an answer. */
  readonly failure: Outcome | null
}

export interface Call {
  readonly request: SimRequest
  readonly model: ModelSpec
  /** Milliseconds from the start of the day. */
  readonly at: number
  /** How often this request has been tried here before. */
  readonly again: number
}

interface Allowance {
  readonly limit: number
  readonly lengthMs: number
  used: number
  resetsAt: number
}

/** One connection, as its provider sees it. */
export class UpstreamKey {
  private readonly lastMinute: number[] = []
  private readonly fiveHours: Allowance | null
  private readonly week: Allowance | null

  /** @param index of all connections. @param place among those of the provider. @param midnight wall-clock milliseconds */
  constructor(
    private readonly provider: ProviderSpec,
    private readonly index: number,
    private readonly place: number,
    private readonly seed: number,
    private readonly midnight: number,
  ) {
    const { quota } = provider
    const allowance = (limit: number, lengthMs: number, n: number): Allowance => {
      // It began before the day did.
      return {
        limit,
        lengthMs,
        used: limit * 0.6 * luck(seed, index, n),
        resetsAt: lengthMs * luck(seed, index, n + 1),
      }
    }
    this.fiveHours = quota === null ? null : allowance(quota.fiveHours, FIVE_HOURS_MS, 1)
    this.week = quota === null ? null : allowance(quota.week, WEEK_MS, 3)
  }

  /** Whether the credential is accepted: what a call that costs nothing would find out. */
  isAccepted(at: number): boolean {
    return this.trouble(at, 'key-dead') === undefined
  }

  ask(call: Call): Reply {
    const { request, model, at, again } = call
    const quick = 60 + 120 * luck(this.seed, request.id, this.index, again, 7)
    const refusal = this.refusal(call)
    if (refusal !== null) {
      const isHanging = refusal.kind === 'timeout'
      return { afterMs: isHanging ? HANGS_MS : quick, streamMs: 0, headers: headersOf(refusal), failure: refusal }
    }
    const pace = this.pace(call)
    const firstMs = (model.firstMs + request.inputTokens / 100) * pace
    const streamMs = request.outputTokens * model.tokenMs * pace
    if (luck(this.seed, request.id, this.index, again, 8) < this.provider.flakiness) {
      return { afterMs: firstMs, streamMs: 0, headers: {}, failure: said(500, {}, 'Internal server error') }
    }
    this.lastMinute.push(at)
    const tokens = request.inputTokens + request.outputTokens
    for (const allowance of [this.fiveHours, this.week]) if (allowance !== null) allowance.used += tokens
    return { afterMs: firstMs, streamMs, headers: this.quotaHeaders(at, null), failure: null }
  }

  /** How much slower than in a quiet hour. */
  private pace({ request, at, again }: Call): number {
    const { peak, noise } = this.provider
    const wave = (1 + Math.cos((2 * Math.PI * (at - peak.at * HOUR_MS)) / DAY_MS)) / 2
    const slow = this.trouble(at, 'slow')
    const hour = 1 + (peak.factor - 1) * wave ** 2
    const chance = Math.exp(noise * bell(this.seed, request.id, this.index, again))
    return hour * chance * (slow?.kind === 'slow' ? slow.factor : 1)
  }

  private refusal({ model: { model }, request, at }: Call): Outcome | null {
    if (isDuring(OFFLINE, at / HOUR_MS)) return { kind: 'network', code: 'ENOTFOUND' }
    if (this.trouble(at, 'unreachable') !== undefined) return { kind: 'network', code: 'ECONNREFUSED' }
    if (this.trouble(at, 'hanging') !== undefined) return { kind: 'timeout', phase: 'connect' }
    if (this.trouble(at, 'unavailable') !== undefined) return said(503, {}, 'Service Unavailable')
    if (this.trouble(at, 'overloaded') !== undefined) return said(529, {}, 'Overloaded', 'overloaded_error')
    if (this.trouble(at, 'key-dead') !== undefined)
      return said(401, {}, 'Incorrect API key provided.', 'invalid_request_error', 'invalid_api_key')
    if (this.trouble(at, 'no-money') !== undefined)
      return said(402, {}, 'Insufficient Balance', 'unknown_error', 'invalid_request_error')
    const gone = this.trouble(at, 'model-gone')
    if (gone?.kind === 'model-gone' && gone.model === model)
      return said(404, {}, `The model \`${model}\` does not exist.`, 'invalid_request_error', 'model_not_found')
    const down = this.trouble(at, 'model-down')
    if (down?.kind === 'model-down' && down.model === model)
      return said(503, {}, 'The model is overloaded. Please try again later.', 'UNAVAILABLE')
    return this.spentQuota(at, request) ?? this.rateLimit(at)
  }

  private spentQuota(at: number, { inputTokens }: SimRequest): Outcome | null {
    for (const allowance of [this.fiveHours, this.week]) if (allowance !== null) renew(allowance, at)
    // The week before the five hours: whoever has spent both waits for the later one.
    const spent = [this.week, this.fiveHours].find((one) => one !== null && one.used + inputTokens > one.limit)
    if (spent === undefined || spent === null) return null
    spent.used = spent.limit
    const seconds = Math.ceil((spent.resetsAt - at) / 1_000)
    const headers = this.quotaHeaders(at, spent)
    if (this.provider.id === 'codex') {
      const error = { type: 'usage_limit_reached', message: 'The usage limit has been reached' }
      const text = JSON.stringify({ error: { ...error, plan_type: 'plus', resets_in_seconds: seconds } })
      return { kind: 'http', status: 429, headers, text }
    }
    const words = 'This request would exceed your account’s rate limit. Please try again later.'
    return said(429, { ...headers, 'retry-after': String(seconds) }, words, 'rate_limit_error')
  }

  private rateLimit(at: number): Outcome | null {
    while ((this.lastMinute[0] ?? at) <= at - MINUTE_MS) this.lastMinute.shift()
    const [oldest] = this.lastMinute
    if (oldest === undefined || this.lastMinute.length < this.provider.requestsPerMinute) return null
    const seconds = Math.ceil((oldest + MINUTE_MS - at) / 1_000)
    const words = `Rate limit reached for requests per min (RPM): Limit ${this.provider.requestsPerMinute}.`
    return said(429, { 'retry-after': String(seconds) }, words, 'requests', 'rate_limit_exceeded')
  }

  /** As the two providers that tell of their windows do. @param spent the one that refuses */
  private quotaHeaders(at: number, spent: Allowance | null): Record<string, string> {
    const { fiveHours, week } = this
    if (fiveHours === null || week === null) return {}
    if (this.provider.id === 'codex') {
      const window = (which: string, { used, limit, resetsAt }: Allowance, minutes: number) => ({
        [`x-codex-${which}-used-percent`]: String(Math.min(100, (100 * used) / limit)),
        [`x-codex-${which}-reset-after-seconds`]: String(Math.ceil((resetsAt - at) / 1_000)),
        [`x-codex-${which}-window-minutes`]: String(minutes),
      })
      return { ...window('primary', fiveHours, 300), ...window('secondary', week, 10_080) }
    }
    const window = (name: string, { used, limit, resetsAt }: Allowance) => ({
      [`anthropic-ratelimit-unified-${name}-utilization`]: String(Math.min(1, used / limit)),
      [`anthropic-ratelimit-unified-${name}-reset`]: String(Math.ceil((this.midnight + resetsAt) / 1_000)),
    })
    return {
      'anthropic-ratelimit-unified-status': spent === null ? 'allowed' : 'rejected',
      ...(spent !== null && {
        'anthropic-ratelimit-unified-representative-claim': spent === week ? 'seven_day' : 'five_hour',
      }),
      ...window('5h', fiveHours),
      ...window('7d', week),
    }
  }

  private trouble(at: number, kind: Trouble['kind']): Trouble | undefined {
    const hour = at / HOUR_MS
    return this.provider.troubles.find(
      (one) => one.kind === kind && isDuring(one, hour) && (!('connection' in one) || one.connection === this.place),
    )
  }
}

function renew(allowance: Allowance, at: number): void {
  while (allowance.resetsAt <= at) {
    allowance.resetsAt += allowance.lengthMs
    allowance.used = 0
  }
}

const said = (
  status: number,
  headers: Readonly<Record<string, string>>,
  message: string,
  type = 'server_error',
  code: string | null = null,
): Outcome => ({ kind: 'http', status, headers, text: JSON.stringify({ error: { message, type, code } }) })

const headersOf = (outcome: Outcome): Readonly<Record<string, string>> =>
  outcome.kind === 'http' ? outcome.headers : {}
