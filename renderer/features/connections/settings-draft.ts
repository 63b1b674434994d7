// The settings of one connection as a form holds them, and what of them is sent. What is empty is not set. Pure.
import type { ConnectionSettings, ConnectionSettingsPatch } from '../../../core/contract/connection-settings'
import { THRESHOLD_NAMES } from '../../../core/contract/quota-words'

/** Numbers inside `rateLimitOverrides`. */
export const LIMITS = [
  'rpm',
  'rpd',
  'tpm',
  'tpd',
  'minTime',
  'maxConcurrent',
  'maxWaitMs',
  'executionMaxWaitMs',
] as const
export type LimitName = (typeof LIMITS)[number]

const SWITCHES = [
  'disableCooling',
  'rateLimitProtection',
  'lowPriorityMode',
  'autoLimitReset',
  'egressRotating',
] as const
export type SwitchName = (typeof SWITCHES)[number]

export interface SettingsDraft {
  readonly switches: Readonly<Record<SwitchName, boolean>>
  /** As typed. */
  readonly maxConcurrent: string
  readonly weight: string
  readonly limits: Readonly<Record<LimitName, string>>
  /** One "model=cap" a line. */
  readonly modelConcurrency: string
  /** One "window=percent" a line. */
  readonly quotaThresholds: string
  /** Empty: as the provider has it. */
  readonly perModelQuota: '' | 'yes' | 'no'
  readonly organizationUUID: string
}

/** As the core names them. */
export type SettingsField =
  | 'settings.maxConcurrent'
  | 'settings.weight'
  | 'settings.organizationUUID'
  | 'settings.quotaWindowThresholds'
  | 'settings.rateLimitOverrides.modelConcurrency'
  | `settings.rateLimitOverrides.${LimitName}`
export type SettingsErrors = Partial<Record<SettingsField, string>>

export const SETTINGS_FIELDS: readonly SettingsField[] = [
  ...(['settings.maxConcurrent', 'settings.weight', 'settings.organizationUUID'] as const),
  'settings.quotaWindowThresholds',
  'settings.rateLimitOverrides.modelConcurrency',
  ...LIMITS.map((name) => `settings.rateLimitOverrides.${name}` as const),
]

/** One "name=number" a line. */
const linesOf = (numbers: Readonly<Record<string, number>>): string =>
  Object.entries(numbers)
    .map(([name, number]) => `${name}=${number}`)
    .join('\n')

const numberText = (value: number | undefined): string => (value === undefined ? '' : String(value))

export function settingsDraft(settings: ConnectionSettings): SettingsDraft {
  const { rateLimitOverrides: overrides = {}, perModelQuota, quotaWindowThresholds = {} } = settings
  const { modelConcurrency = {} } = overrides
  return {
    switches: Object.fromEntries(SWITCHES.map((name) => [name, settings[name] === true])) as SettingsDraft['switches'],
    maxConcurrent: numberText(settings.maxConcurrent),
    weight: numberText(settings.weight),
    limits: Object.fromEntries(LIMITS.map((name) => [name, numberText(overrides[name])])) as SettingsDraft['limits'],
    modelConcurrency: linesOf(modelConcurrency),
    quotaThresholds: linesOf(quotaWindowThresholds),
    perModelQuota: perModelQuota === undefined ? '' : perModelQuota ? 'yes' : 'no',
    organizationUUID: settings.organizationUUID ?? '',
  }
}

type ReadCaps =
  | { readonly ok: true; readonly caps: Record<string, number> }
  | { readonly ok: false; readonly message: string }

/** "glm-5=2", one a line. A model's name may hold "=" itself: the last one counts. */
export function readCaps(text: string): ReadCaps {
  const caps: Record<string, number> = {}
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    const [, model, cap] = /^(.+)=\s*(\d+)$/.exec(line.trim()) ?? []
    if (model === undefined || model.trim() === '' || Number(cap) < 1)
      return { ok: false, message: `Line ${index + 1}: write model=cap with a whole number from 1, such as glm-5=2.` }
    if (Object.hasOwn(caps, model.trim()))
      return { ok: false, message: `Line ${index + 1}: ${model.trim()} has a cap already.` }
    caps[model.trim()] = Number(cap)
  }
  return { ok: true, caps }
}

type ReadThresholds =
  | { readonly ok: true; readonly thresholds: Record<string, number> }
  | { readonly ok: false; readonly message: string }

const WINDOWS = Object.values(THRESHOLD_NAMES).flat()

/** "weekly=10", one a line. */
export function readThresholds(text: string): ReadThresholds {
  const thresholds: Record<string, number> = {}
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    const [, name = '', percent] = /^([^=]+)=\s*(\d{1,2})$/.exec(line.trim()) ?? []
    const window = name.trim().toLowerCase()
    if (!WINDOWS.includes(window) || percent === undefined)
      return {
        ok: false,
        message: `Line ${index + 1}: write 5h, daily, 7d, monthly or total, =, and a whole number up to 99.`,
      }
    if (Object.hasOwn(thresholds, window))
      return { ok: false, message: `Line ${index + 1}: ${window} is there already.` }
    thresholds[window] = Number(percent)
  }
  return { ok: true, thresholds }
}

const isWhole = (text: string): boolean => /^\d*$/.test(text.trim())
const NOT_WHOLE = 'A whole number, or nothing.'

/** What the form itself can tell; how large each may be, the core says. */
export function checkSettings({
  maxConcurrent,
  weight,
  limits,
  modelConcurrency,
  quotaThresholds,
}: SettingsDraft): SettingsErrors {
  const caps = readCaps(modelConcurrency)
  const thresholds = readThresholds(quotaThresholds)
  const wrong = LIMITS.filter((name) => !isWhole(limits[name]))
  return {
    ...(isWhole(maxConcurrent) ? {} : { 'settings.maxConcurrent': NOT_WHOLE }),
    ...(isWhole(weight) ? {} : { 'settings.weight': NOT_WHOLE }),
    ...Object.fromEntries(wrong.map((name) => [`settings.rateLimitOverrides.${name}`, NOT_WHOLE])),
    ...(caps.ok ? {} : { 'settings.rateLimitOverrides.modelConcurrency': caps.message }),
    ...(thresholds.ok ? {} : { 'settings.quotaWindowThresholds': thresholds.message }),
  }
}

/** null: it is to be cleared. */
const numberOf = (text: string): number | null => (text.trim() === '' ? null : Number(text))

/** Only what differs from what is set; undefined: nothing does. */
export function settingsPatch(draft: SettingsDraft, settings: ConnectionSettings): ConnectionSettingsPatch | undefined {
  const before = settingsDraft(settings)
  const patch: ConnectionSettingsPatch = {}
  for (const name of SWITCHES) {
    if (draft.switches[name] !== before.switches[name]) patch[name] = draft.switches[name] ? true : null
  }
  if (draft.maxConcurrent.trim() !== before.maxConcurrent) patch.maxConcurrent = numberOf(draft.maxConcurrent)
  if (draft.weight.trim() !== before.weight) patch.weight = numberOf(draft.weight)
  if (draft.perModelQuota !== before.perModelQuota)
    patch.perModelQuota = draft.perModelQuota === '' ? null : draft.perModelQuota === 'yes'
  if (draft.organizationUUID.trim() !== before.organizationUUID)
    patch.organizationUUID = draft.organizationUUID.trim() === '' ? null : draft.organizationUUID.trim()
  const thresholds = readThresholds(draft.quotaThresholds)
  if (draft.quotaThresholds.trim() !== before.quotaThresholds && thresholds.ok)
    patch.quotaWindowThresholds = Object.keys(thresholds.thresholds).length === 0 ? null : thresholds.thresholds
  const overrides = overridesPatch(draft, before)
  if (Object.keys(overrides).length > 0) patch.rateLimitOverrides = overrides
  return Object.keys(patch).length === 0 ? undefined : patch
}

function overridesPatch(
  draft: SettingsDraft,
  before: SettingsDraft,
): NonNullable<ConnectionSettingsPatch['rateLimitOverrides']> {
  const changed = LIMITS.filter((name) => draft.limits[name].trim() !== before.limits[name])
  const [now, then] = [readCaps(draft.modelConcurrency), readCaps(before.modelConcurrency)]
  const sameCaps = now.ok && then.ok && JSON.stringify(now.caps) === JSON.stringify(then.caps)
  return {
    ...Object.fromEntries(changed.map((name) => [name, numberOf(draft.limits[name])])),
    // What cannot be read differs, too: the form refuses it before it is sent.
    ...(sameCaps ? {} : { modelConcurrency: now.ok && Object.keys(now.caps).length > 0 ? now.caps : null }),
  }
}

/** Whether anything is set: then the section stands open. */
export const hasSettings = (settings: ConnectionSettings): boolean => Object.keys(settings).length > 0
