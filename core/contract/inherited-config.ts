// What combos take from the settings for all of them, where one says nothing itself.
import type { SetConfig } from './combo-config'
import type { Settings } from './settings'

export type ForAllCombos = Pick<
  Settings,
  'stickyRoundRobinLimit' | 'comboStickyRoundRobinLimit' | 'comboConcurrencyPerModel'
>

export const inheritedConfig = (settings: ForAllCombos): SetConfig => ({
  stickyRoundRobinLimit: settings.comboStickyRoundRobinLimit || settings.stickyRoundRobinLimit,
  concurrencyPerModel: settings.comboConcurrencyPerModel,
})
