// The settings in force as the shell sees them; the defaults while the data is not open.
import { SETTINGS, type Settings } from '../core/contract/settings'
import type { Gateway } from '../core/gateway'

const DEFAULTS = Object.freeze(
  Object.fromEntries(Object.entries(SETTINGS).map(([key, { fallback }]) => [key, fallback])),
) as unknown as Settings

export const settingsOf = (gateway: Pick<Gateway, 'parts'>): Settings =>
  gateway.parts()?.settings.snapshot() ?? DEFAULTS
