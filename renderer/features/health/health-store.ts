// What the health page shows: asked for again whenever the core says that something about providers has changed.
import { create } from 'zustand'
import type { BreakerView, CooldownRow, LockoutView } from '../../../core/contract/health-views'
import type { CallInput } from '../../../core/contract/ipc'
import { call, onPush } from '../../app/client'
import { type Loadable, loading, ready } from '../../app/loadable'
import { counted } from '../../ui/numbers'
import { showToast } from '../../ui/toast-store'
import type { CooldownFilter } from './cooldown-rows'
import { clearedWords } from './health-words'

export interface Health {
  readonly breakers: readonly BreakerView[]
  readonly connections: readonly CooldownRow[]
  readonly lockouts: readonly LockoutView[]
}

export type HealthTab = 'providers' | 'cooldowns' | 'explain'

interface HealthState {
  readonly tab: HealthTab
  readonly health: Loadable<Health>
  readonly filter: CooldownFilter
  /** Ids of connections. */
  readonly selected: ReadonlySet<string>
}

export const useHealth = create<HealthState>()(() => ({
  tab: 'providers',
  health: loading,
  filter: { provider: '', shown: 'out' },
  selected: new Set(),
}))

const { getState: get, setState: set } = useHealth
/** Several changes at once make one new picture. */
const PAUSE_MS = 250
let generation = 0
let timer: ReturnType<typeof setTimeout> | null = null

export async function loadHealth(): Promise<void> {
  generation += 1
  const mine = generation
  const [breakers, cooldowns, lockouts] = await Promise.all([
    call('health:breakers'),
    call('health:cooldowns', {}),
    call('health:lockouts'),
  ])
  if (mine !== generation) return
  const failed = [breakers, cooldowns, lockouts].find((answer) => !answer.ok)
  if (failed !== undefined && !failed.ok) set({ health: { at: 'failed', error: failed.error } })
  if (breakers.ok && cooldowns.ok && lockouts.ok)
    set({
      health: ready({
        breakers: breakers.value,
        connections: cooldowns.value.connections,
        lockouts: lockouts.value,
      }),
    })
}

function loadSoon(): void {
  if (timer !== null) return
  timer = setTimeout(() => {
    timer = null
    void loadHealth()
  }, PAUSE_MS)
}

/** Returns how it stops. */
export function followHealth(): () => void {
  void loadHealth()
  const stop = onPush('providers:changed', loadSoon)
  return () => {
    stop()
    if (timer !== null) clearTimeout(timer)
    timer = null
  }
}

export const setFilter = (change: Partial<CooldownFilter>): void =>
  set({ filter: { ...get().filter, ...change }, selected: new Set() })

export const select = (selected: ReadonlySet<string>): void => set({ selected })

/** Ends rests and model cooldowns; what needs a person stays, and the message says so. */
export async function clearCooldowns(which: CallInput<'health:clear-cooldowns'>): Promise<void> {
  const answer = await call('health:clear-cooldowns', which)
  showToast(answer.ok ? { text: clearedWords(answer.value) } : { text: answer.error.message, bad: true })
  if (answer.ok) set({ selected: new Set() })
  await loadHealth()
}

/** @param provider null: all of them */
export async function resetBreakers(provider: { readonly id: string; readonly label: string } | null): Promise<void> {
  const answer = await call('health:reset-breakers', provider === null ? {} : { provider: provider.id })
  const words = (count: number): string =>
    provider !== null ? `The breaker of ${provider.label} is closed.` : `Closed ${counted(count, 'breaker')}.`
  showToast(answer.ok ? { text: words(answer.value.resetCount) } : { text: answer.error.message, bad: true })
  await loadHealth()
}

/** @param lockout null: all of them */
export async function clearLockouts(lockout: LockoutView | null): Promise<void> {
  const answer = await call(
    'health:clear-lockouts',
    lockout === null
      ? { all: true }
      : { provider: lockout.provider, connection: lockout.connectionId, model: lockout.model },
  )
  const done = lockout === null ? 'All models are in use again.' : `${lockout.model} is in use again.`
  const none = lockout === null ? 'No model rested.' : `${lockout.model} was in use already.`
  showToast(answer.ok ? { text: answer.value.removed ? done : none } : { text: answer.error.message, bad: true })
  await loadHealth()
}
