// What the tray shows, as data. Pure: the same state gives the same model, and only a changed model is drawn.
import type { OverallState } from '../core/contract/kinds'
import { OVERALL_WORDS, STATE_WORDS } from '../core/contract/texts'
import type { GatewayStatus, ProviderView } from '../core/contract/views'

export type TrayAction = 'copy-address' | 'pause' | 'resume' | 'open' | 'show-problem' | 'quit'

export type TrayItem =
  | { readonly kind: 'separator' }
  | { readonly kind: 'text'; readonly label: string }
  | { readonly kind: 'action'; readonly label: string; readonly action: TrayAction }

export interface TrayModel {
  readonly icon: OverallState
  readonly tooltip: string
  readonly items: readonly TrayItem[]
}

const MAX_PROVIDERS = 12
const SEPARATOR: TrayItem = { kind: 'separator' }

export function trayModel(status: GatewayStatus, providers: readonly ProviderView[]): TrayModel {
  const { overall, overallWhy, listener } = status
  const word = OVERALL_WORDS[overall]
  const used = providers.filter(({ connections }) => connections.length > 0)
  const address: TrayItem[] =
    listener.kind === 'listening'
      ? [{ kind: 'action', label: `${short(listener.url)}  (copy)`, action: 'copy-address' }]
      : []
  return {
    icon: overall,
    tooltip: overallWhy === '' ? `Breakwater: ${word}` : `Breakwater: ${word}. ${overallWhy}`,
    items: [
      overallWhy === ''
        ? { kind: 'text', label: word }
        : { kind: 'action', label: cut(`${word}: ${overallWhy}`), action: 'show-problem' },
      ...address,
      SEPARATOR,
      ...used.slice(0, MAX_PROVIDERS).map(providerItem),
      ...(used.length > MAX_PROVIDERS
        ? [{ kind: 'text', label: `and ${used.length - MAX_PROVIDERS} more` } as const]
        : []),
      ...(used.length > 0 ? [SEPARATOR] : []),
      ...(listener.kind === 'listening' ? [pauseItem(status.paused)] : []),
      { kind: 'action', label: 'Open Breakwater', action: 'open' },
      SEPARATOR,
      { kind: 'action', label: 'Quit', action: 'quit' },
    ],
  }
}

const providerItem = ({ label, state }: ProviderView): TrayItem => ({
  kind: 'text',
  label: `${label}: ${STATE_WORDS[state]}`,
})

const pauseItem = (paused: boolean): TrayItem =>
  paused
    ? { kind: 'action', label: 'Resume the gateway', action: 'resume' }
    : { kind: 'action', label: 'Pause the gateway', action: 'pause' }

const short = (url: string): string => url.replace(/^http:\/\//, '')

const cut = (text: string): string => (text.length > 80 ? `${text.slice(0, 79)}…` : text)
