// Pure UI state: which page, which panel. Nothing here comes from the core.
import { create } from 'zustand'

export const PAGES = ['overview', 'log', 'health', 'connections', 'models', 'combos', 'keys', 'settings'] as const
export type Page = (typeof PAGES)[number]
export const isPage = (text: string): text is Page => (PAGES as readonly string[]).includes(text)

/** What the panel beside the connections shows. */
export type ConnectionPanel =
  | { readonly kind: 'add'; readonly provider: string | null }
  | { readonly kind: 'edit'; readonly id: string }

interface UiState {
  readonly page: Page
  /** `auto`: open while the first run is not finished. */
  readonly wizard: 'auto' | 'open' | 'closed'
  readonly connectionPanel: ConnectionPanel | null
  readonly openRequest: string | null
  readonly tryOpen: boolean
  readonly closeAsked: boolean
  readonly trayHint: boolean
}

const pageFromAddress = (): Page => {
  const asked = window.location.hash.replace(/^#\/?/, '')
  return isPage(asked) ? asked : 'overview'
}

export const useUi = create<UiState>()(() => ({
  page: pageFromAddress(),
  wizard: 'auto',
  connectionPanel: null,
  openRequest: null,
  tryOpen: false,
  closeAsked: false,
  trayHint: false,
}))

/** The address keeps the page, so that a reload comes back to it. */
export function navigate(page: Page): void {
  window.history.replaceState(null, '', `#/${page}`)
  useUi.setState({ page })
}

export function openConnection(id: string): void {
  useUi.setState({ connectionPanel: { kind: 'edit', id } })
  navigate('connections')
}

export function openNewConnection(provider: string | null = null): void {
  useUi.setState({ connectionPanel: { kind: 'add', provider } })
  navigate('connections')
}

export function openRequest(id: string): void {
  useUi.setState({ openRequest: id, tryOpen: false })
  navigate('log')
}

export function openTry(): void {
  useUi.setState({ openRequest: null, tryOpen: true })
  navigate('log')
}
