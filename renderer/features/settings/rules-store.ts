// A person's own rules about errors, and what is stored of them.
import { create } from 'zustand'
import type { ProviderErrorRules } from '../../../core/contract/error-rules'
import type { RulesView } from '../../../core/contract/health-operations'
import type { IpcError } from '../../../core/contract/ipc'
import { call } from '../../app/client'
import { fromAnswer, type Loadable, loading, ready } from '../../app/loadable'
import { showToast } from '../../ui/toast-store'
import type { RulePlace } from './rule-draft'

/** The rule that is edited; `place` null: a new one. */
export interface OpenRule {
  readonly place: RulePlace | null
  readonly provider: string
}

interface RulesState {
  readonly rules: Loadable<RulesView>
  readonly panel: OpenRule | null
}

export const useRules = create<RulesState>()(() => ({ rules: loading, panel: null }))

export const openRule = (panel: OpenRule | null): void => useRules.setState({ panel })

export async function loadRules(): Promise<void> {
  useRules.setState({ rules: fromAnswer(await call('rules:show')) })
}

/** Counts from the next error on. Null when it went well, otherwise why not. */
export async function saveRules(changes: Partial<RulesView>): Promise<IpcError | null> {
  const answer = await call('settings:patch', { changes })
  if (!answer.ok) return answer.error
  useRules.setState({ rules: ready(answer.value.rules) })
  return null
}

const UNDO_MS = 8_000

/** Done at once; can be taken back for eight seconds. */
export async function changeRules(next: ProviderErrorRules, before: ProviderErrorRules, said: string): Promise<void> {
  const refused = await saveRules({ providerErrorRules: next })
  if (refused !== null) return showToast({ text: refused.message, bad: true })
  showToast({
    text: said,
    forMs: UNDO_MS,
    action: { label: 'Undo', run: () => void saveRules({ providerErrorRules: before }) },
  })
}
