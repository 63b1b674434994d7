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

export function trayModel(status: GatewayStatus, providers: readonly ProviderView[]): TrayModel {
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
      ...group(providerItems(providers)),
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

function providerItems(providers: readonly ProviderView[]): TrayItem[] {
  const inUse = providers.filter(({ connections }) => connections.length > 0)
  // Practice fails on purpose: it is only worth a line while there is nothing else.
  const own = inUse.filter(({ id }) => id !== PRACTICE_ID)
  const shown = own.length > 0 ? own : inUse
  const items = shown
    .slice(0, PROVIDERS_SHOWN)
    .map(({ label, state }) => action(`${label}: ${STATE_WORDS[state]}`, { kind: 'open', page: 'connections' }))
  const more = shown.length - items.length
  return more > 0 ? [...items, action(`${more} more`, { kind: 'open', page: 'connections' })] : items
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
