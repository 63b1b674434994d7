// What a combo's strategy sees when a request comes: each target with what keeps it out, how it has done of late, what
// it costs and can do. Everything is read at one moment; nothing is decided here.
import type { Registry } from '../providers/registry'
import { type Connection, unusableBecause } from '../providers/registry'
import type { Gate } from '../resilience/health-events'
import { sessionOf } from '../routing/account-sessions'
import type { Target as Leg } from '../routing/combo'
import type { Target } from '../routing/resolve-model'
import { type Exclusion, type TargetView, UNKNOWN_VIEW } from '../routing/target-view'
import { tierOf } from '../routing/tier'
import type { PipelineDeps } from './handle-request'
import type { Asking } from './outgoing'
import { preflight } from './preflight'
import { routeOf } from './try-connection'

/** What the request needs of a target. */
export interface Needs {
  /** Tokens of the request, roughly; null: cannot be told. */
  readonly inputTokens: number | null
  readonly tools: boolean
  readonly images: boolean
}

const BYTES_PER_TOKEN = 4
const IMAGE_MARKS = [
  '"image_url"',
  '"input_image"',
  '"type":"image"',
  '"type": "image"',
  '"inlineData"',
  '"inline_data"',
]

/** Read off the bytes: nothing is parsed for it. */
export function needsOf({ client }: Asking): Needs {
  const images = IMAGE_MARKS.some((mark) => client.mentions(mark))
  return {
    // What an image takes in bytes says nothing of its tokens.
    inputTokens: images ? null : Math.ceil(client.bytes / BYTES_PER_TOKEN),
    tools: client.has('tools') && client.mentions('"name"'),
    images,
  }
}

/** The provider and model behind a leg; null where the provider is gone. */
export function targetOf(leg: Leg, registry: Registry): Target | null {
  const provider = registry.get(leg.provider)
  return provider === undefined ? null : { provider, model: leg.model }
}

/** The connections a leg may use, in their order. */
export const connectionsOf = (leg: Leg, { provider }: Target): readonly Connection[] =>
  provider.connections.filter(
    ({ id }) =>
      (leg.connectionId === null || leg.connectionId === id) && (leg.allowedConnections?.includes(id) ?? true),
  )

export type SceneDeps = Pick<
  PipelineDeps,
  'clock' | 'world' | 'health' | 'stats' | 'quotas' | 'resilience' | 'sessions' | 'factsOf'
>

export class ComboScene {
  private session: string | null = null

  constructor(
    private readonly combo: string,
    private readonly needs: Needs,
    private readonly running: Asking,
    private readonly deps: SceneDeps,
    private readonly inFlight: (connectionId: string) => number,
  ) {}

  view = (leg: Leg): TargetView => {
    const { deps, combo, needs } = this
    const now = deps.clock.now()
    const target = targetOf(leg, deps.world().registry)
    if (target === null)
      return { ...UNKNOWN_VIEW, exclusion: plain('provider', `There is no provider "${leg.provider}".`) }
    const connections = connectionsOf(leg, target)
    const facts = deps.factsOf(leg.provider, leg.model)
    const { row } = target.provider
    const pinned = connections.length === 1 ? connections[0] : undefined
    const entry = pinned === undefined ? undefined : deps.health.connection(pinned.id, now)
    const status = row.exempt ? null : deps.health.breakerStatus(row.id, now)
    const prices = { inputPrice: facts?.inputPrice?.value ?? null, outputPrice: facts?.outputPrice?.value ?? null }
    const exclusion =
      this.gateOf(leg, target, connections, now) ?? misfit(needs, facts?.contextWindow?.value ?? null, facts)
    return {
      ...UNKNOWN_VIEW,
      exclusion,
      breaker: status?.state ?? 'CLOSED',
      ...deps.stats.measured(combo, leg, now),
      useCount: deps.stats.timesChosen(leg.executionKey),
      inFlight: connections.reduce((sum, { id }) => sum + this.inFlight(id), 0),
      maxConcurrent: pinned?.settings.maxConcurrent ?? null,
      ...prices,
      tier: tierOf(row.class, prices),
      contextWindow: facts?.contextWindow?.value ?? null,
      tools: facts?.tools?.value ?? null,
      images: facts?.images?.value ?? null,
      reasoning: facts?.reasoning?.value ?? null,
      connections: target.provider.connections.length,
      signsIn: row.class === 'oauth',
      otherSessions: row.class === 'oauth' && pinned !== undefined ? this.otherSessions(pinned.id, now) : 0,
      backoffLevel: entry?.cooldown.backoffLevel ?? 0,
      lastError: entry?.lastError?.reason ?? null,
      cooling: exclusion?.gate === 'cooldown',
      quota: pinned === undefined ? { kind: 'none' } : deps.quotas.view(pinned.id, leg.model, now),
    }
  }

  private otherSessions(connectionId: string, now: number): number {
    const { request, caller } = this.running
    this.session ??= sessionOf(request.headers, caller.clientKeyId)
    return this.deps.sessions.others(connectionId, this.session, now)
  }

  /** What keeps the leg out: its provider, or every connection it could use. */
  gateOf(leg: Leg, target: Target, connections: readonly Connection[], now: number): Exclusion | null {
    const { health } = this.deps
    const { row } = target.provider
    if (connections.length === 0) return plain('connection', `${row.label} has no connection for this step.`)
    if (!row.exempt) {
      const gate = health.providerGate(row.id, now) ?? health.comboGate(row.id, leg.connectionId, now)
      if (gate !== null) return gate
    }
    let first: Exclusion | null = null
    for (const connection of connections) {
      const exclusion = this.connectionExclusion(target, connection, now)
      if (exclusion === null) return null
      if (first === null || ends(exclusion) < ends(first)) first = exclusion
    }
    return first
  }

  connectionExclusion(target: Target, connection: Connection, now: number): Exclusion | null {
    const { running, deps } = this
    const { row } = target.provider
    const because = unusableBecause(row, connection)
    if (because !== null) return plain('connection', `${connection.name}: ${because}.`)
    const route = routeOf(target, connection, running)
    if ('because' in route) return plain('dialect', `${connection.name}: ${route.because}.`)
    if (row.exempt) return null
    const subject = { providerId: row.id, connectionId: connection.id, model: target.model }
    return (
      deps.health.connectionGate(connection.id, now) ??
      deps.health.modelGate(subject, now) ??
      preflight(connection, target.model, deps, now)
    )
  }
}

const ends = ({ until }: Exclusion): number => until ?? Number.POSITIVE_INFINITY

const plain = (gate: string, why: string): Exclusion => ({ gate, reason: null, until: null, why })

/** Whether a closed gate is one of health's: those may be waited for. */
export const asGate = (exclusion: Exclusion): Gate | null => ('endsBy' in exclusion ? (exclusion as Gate) : null)

interface Abilities {
  readonly tools?: { readonly value: boolean }
  readonly images?: { readonly value: boolean }
}

/** What the model is known not to do. Unknown abilities never keep a target out. */
function misfit(
  { inputTokens, tools, images }: Needs,
  contextWindow: number | null,
  facts: Abilities | null,
): Exclusion | null {
  if (contextWindow !== null && inputTokens !== null && inputTokens > contextWindow) {
    return plain('context', `The request has about ${inputTokens} tokens; the model takes ${contextWindow}.`)
  }
  if (images && facts?.images?.value === false) return plain('capability', 'The model does not see images.')
  if (tools && facts?.tools?.value === false) return plain('capability', 'The model cannot call tools.')
  return null
}
