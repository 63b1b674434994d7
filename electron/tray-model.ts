// What the tray shows, as data: from the state of the gateway to icon, tooltip and menu. Pure.
import type { OverallState } from '../core/contract/kinds'
import { OVERALL_WORDS, STATE_WORDS } from '../core/contract/texts'
import type { GatewayStatus, ProviderView } from '../core/contract/views'
import { PRACTICE_ID } from '../core/providers/catalogue'

export type TrayAction =
  | { readonly kind: 'copy-address'; readonly url: string }
  | { readonly kind: 'pause'; readonly paused: boolean }
  | { readonly kind: 'open'; readonly page: string | null }
  | { readonly kind: 'quit' }

export type TrayItem =
  | { readonly kind: 'separator' }
  /** Something to read, not to click. */
  | { readonly kind: 'text'; readonly label: string }
  | { readonly kind: 'action'; readonly label: string; readonly action: TrayAction }

export interface TrayModel {
  readonly icon: OverallState
  readonly tooltip: string
  readonly items: readonly TrayItem[]
}

/** Menus of some desktops do not scroll. */
const PROVIDERS_SHOWN = 15
const LINE_LENGTH = 90

/** @param now epoch milliseconds: another day is named */
export function trayModel(status: GatewayStatus, providers: readonly ProviderView[], now: number): TrayModel {
  const { overall, overallWhy, listener } = status
  const headline = `Breakwater: ${OVERALL_WORDS[overall]}`
  const address: TrayItem[] =
    listener.kind === 'listening'
      ? [action(`Copy address ${listener.url}`, { kind: 'copy-address', url: listener.url })]
      : []
  const pause: TrayItem[] = canPause(status)
    ? [action(status.paused ? 'Resume gateway' : 'Pause gateway', { kind: 'pause', paused: !status.paused })]
    : []
  return {
    icon: overall,
    tooltip: overallWhy === '' ? headline : shorten(`${headline}. ${overallWhy}`),
    items: [
      text(headline),
      ...(overallWhy === '' ? [] : [text(overallWhy)]),
      ...address,
      ...group(providerItems(providers, now)),
      { kind: 'separator' },
      ...pause,
      action('Open Breakwater', { kind: 'open', page: null }),
      { kind: 'separator' },
      action('Quit', { kind: 'quit' }),
    ],
  }
}

/** Pausing is a stored setting: there must be a place to store it. */
const canPause = ({ listener }: GatewayStatus): boolean =>
  listener.kind !== 'database-refused' && listener.kind !== 'data-folder-in-use' && listener.kind !== 'stopped'

function providerItems(providers: readonly ProviderView[], now: number): TrayItem[] {
  const inUse = providers.filter(({ connections }) => connections.length > 0)
  // Practice fails on purpose: it is only worth a line while there is nothing else.
  const own = inUse.filter(({ id }) => id !== PRACTICE_ID)
  const shown = own.length > 0 ? own : inUse
  const items = shown
    .slice(0, PROVIDERS_SHOWN)
    .map((provider) => action(providerWords(provider, now), { kind: 'open', page: pageFor(provider) }))
  const more = shown.length - items.length
  return more > 0 ? [...items, action(`${more} more`, { kind: 'open', page: 'connections' })] : items
}

/** Where it says why, and what ends it. */
const pageFor = ({ state }: ProviderView): string => (state === 'healthy' || state === 'off' ? 'connections' : 'health')

function providerWords({ label, state, until }: ProviderView, now: number): string {
  return state === 'resting' && until !== null
    ? `${label} rests until ${momentWords(until, now)}`
    : `${label}: ${STATE_WORDS[state]}`
}

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
const seconds = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' })
const minutes = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' })

/** "14:05:12" within the hour, else "14:06", "1 Dec, 00:00": never before it is so. */
function momentWords(at: number, now: number): string {
  if (at - now < HOUR_MS) return seconds.format(at)
  const whole = Math.ceil(at / MINUTE_MS) * MINUTE_MS
  const clock = minutes.format(whole)
  return new Date(whole).toDateString() === new Date(now).toDateString() ? clock : `${day.format(whole)}, ${clock}`
}

const group = (items: readonly TrayItem[]): TrayItem[] => (items.length === 0 ? [] : [{ kind: 'separator' }, ...items])
const text = (label: string): TrayItem => ({ kind: 'text', label: shorten(label) })
const action = (label: string, what: TrayAction): TrayItem => ({
  kind: 'action',
  label: shorten(label),
  action: what,
})

function shorten(line: string): string {
  const characters = [...line]
  return characters.length <= LINE_LENGTH
    ? line
    : `${characters
        .slice(0, LINE_LENGTH - 1)
        .join('')
        .trimEnd()}…`
}

export const sameModel = (a: TrayModel | null, b: TrayModel): boolean => JSON.stringify(a) === JSON.stringify(b)
