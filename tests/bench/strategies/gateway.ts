// The parts of the gateway that decide, without sockets: real health, measures, quotas and views, on the clock that
// stands still. What upstreams would answer comes from this folder.
import { mergeResilience } from '../../../core/contract/resilience-merge'
import { dialectModules } from '../../../core/dialects/dialects'
import type { Logger } from '../../../core/host'
import type { KnownFacts } from '../../../core/models/known-facts'
import { ComboScene, type SceneDeps } from '../../../core/pipeline/combo-scene'
import { judgeOutcome, type Outcome } from '../../../core/pipeline/outcome'
import { builtInRow } from '../../../core/providers/catalogue'
import { buildConnection, type Connection, type Provider } from '../../../core/providers/registry'
import { QuotaBook } from '../../../core/quotas/quota-book'
import { failureOf } from '../../../core/resilience/failure-of'
import { Health } from '../../../core/resilience/health'
import type { Admission } from '../../../core/resilience/health-events'
import { consequencesOf } from '../../../core/resilience/verdict/consequences'
import { judge } from '../../../core/resilience/verdict/judge'
import type { Verdict } from '../../../core/resilience/verdict/verdict'
import { AccountSessions } from '../../../core/routing/account-sessions'
import { ComboStates } from '../../../core/routing/combo-states'
import type { Target } from '../../../core/routing/resolve-model'
import { type Measured, TargetStats } from '../../../core/routing/target-stats'
import { ManualClock } from '../../support/manual-clock'
import { seeded } from './luck'
import { UpstreamKey } from './upstream'
import { type ModelSpec, PROVIDERS } from './world'

export interface WorldOptions {
  readonly seed: number
  /** Hours of the day: a part of it is a shorter run. */
  readonly from: number
  readonly to: number
}

/** A day of the clock that stands still. */
const MIDNIGHT = 1_750_032_000_000
export const HOUR_MS = 3_600_000
const TIME_ZONE = 'UTC'
/** What the queue in front of a connection holds a request for, at most. */
const QUEUE_MS = 120_000
const RETRY_CREDENTIALS_MS = 60_000

export class SimGateway {
  readonly clock: ManualClock
  readonly settings = mergeResilience({ env: {}, stored: undefined }).settings
  readonly registry: ReadonlyMap<string, Provider>
  readonly quotas = new QuotaBook()
  readonly comboStates = new ComboStates()
  readonly health: Health
  readonly upstream = new Map<string, UpstreamKey>()
  private readonly sceneDeps: SceneDeps
  private readonly busy = new Map<string, number>()
  private readonly models = new Map<string, { readonly spec: ModelSpec; readonly facts: KnownFacts }>()

  constructor(
    { seed, from }: WorldOptions,
    readonly stats: TargetStats = new QuickStats(),
  ) {
    this.clock = new ManualClock(MIDNIGHT + from * HOUR_MS)
    const registry = new Map<string, Provider>()
    let index = 0
    for (const spec of PROVIDERS) {
      const row = builtInRow(spec.id)
      if (row === undefined) throw new Error(`The catalogue has no provider "${spec.id}".`)
      const connections: Connection[] = []
      for (let place = 0; place < spec.connections; place++) {
        const id = `${spec.id}-${place + 1}`
        const stored = { id, name: id, priority: place, enabled: true, baseUrl: null }
        connections.push(buildConnection(row, stored, 'no-real-key', false, null))
        this.upstream.set(id, new UpstreamKey(spec, index++, place, seed, MIDNIGHT))
      }
      registry.set(spec.id, { row, connections })
      for (const model of spec.models)
        this.models.set(`${spec.id}/${model.model}`, { spec: model, facts: factsOf(model) })
    }
    this.registry = registry
    this.health = new Health({
      ...{ clock: this.clock, random: seeded(seed + 1), log: QUIET, tables: NOTHING_STORED },
      settings: () => this.settings,
      provider: (id) => registry.get(id)?.row,
    })
    this.sceneDeps = this.sceneDepsOf()
    this.clock.every(RETRY_CREDENTIALS_MS, () => this.retryCredentials())
  }

  /** Milliseconds from midnight. */
  get at(): number {
    return this.clock.now() - MIDNIGHT
  }

  modelOf(provider: string, model: string): ModelSpec {
    const known = this.models.get(`${provider}/${model}`)
    if (known === undefined) throw new Error(`There is no ${provider}/${model} in this world.`)
    return known.spec
  }

  scene(combo: string, inputTokens: number): ComboScene {
    return new ComboScene(combo, { inputTokens, tools: true, images: false }, ASKING, this.sceneDeps, this.inFlight)
  }

  inFlight = (connectionId: string): number => this.busy.get(connectionId) ?? 0

  occupy(connectionId: string, by: 1 | -1): void {
    this.busy.set(connectionId, this.inFlight(connectionId) + by)
  }

  /** As the pipeline tells health of a failed attempt. */
  failed(
    admission: Admission,
    outcome: Outcome,
    { provider: { row }, model }: Target,
    connection: Connection,
    sameProviderNext: boolean,
  ): Verdict {
    const now = this.clock.now()
    const verdict = judgeOutcome(outcome, { provider: row, model, now, timeZone: TIME_ZONE }, judge)
    const consequences = consequencesOf(verdict, {
      ...{ row, model, connection: connection.id, settings: this.settings, queueMs: QUEUE_MS },
      ...{ level: 0, modelFailures: 0, rejections: 0, credentialRetries: 0 },
      ...{ disableCooling: false, now, timeZone: TIME_ZONE },
    })
    this.health.failed(admission, { ...failureOf(verdict, consequences, QUEUE_MS), sameProviderNext })
    return verdict
  }

  private sceneDepsOf(): SceneDeps {
    return {
      ...{ clock: this.clock, stats: this.stats, quotas: this.quotas, health: this.health },
      ...{ resilience: () => this.settings, sessions: new AccountSessions() },
      factsOf: (provider, model) => this.models.get(`${provider}/${model}`)?.facts ?? null,
      world: () => ({ registry: this.registry }) as ReturnType<SceneDeps['world']>,
    }
  }

  /** Those that were refused are tried with a call that costs nothing, as the gateway does by itself. */
  private retryCredentials(): void {
    for (const id of this.health.dueRetries()) {
      this.health.retried(id, this.upstream.get(id)?.isAccepted(this.at) === true ? 'accepted' : 'refused')
    }
  }
}

/** The same figures, worked out once for each change of them: a day asks for them millions of times. */
class QuickStats extends TargetStats {
  private readonly known = new Map<string, Measured>()

  override ended(...args: Parameters<TargetStats['ended']>): void {
    this.known.delete(keyOf(args[0], args[1]))
    super.ended(...args)
  }

  override measured(...args: Parameters<TargetStats['measured']>): Measured {
    const key = keyOf(args[0], args[1])
    const known = this.known.get(key) ?? super.measured(...args)
    this.known.set(key, known)
    return known
  }
}
const keyOf = (combo: string, { provider, model }: { readonly provider: string; readonly model: string }): string =>
  `${combo} ${provider}/${model}`

function factsOf({ contextWindow, inputPrice, outputPrice }: ModelSpec): KnownFacts {
  const fact = <T>(value: T) => ({ value, source: 'table', at: MIDNIGHT }) as const
  return {
    contextWindow: fact(contextWindow),
    inputPrice: fact(inputPrice),
    outputPrice: fact(outputPrice),
    tools: fact(true),
  }
}

/** Only the dialect of the client matters for who can take a request. */
const ASKING = {
  request: { headers: {} },
  caller: { call: dialectModules['openai-chat'] },
  unusableFor: null,
} as unknown as ConstructorParameters<typeof ComboScene>[2]

const nothing = (): void => {}
const QUIET: Logger = {
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
  setLevel: nothing,
  addSecret: nothing,
}

/** A day in one go: nothing is restored, and what is written down is not looked at. */
const NOTHING_STORED: ConstructorParameters<typeof Health>[0]['tables'] = {
  breakers: { all: () => [], save: nothing },
  cooldowns: { cooldowns: () => [], retries: () => [], save: nothing },
  terminals: { all: () => [], save: nothing, purge: nothing },
}
