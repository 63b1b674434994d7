// The resilience settings in force, for the pages that show and change them.
import { create } from 'zustand'
import type { IpcError } from '../../../core/contract/ipc'
import type { ResilienceSettingView } from '../../../core/contract/resilience-merge'
import type { ResilienceKey } from '../../../core/contract/resilience-settings'
import { call } from '../../app/client'
import { fromAnswer, type Loadable, loading, ready, valueOr } from '../../app/loadable'
import type { ResilienceValue } from './resilience-words'

export const useResilience = create<{ readonly views: Loadable<readonly ResilienceSettingView[]> }>()(() => ({
  views: loading,
}))

export async function loadResilience(): Promise<void> {
  useResilience.setState({ views: fromAnswer(await call('resilience:list')) })
}

/** Stores one value, or takes it back with null; felt at once. Null when it went well, otherwise why not. */
export async function changeResilience(key: ResilienceKey, value: ResilienceValue): Promise<IpcError | null> {
  const answer = await call('resilience:change', { key, value })
  if (!answer.ok) return answer.error
  useResilience.setState({ views: ready(answer.value) })
  return null
}

/** A number in force; null until it is here. A hook. */
export function useResilienceNumber(key: ResilienceKey): number | null {
  return useResilience(({ views }) => {
    const value = valueOr(views, null)?.find((view) => view.key === key)?.value
    return typeof value === 'number' ? value : null
  })
}
