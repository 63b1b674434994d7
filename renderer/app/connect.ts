// Wires the window to the core: asks once for the whole of everything, then follows the pushes.
import type { ProviderView } from '../../core/contract/views'
import { call, onPush } from './client'
import { fromAnswer, type Loadable, NONE, ready, valueOr } from './loadable'
import { mergeProviders, ownChanged } from './merge-providers'
import { type Pushed, setPushed, usePushed } from './pushed'
import { mergeBuckets, mergeRequests } from './rows'
import { isPage, navigate, useUi } from './ui-state'

export const RECENT_COUNT = 8
export const CHART_MINUTES = 15
const MINUTE_MS = 60_000

const oldestShown = (): number => Date.now() - CHART_MINUTES * MINUTE_MS

/** What came by push while the whole was still on its way is kept: the two are put together. */
async function loadRecent(): Promise<void> {
  const answer = await call('log:list', { limit: RECENT_COUNT })
  const pushed = valueOr(usePushed.getState().recent, NONE)
  if (answer.ok) setPushed({ recent: ready(mergeRequests(answer.value, pushed, RECENT_COUNT)) })
  else setPushed({ recent: fromAnswer(answer) })
}

async function loadMetrics(): Promise<void> {
  const answer = await call('metrics:recent', { minutes: CHART_MINUTES })
  const pushed = valueOr(usePushed.getState().metrics, NONE)
  if (answer.ok) setPushed({ metrics: ready(mergeBuckets(answer.value, pushed, oldestShown())) })
  else setPushed({ metrics: fromAnswer(answer) })
}

/** Before the whole list is here a push says too little; the list is newer than what came before it. */
function takeProviders(pushed: readonly ProviderView[]): void {
  const known = valueOr(usePushed.getState().providers, null)
  if (known === null) return
  setPushed({ providers: ready(mergeProviders(known, pushed)) })
  if (ownChanged(known, pushed)) void refreshProviders()
}

/** The whole list again; what is shown stays where that fails. */
async function refreshProviders(): Promise<void> {
  const answer = await call('providers:list')
  if (answer.ok) setPushed({ providers: ready(answer.value) })
}

/** Asks for all that is not here yet, or that was refused. A push that came first is newer and is kept. */
async function loadMissing(): Promise<void> {
  const missing = (key: keyof Pushed): boolean => usePushed.getState()[key].at !== 'ready'
  const load = async <K extends keyof Pushed>(key: K, ask: () => Promise<Pushed[K]>): Promise<void> => {
    if (!missing(key)) return
    const answer = await ask()
    if (missing(key)) setPushed({ [key]: answer } as Pick<Pushed, K>)
  }
  await Promise.all([
    load('gateway', async () => fromAnswer(await call('gateway:status'))),
    load('settings', async () => fromAnswer(await call('settings:list'))),
    load('providers', async () => fromAnswer(await call('providers:list'))),
    load('keys', async () => fromAnswer(await call('keys:list'))),
    load('surroundings', async () => fromAnswer(await call('app:surroundings'))),
    missing('metrics') ? loadMetrics() : undefined,
    missing('recent') ? loadRecent() : undefined,
  ])
}

/** Starts again after a failure, with everything shown as on its way. */
export function reload(): void {
  const failed = Object.entries(usePushed.getState()) as [keyof Pushed, Loadable<unknown>][]
  for (const [key, loadable] of failed) if (loadable.at === 'failed') setPushed({ [key]: { at: 'loading' } })
  void loadMissing()
}

/** Returns how it stops. */
export function connect(): () => void {
  const stops = [
    onPush('gateway:changed', (status) => {
      const before = valueOr(usePushed.getState().gateway, null)?.listener.kind
      setPushed({ gateway: ready(status) })
      if (before !== undefined && before !== status.listener.kind) reload()
    }),
    onPush('settings:changed', (settings) => setPushed({ settings: ready(settings) })),
    onPush('providers:changed', takeProviders),
    onPush('keys:changed', (keys) => setPushed({ keys: ready(keys) })),
    onPush('metrics:changed', (buckets) => {
      const known = valueOr(usePushed.getState().metrics, NONE)
      setPushed({ metrics: ready(mergeBuckets(known, buckets, oldestShown())) })
    }),
    onPush('log:appended', (requests) => {
      const known = valueOr(usePushed.getState().recent, NONE)
      setPushed({ recent: ready(mergeRequests(known, requests, RECENT_COUNT)) })
    }),
    onPush('window:navigate', ({ page }) => {
      if (isPage(page)) navigate(page)
    }),
    onPush('window:close-asked', () => useUi.setState({ closeAsked: true })),
    onPush('window:tray-hint', () => useUi.setState({ trayHint: true })),
  ]
  void loadMissing()
  return () => {
    for (const stop of stops) stop()
  }
}
