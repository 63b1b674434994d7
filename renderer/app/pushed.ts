// What main last pushed, and nothing else. Components read it with a selector.
import { create } from 'zustand'
import type { CallOutput } from '../../core/contract/ipc'
import type {
  ClientKeyView,
  GatewayStatus,
  MetricsBucket,
  ProviderView,
  RequestView,
  SettingView,
} from '../../core/contract/views'
import { type Loadable, loading } from './loadable'

export interface Pushed {
  readonly gateway: Loadable<GatewayStatus>
  readonly settings: Loadable<readonly SettingView[]>
  readonly providers: Loadable<readonly ProviderView[]>
  readonly keys: Loadable<readonly ClientKeyView[]>
  readonly metrics: Loadable<readonly MetricsBucket[]>
  /** The newest requests, for the overview. */
  readonly recent: Loadable<readonly RequestView[]>
  readonly surroundings: Loadable<CallOutput<'app:surroundings'>>
}

export const usePushed = create<Pushed>()(() => ({
  gateway: loading,
  settings: loading,
  providers: loading,
  keys: loading,
  metrics: loading,
  recent: loading,
  surroundings: loading,
}))

export const setPushed = (change: Partial<Pushed>): void => usePushed.setState(change)
