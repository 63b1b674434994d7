import type { SettingKey, Settings } from '../../core/contract/settings'
import { NONE, valueOr } from './loadable'
import { usePushed } from './pushed'

/** One setting's value; null until the settings are here. A hook. */
export function useSetting<K extends SettingKey>(key: K): Settings[K] | null {
  return usePushed(({ settings }) => {
    const view = valueOr(settings, NONE).find((setting) => setting.key === key)
    return view === undefined ? null : (view.value as Settings[K])
  })
}
