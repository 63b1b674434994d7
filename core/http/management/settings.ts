// /api/settings: the settings of the process, and the rules about errors that stand beside them.
import { z } from 'zod'
import { RulesView } from '../../contract/health-operations'
import { SETTING_KEYS, type SettingKey } from '../../contract/settings'
import { SettingView } from '../../contract/views'
import { type ManagementRoute, route } from './route'

/** Values by name, as the wire has them; where each came from stands beside. */
const SettingsAnswer = z.object({
  ...(Object.fromEntries(SETTING_KEYS.map((key) => [key, SettingView.shape.value])) as Record<
    SettingKey,
    typeof SettingView.shape.value
  >),
  ...RulesView.shape,
  sources: z.record(z.string(), SettingView.shape.source),
  /** Sources that were ignored, and why. */
  warnings: z.record(z.string(), z.string()),
})

const Changes = z.record(z.string(), z.unknown()).meta({ title: 'SettingsChange' })

export const settingRoutes: readonly ManagementRoute[] = [
  route({
    method: 'GET',
    path: '/api/settings',
    about: 'Every setting with its value in force, where it came from, and the rules about errors.',
    answer: SettingsAnswer,
    run: async (_, { operations }) =>
      settingsJson(await operations['settings:list'](undefined), await operations['rules:show'](undefined)),
  }),
  route({
    method: 'PATCH',
    path: '/api/settings',
    about: 'Changes any of them, all or nothing; `null` takes a stored value back. Rules count from the next error on.',
    body: Changes,
    answer: SettingsAnswer,
    async run({ body }, { operations }) {
      const { settings, rules } = await operations['settings:patch']({ changes: body })
      return settingsJson(settings, rules)
    },
  }),
]

const settingsJson = (settings: readonly SettingView[], rules: RulesView): object => ({
  ...Object.fromEntries(settings.map(({ key, value }) => [key, value])),
  ...rules,
  sources: Object.fromEntries(settings.map(({ key, source }) => [key, source])),
  warnings: Object.fromEntries(settings.flatMap(({ key, warning }) => (warning === null ? [] : [[key, warning]]))),
})
