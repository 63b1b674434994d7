// Health in the browser's stand-in for the core: what the made-up connections say of themselves, and rules that stay.
import type { ExplainedFailure } from '../../core/contract/explain'
import type { RulesView } from '../../core/contract/health-operations'
import type { BreakerView, CooldownRow, LockoutView } from '../../core/contract/health-views'
import type { CallInput, CallName, CallOutput } from '../../core/contract/ipc'
import { mergeResilience, withoutStored } from '../../core/contract/resilience-merge'
import { type ResilienceKey, rowOf } from '../../core/contract/resilience-settings'
import type { ConnectionView, ProviderView } from '../../core/contract/views'
import { Refused } from './refused'

type HealthCall = Extract<
  CallName,
  | `health:${string}`
  | `resilience:${string}`
  | `rules:${string}`
  | `failures:${string}`
  | 'connections:reset'
  | 'settings:patch'
>
type Handlers = { readonly [N in HealthCall]: (input: CallInput<N>) => CallOutput<N> }

const now = Date.now()
const ago = (seconds: number): number => now - seconds * 1000

const closed = (name: string): BreakerView => ({
  ...{ name, state: 'CLOSED', failureCount: 0, lastFailureTime: null, retryAfterMs: 0, lastFailureKind: null },
  ...{ openCycleCount: 0, kindFailureCounts: {}, degradationThreshold: 7, effectiveResetTimeout: 30_000 },
  ...{ transitionHistory: [], since: null, until: null },
})

const breakers = (): BreakerView[] => [
  {
    ...closed('openai'),
    transitionHistory: [
      { from: 'CLOSED', to: 'DEGRADED', timestamp: ago(40_000), failureCount: 7, reason: 'degradation-threshold' },
      { from: 'DEGRADED', to: 'OPEN', timestamp: ago(39_000), failureCount: 12, reason: 'failure-threshold' },
      { from: 'OPEN', to: 'HALF_OPEN', timestamp: ago(38_000), failureCount: 12, reason: 'cooldown-over' },
      { from: 'HALF_OPEN', to: 'CLOSED', timestamp: ago(37_990), failureCount: 0, reason: 'probe-success' },
    ],
    since: ago(37_990),
  },
  {
    ...closed('openrouter'),
    ...{ state: 'DEGRADED', failureCount: 8, lastFailureKind: 'transient', lastFailureTime: ago(50) },
    ...{ since: ago(130), until: now + 70_000 },
    transitionHistory: [
      { from: 'CLOSED', to: 'DEGRADED', timestamp: ago(130), failureCount: 7, reason: 'degradation-threshold' },
    ],
  },
]

function row({ id, provider, name, priority, enabled, state, why, keyMask }: ConnectionView): CooldownRow {
  const until = state === 'resting' ? now + 47_000 : null
  const terminal = state === 'needs-you'
  return {
    ...{ id, provider, name, priority, isActive: enabled, backoffLevel: until === null ? 0 : 2, lockouts: [] },
    authType: keyMask === null ? 'oauth' : 'apikey',
    status: terminal ? 'terminal' : until !== null ? 'cooling_down' : enabled ? 'healthy' : 'unavailable',
    testStatus: terminal ? 'expired' : until !== null ? 'unavailable' : 'active',
    rateLimitedUntil: until === null ? null : new Date(until).toISOString(),
    cooldownRemainingMs: until === null ? 0 : until - now,
    errorCode: terminal ? 401 : until === null ? null : 429,
    lastErrorType: terminal ? 'auth_error' : until === null ? null : 'rate_limit_exceeded',
    lastErrorAt: terminal || until !== null ? new Date(ago(13)).toISOString() : null,
    gate:
      until !== null
        ? { gate: 'cooldown', reason: 'rate_limit_exceeded', since: ago(13), until, why, endsBy: 'time' }
        : terminal
          ? { gate: 'terminal', reason: 'auth_error', since: ago(5400), until: null, why, endsBy: 'person' }
          : null,
  }
}

const lockout = (): LockoutView => ({
  ...{ provider: 'openrouter', connectionId: 'c5', connection: 'c5' },
  connectionName: 'spare with a rather long name for a key',
  ...{ model: 'qwen/qwen3-coder-480b', reason: 'quota_exhausted', remainingMs: 240_000, failureCount: 2 },
  why: '429: Daily limit reached for this model.',
  since: new Date(now - 60_000).toISOString(),
  expiresAt: new Date(now + 240_000).toISOString(),
})

const EXPLAINED: Omit<ExplainedFailure, 'id'> = {
  ...{ kind: 'rate_limit', reason: 'rate_limit_exceeded', scope: 'connection', retryAfterMs: 20_000, rule: 'status' },
  consequences: { breaker: false, cooldownMs: 20_000, lockout: null, terminal: null, next: 'next-connection' },
}

export function fakeHealthCalls(
  providers: () => readonly ProviderView[],
  edit: (id: string, how: (connection: ConnectionView) => ConnectionView) => ConnectionView,
): Handlers {
  let stored: object = {}
  let open = breakers()
  let locked = [lockout()]
  let rules: RulesView = {
    customBannedSignals: ['account is closed by the owner'],
    autoDisableBannedAccounts: false,
    providerErrorRules: {
      openrouter: [{ status: 429, match: 'weekly cap', scope: 'connection', reason: 'quota_exhausted' }],
    },
  }
  const views = () => [...mergeResilience({ env: { PROVIDER_COOLDOWN_MIN_MS: '7000' }, stored }).views]
  const rows = (): CooldownRow[] => providers().flatMap(({ connections }) => connections.map(row))
  const well = (connection: ConnectionView): ConnectionView => ({ ...connection, state: 'healthy', why: '' })
  const clear = (wanted: (row: CooldownRow) => boolean): CallOutput<'health:clear-cooldowns'> => {
    const asked = rows().filter(wanted)
    const cleared = asked.filter(({ status }) => status === 'cooling_down')
    for (const { id } of cleared) edit(id, well)
    const skippedTerminal = asked.filter(({ status }) => status === 'terminal').length
    return { cleared: cleared.length, unchanged: 0, skippedTerminal, lockoutsCleared: 0 }
  }
  return {
    'health:breakers': () => open,
    'health:reset-breakers': ({ provider }) => {
      const before = open
      open = open.map((each) => (provider === undefined || each.name === provider ? closed(each.name) : each))
      return { resetCount: provider === undefined ? before.length : 1 }
    },
    'health:cooldowns': () => ({ connections: rows(), generatedAt: new Date().toISOString() }),
    'health:clear-cooldowns': (input) =>
      clear((each) =>
        'connectionIds' in input
          ? input.connectionIds.includes(each.id)
          : input.provider === undefined || input.provider === each.provider,
      ),
    'health:lockouts': () => locked,
    'health:clear-lockouts': () => {
      const removed = locked.length > 0
      locked = []
      return { removed }
    },
    'health:states': () => ({ connections: [], windowMs: 3_600_000, generatedAt: new Date().toISOString() }),
    'connections:reset': ({ id }) => edit(id, well),
    'resilience:list': views,
    'resilience:change': ({ key, value }) => {
      if (key === 'providerBreaker.apikey.degradationThreshold' && typeof value === 'number' && value >= 12)
        throw new Refused(`Nothing was changed: ${key} must be less than failureThreshold (12).`, key)
      const isTakenBack = value === null && rowOf(key as ResilienceKey).kind !== 'optional-bool'
      stored = isTakenBack ? withoutStored(stored, key as ResilienceKey) : withValue(stored, key.split('.'), value)
      return views()
    },
    'resilience:patch': () => {
      throw new Refused('This stand-in does not do that.')
    },
    'failures:explain': ({ id = '' }) => ({ id, ...EXPLAINED }),
    'rules:show': () => rules,
    'settings:patch': ({ changes }) => {
      rules = { ...rules, ...changes }
      return { settings: [], rules }
    },
  }
}

function withValue(tree: object, [head = '', ...rest]: readonly string[], value: unknown): object {
  const below = (tree as Record<string, unknown>)[head]
  return { ...tree, [head]: rest.length === 0 ? value : withValue((below ?? {}) as object, rest, value) }
}
