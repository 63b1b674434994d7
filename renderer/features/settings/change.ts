import type { CallInput, IpcError } from '../../../core/contract/ipc'
import { call } from '../../app/client'
import { ready } from '../../app/loadable'
import { setPushed } from '../../app/pushed'

/** Stores one setting; null when it went well, otherwise why not. Main checks it: its word is final. */
export async function changeSetting(
  key: string,
  value: CallInput<'settings:change'>['value'],
): Promise<IpcError | null> {
  const answer = await call('settings:change', { key, value })
  if (!answer.ok) return answer.error
  setPushed({ settings: ready(answer.value) })
  return null
}
