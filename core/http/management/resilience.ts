// /api/resilience: the settings behind breakers, rests and waits, what rests now, and ending it by hand.
import { z } from 'zod'
import { RulesView } from '../../contract/health-operations'
import {
  ConnectionStatesPage,
  CooldownRow,
  CooldownsCleared,
  CooldownsPage,
  LockoutView,
  MOST_ROWS,
} from '../../contract/health-views'
import { changeableTree } from '../../contract/resilience-merge'
import { badInput } from '../../errors'
import { isRuleKey, RULE_SCHEMAS } from '../../resilience/rules-store'
import { InputRefusedError } from './error-body'
import { providerText, queryInt } from './fields'
import { resetWords } from './monitoring'
import { type ManagementRoute, route } from './route'

const DAY_MS = 86_400_000

/** Every group of settings by name, and the two numbers that older scripts read. */
const groups = { legacy: z.object({ requestRetry: z.number(), maxRetryIntervalSec: z.number() }) }
const ResilienceAnswer = z.looseObject(groups).meta({ title: 'ResilienceSettings' })

interface Waits {
  readonly waitForCooldown: { readonly maxRetries: number; readonly maxRetryWaitSec: number }
}

const withLegacy = (tree: object): object => {
  const { maxRetries, maxRetryWaitSec } = (tree as Waits).waitForCooldown
  return { ...tree, legacy: { requestRetry: maxRetries, maxRetryIntervalSec: maxRetryWaitSec } }
}

const ONE_OF = 'either "connectionIds" or "all" must be given'
const ClearCooldowns = z
  .strictObject({
    connectionIds: z.array(z.string().min(1, 'must not be empty').max(100)).max(MOST_ROWS).optional(),
    all: z.literal(true).optional(),
    /** Only with `all`. */
    provider: providerText.optional(),
  })
  .refine(({ connectionIds, all }) => (connectionIds === undefined) !== (all === undefined), ONE_OF)
  .refine(({ provider, all }) => provider === undefined || all === true, {
    path: ['provider'],
    error: 'goes only with "all"',
  })

const ClearLockout = z.strictObject({
  provider: z.string().max(128).optional(),
  connection: z.string().max(100).optional(),
  model: z.string().max(256).optional(),
  all: z.boolean().optional(),
})

export const resilienceRoutes: readonly ManagementRoute[] = [
  route({
    method: 'GET',
    path: '/api/resilience',
    about: 'The resilience settings in force, as one object of groups.',
    answer: ResilienceAnswer,
    run: async (_, { operations }) => withLegacy(changeableTree(await operations['resilience:list'](undefined))),
  }),
  route({
    method: 'PATCH',
    path: '/api/resilience',
    about:
      'Changes any of them, at least one, all or nothing; felt by the next request. `null` takes an optional value back.',
    body: z.unknown().meta({ title: 'ResilienceChange' }),
    answer: z.looseObject({ ok: z.literal(true), ...groups }).meta({ title: '{ ok: true } & ResilienceSettings' }),
    run: async ({ body }, { operations }) => ({
      ok: true,
      ...withLegacy(await operations['resilience:patch']({ change: body })),
    }),
  }),
  route({
    method: 'POST',
    path: '/api/resilience/reset',
    about: 'Closes the circuit breakers of all providers and ends every lock of a model.',
    answer: z.object({ ok: z.literal(true), resetCount: z.number(), message: z.string() }),
    async run(_, { operations }) {
      const { resetCount } = await operations['health:reset-breakers']({ lockouts: true })
      return { ok: true, resetCount, message: resetWords(resetCount) }
    },
  }),
  route({
    method: 'GET',
    path: '/api/resilience/connections',
    about:
      'How each connection is, those that are out first, at most 1,000. Errors older than `windowMs` are not told.',
    query: z.strictObject({ windowMs: queryInt(0, DAY_MS).optional(), provider: providerText.optional() }),
    answer: ConnectionStatesPage,
    run: ({ query: { windowMs = 3_600_000, provider } }, { operations }) =>
      operations['health:states']({ windowMs, provider }),
  }),
  route({
    method: 'GET',
    path: '/api/resilience/cooldowns',
    about: 'What rests and until when, those that are out first, at most 1,000.',
    query: z.strictObject({ provider: providerText.optional() }),
    answer: CooldownsPage,
    run: ({ query }, { operations }) => operations['health:cooldowns'](query),
  }),
  route({
    method: 'POST',
    path: '/api/resilience/cooldowns',
    about:
      'Ends the rests of these connections, or of all (of a provider), and the locks of their models. Terminal ones are counted and stay.',
    body: ClearCooldowns,
    answer: CooldownsCleared.extend({ ok: z.literal(true) }),
    async run({ body: { connectionIds, provider } }, { operations }) {
      const wanted = connectionIds === undefined ? { all: true as const, provider } : { connectionIds }
      return { ok: true, ...(await operations['health:clear-cooldowns'](wanted)) }
    },
  }),
  route({
    method: 'GET',
    path: '/api/resilience/model-cooldowns',
    about: 'The models that rest, the longest first.',
    answer: z.object({ items: z.array(LockoutView) }),
    run: async (_, { operations }) => ({ items: await operations['health:lockouts'](undefined) }),
  }),
  route({
    method: 'DELETE',
    path: '/api/resilience/model-cooldowns',
    about:
      'Ends the lock of one model, on one connection (its id or name) or all of the provider; `{"all": true}` ends every one.',
    body: ClearLockout,
    plainErrors: true,
    answer: z.object({ ok: z.literal(true), removed: z.boolean().optional(), clearedAll: z.literal(true).optional() }),
    async run({ body: { provider = '', connection, model = '', all } }, { operations }) {
      if (all === true) {
        await operations['health:clear-lockouts']({ all: true })
        return { ok: true, clearedAll: true }
      }
      if (provider === '') throw badInput('provider', 'is required, or "all": true.')
      if (model === '') throw badInput('model', 'is required, or "all": true.')
      const { removed } = await operations['health:clear-lockouts']({
        ...{ provider, model },
        ...(connection === undefined || connection === '' ? {} : { connection }),
      })
      return { ok: true, removed }
    },
  }),
  route({
    method: 'GET',
    path: '/api/rate-limits',
    about: 'How limits stand: each connection’s rest, how many there are of each kind, and the models that rest.',
    answer: z.object({
      connections: z.array(CooldownRow),
      overview: z.record(CooldownRow.shape.status, z.number()),
      lockouts: z.array(LockoutView),
      cacheStats: z.object({ breakers: z.number(), lockouts: z.number() }),
    }),
    async run(_, { operations }) {
      const { connections } = await operations['health:cooldowns']({})
      const lockouts = await operations['health:lockouts'](undefined)
      const breakers = await operations['health:breakers'](undefined)
      const overview = { terminal: 0, cooling_down: 0, model_locked: 0, unavailable: 0, healthy: 0 }
      for (const { status } of connections) overview[status]++
      return {
        ...{ connections, overview, lockouts },
        cacheStats: { breakers: breakers.length, lockouts: lockouts.length },
      }
    },
  }),
  route({
    method: 'POST',
    path: '/api/rate-limits',
    about: 'Puts a connection under the local limiter whatever its provider’s class, or takes that back.',
    body: z.strictObject({ connectionId: z.string().min(1, 'must not be empty').max(100), enabled: z.boolean() }),
    answer: z.object({ success: z.literal(true), connectionId: z.string(), enabled: z.boolean() }),
    async run({ body: { connectionId, enabled } }, { operations }) {
      await operations['connections:update']({ id: connectionId, settings: { rateLimitProtection: enabled } })
      return { success: true, connectionId, enabled }
    },
  }),
  route({
    method: 'GET',
    path: '/api/resilience/error-rules',
    about: 'Your own rules about errors. They come before every built-in rule.',
    answer: RulesView,
    run: (_, { operations }) => operations['rules:show'](undefined),
  }),
  route({
    method: 'PATCH',
    path: '/api/resilience/error-rules',
    about:
      'Changes any of them, all or nothing, from the next error on; `null` takes a stored value back. `providerErrorRules` is replaced whole.',
    body: z.record(z.string(), z.unknown()).meta({ title: 'RulesChange' }),
    answer: RulesView,
    async run({ body }, { operations }) {
      const unknown = Object.keys(body).filter((key) => !isRuleKey(key))
      if (unknown.length > 0) throw new InputRefusedError(unknown.map(notARule))
      return (await operations['settings:patch']({ changes: body })).rules
    },
  }),
]

const notARule = (field: string) => ({
  field,
  message: `is not one of ${Object.keys(RULE_SCHEMAS).join(', ')}`,
})
