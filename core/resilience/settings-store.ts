// The resilience settings in force. Stored as one object; a change is checked whole, written, and replaces the
// snapshot, which the state machines read anew at every decision: nothing needs a restart.
import {
  type ChangeIssue,
  changeableTree,
  checkChange,
  type MergedResilience,
  mergeResilience,
  type ResilienceSettingView,
  type ResilienceSources,
  withoutStored,
} from '../contract/resilience-merge'
import {
  isChangeable,
  RESILIENCE_KEYS,
  type ResilienceKey,
  type ResilienceSettings,
} from '../contract/resilience-settings'
import { badInput, GatewayError } from '../errors'
import type { SettingsTable } from '../store/settings-table'

/** A change that is refused as a whole. REST answers `{error: {message, details}}` with these details. */
export class SettingsRefusedError extends GatewayError {
  constructor(readonly issues: readonly ChangeIssue[]) {
    const [first] = issues
    const more = issues.length > 1 ? ` (and ${issues.length - 1} more)` : ''
    const said = first === undefined || first.field === '' ? first?.message : `${first.field} ${first.message}`
    super(
      'bad_input',
      400,
      `Nothing was changed: ${said ?? 'the input cannot be used'}${more}.`,
      first === undefined ? {} : { field: first.field },
    )
  }

  body(): { readonly error: { readonly message: string; readonly details: readonly ChangeIssue[] } } {
    return { error: { message: this.message, details: this.issues } }
  }
}

type Listener = (next: ResilienceSettings, previous: ResilienceSettings) => void

export interface ResilienceStore {
  snapshot(): ResilienceSettings
  /** Every row with its value and where it came from. */
  list(): readonly ResilienceSettingView[]
  /** What a person can change, as the object REST shows. */
  tree(): object
  /** Any subset of the object. @throws SettingsRefusedError; then nothing was changed */
  patch(change: unknown): void
  /** One value by its path; null takes the stored value back. @throws GatewayError 400 */
  change(key: string, value: unknown): void
  onChange(listener: Listener): () => void
  /** After an import wrote the table. */
  reload(): void
}

const KEY = 'resilienceSettings'
/** Two numbers that older tools still write by themselves, and where they belong now. */
const OLDER_KEYS = [
  ['requestRetry', 'maxRetries'],
  ['maxRetryIntervalSec', 'maxRetryWaitSec'],
] as const

export function createResilienceStore(table: SettingsTable, env: ResilienceSources['env']): ResilienceStore {
  const listeners = new Set<Listener>()
  const sources = (): ResilienceSources => ({ env, stored: storedIn(table.all()) })
  let merged: MergedResilience = mergeResilience(sources())
  const replace = (): void => {
    const previous = merged.settings
    merged = mergeResilience(sources())
    // The change is stored: one listener's fault must not keep it from the others.
    const faults: unknown[] = []
    for (const listener of listeners) {
      try {
        listener(merged.settings, previous)
      } catch (error) {
        faults.push(error)
      }
    }
    if (faults.length > 0) throw faults[0]
  }
  const store = (stored: object): void => {
    table.set(KEY, stored)
    const { waitForCooldown } = mergeResilience({ env, stored }).settings
    for (const [older, key] of OLDER_KEYS) table.set(older, waitForCooldown[key])
    replace()
  }
  const patch = (change: unknown): void => {
    const checked = checkChange(change, sources())
    if (!checked.ok) throw new SettingsRefusedError(checked.issues)
    store(checked.stored)
  }
  return {
    snapshot: () => merged.settings,
    list: () => merged.views,
    tree: () => changeableTree(merged.views),
    patch,
    change(key, value) {
      if (!isKey(key)) throw badInput('key', `There is no setting "${key}".`)
      if (value === null) store(withoutStored(sources().stored, key))
      else patch(changeOf(key, value))
    },
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    reload: replace,
  }
}

const isKey = (key: string): key is ResilienceKey =>
  (RESILIENCE_KEYS as readonly string[]).includes(key) && isChangeable(key as ResilienceKey)

const changeOf = (key: string, value: unknown): unknown =>
  key.split('.').reduceRight((inner, part) => ({ [part]: inner }), value)

function storedIn(all: ReadonlyMap<string, unknown>): unknown {
  if (all.has(KEY)) return all.get(KEY)
  const older = OLDER_KEYS.filter(([key]) => all.has(key)).map(([key, name]) => [name, all.get(key)])
  return older.length === 0 ? undefined : { waitForCooldown: Object.fromEntries(older) }
}
