// Health in the browser's stand-in for the core: all is well, and nothing rests.
import type { CallInput, CallName, CallOutput } from '../../core/contract/ipc'
import { mergeResilience } from '../../core/contract/resilience-merge'
import type { ConnectionView } from '../../core/contract/views'
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

export function fakeHealthCalls(find: (id: string) => ConnectionView): Handlers {
  const refuse = (): never => {
    throw new Refused('This stand-in does not do that.')
  }
  const settings = () => [...mergeResilience({ env: {}, stored: undefined }).views]
  const generatedAt = new Date().toISOString()
  return {
    'health:breakers': () => [],
    'health:reset-breakers': () => ({ resetCount: 0 }),
    'health:cooldowns': () => ({ connections: [], generatedAt }),
    'health:clear-cooldowns': () => ({ cleared: 0, unchanged: 0, skippedTerminal: 0, lockoutsCleared: 0 }),
    'health:lockouts': () => [],
    'health:clear-lockouts': () => ({ removed: false }),
    'health:states': () => ({ connections: [], windowMs: 3_600_000, generatedAt }),
    'connections:reset': ({ id }) => find(id),
    'resilience:list': settings,
    'resilience:change': settings,
    'resilience:patch': refuse,
    'failures:explain': refuse,
    'rules:show': () => ({ customBannedSignals: [], autoDisableBannedAccounts: false, providerErrorRules: {} }),
    'settings:patch': refuse,
  }
}
