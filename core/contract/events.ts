// The one union of everything observable. Log, metrics, tray and window are listeners; the core knows none of them.
import { z } from 'zod'
import { ComboView } from './combo-views'
import { AliasView, ModelListState } from './model-views'
import { ClientKeyView, GatewayStatus, MetricsBucket, ProviderView, RequestView, SettingView } from './views'

/**
 * Pushes to the window: the current whole of one thing, so that a listener that missed one is right after the next.
 * `log:appended` and `try:chunk` are the two that carry what is new, and `providers:changed` leaves out what never
 * changes by itself.
 */
export const PUSHES = {
  'gateway:changed': GatewayStatus,
  'settings:changed': z.array(SettingView),
  /** Those that have connections, and those of the user's own. Every other provider has none: it is as it was listed. */
  'providers:changed': z.array(ProviderView),
  'keys:changed': z.array(ClientKeyView),
  /** The models themselves may be thousands: who shows them asks for them again. */
  'models:changed': z.object({ lists: z.array(ModelListState), aliases: z.array(AliasView) }),
  /** What stands in the way of their steps changes with providers and models, too. */
  'combos:changed': z.array(ComboView),
  'metrics:changed': z.array(MetricsBucket),
  'log:appended': z.array(RequestView),
  'try:chunk': z.object({
    tryId: z.string(),
    /** Text that arrived; empty on the last push. */
    text: z.string(),
    done: z.boolean(),
    /** Set on the last push when it failed. */
    error: z.string().nullable(),
    /** The request's id in the log. */
    requestId: z.string().nullable(),
  }),
} as const satisfies Record<string, z.ZodType>

export type PushName = keyof typeof PUSHES
export type PushData<N extends PushName> = z.output<(typeof PUSHES)[N]>
