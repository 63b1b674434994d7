// What can be asked for around health: what rests and why, ending a rest by hand, the settings and rules behind it.
import { z } from 'zod'
import { CustomBannedSignals, ProviderErrorRules } from './error-rules'
import { ExplainedFailure, ExplainInput } from './explain'
import {
  BreakerView,
  ConnectionStatesPage,
  CooldownsCleared,
  CooldownsPage,
  LockoutView,
  MOST_ROWS,
} from './health-views'
import { ResilienceSettingView } from './resilience-merge'
import { ConnectionView, SettingView } from './views'

const none = z.undefined()
const id = z.string().min(1).max(100)
/** As scripts send it; an id of ours is shorter. */
const providerFilter = z.string().min(1).max(128)
const DAY_MS = 86_400_000

/** What decides about errors before any built-in rule does, and what follows a ban. */
export const RulesView = z.object({
  customBannedSignals: CustomBannedSignals,
  autoDisableBannedAccounts: z.boolean(),
  providerErrorRules: ProviderErrorRules,
})
export type RulesView = z.output<typeof RulesView>

export const HEALTH_OPERATIONS = {
  'health:breakers': { input: none, output: z.array(BreakerView) },
  /** Closes the breaker of one provider, or of all. `lockouts`: ends the rest of models, too. */
  'health:reset-breakers': {
    input: z.object({ provider: providerFilter.optional(), lockouts: z.boolean().default(false) }),
    output: z.object({ resetCount: z.number() }),
  },
  'health:cooldowns': { input: z.object({ provider: providerFilter.optional() }), output: CooldownsPage },
  /** Ends rests and locks of these connections. Terminal ones are counted and left as they are. */
  'health:clear-cooldowns': {
    input: z.union([
      z.object({ connectionIds: z.array(id).max(MOST_ROWS) }),
      z.object({ all: z.literal(true), provider: providerFilter.optional() }),
    ]),
    output: CooldownsCleared,
  },
  'health:lockouts': { input: none, output: z.array(LockoutView) },
  /** `connection` (its id or its name) left out: of every connection of the provider. */
  'health:clear-lockouts': {
    input: z.union([
      z.object({ provider: providerFilter, connection: id.optional(), model: z.string().min(1).max(256) }),
      z.object({ all: z.literal(true) }),
    ]),
    output: z.object({ removed: z.boolean() }),
  },
  /** `windowMs`: errors older than that are not shown. */
  'health:states': {
    input: z.object({
      windowMs: z.number().int().min(0).max(DAY_MS).default(3_600_000),
      provider: providerFilter.optional(),
    }),
    output: ConnectionStatesPage,
  },
  /** Nothing is held against the connection any more, a terminal state neither. */
  'connections:reset': { input: z.object({ id }), output: ConnectionView },
  'resilience:list': { input: none, output: z.array(ResilienceSettingView) },
  /** One value by its path; null takes the stored value back. */
  'resilience:change': {
    input: z.object({
      key: z.string().max(200),
      value: z.union([z.number(), z.boolean(), z.null(), z.array(z.number())]),
    }),
    output: z.array(ResilienceSettingView),
  },
  /** Any subset of the whole as one object, or nothing at all; gives the whole. */
  'resilience:patch': { input: z.object({ change: z.unknown() }), output: z.record(z.string(), z.unknown()) },
  /** `now` left out: the error has just come. */
  'failures:explain': {
    input: ExplainInput.extend({
      id: z.string({ error: 'must be text' }).max(200).default(''),
      now: ExplainInput.shape.now.optional(),
    }),
    output: ExplainedFailure,
  },
  'rules:show': { input: none, output: RulesView },
  /** Any of the settings and of the rules, all or nothing; null takes a stored value back. */
  'settings:patch': {
    input: z.object({ changes: z.record(z.string(), z.unknown()) }),
    output: z.object({ settings: z.array(SettingView), rules: RulesView }),
  },
} as const satisfies Record<string, { input: z.ZodType; output: z.ZodType }>
