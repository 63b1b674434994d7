import type { BreakerView, CooldownRow } from '../../../core/contract/health-views'
import type { ConnectionView, ProviderView } from '../../../core/contract/views'
import { NONE, valueOr } from '../../app/loadable'
import { STATE_LOOKS } from '../../app/looks'
import { usePushed } from '../../app/pushed'
import { sentence } from '../../app/sentence'
import { openConnection, openNewConnection } from '../../app/ui-state'
import { Button } from '../../ui/button'
import { Empty } from '../../ui/card'
import { Countdown } from '../../ui/countdown'
import { Moment } from '../../ui/moment'
import { StateBadge } from '../../ui/state-shape'
import { useResilienceNumber } from '../settings/resilience-store'
import { BreakerChanges, BreakerTimeline } from './breaker-timeline'
import { canClear } from './cooldown-rows'
import { clearCooldowns, type Health, resetBreakers } from './health-store'
import { BREAKER_LOOKS, BREAKER_SENTENCES, breakerUntilWords, failureWords, rowEnding } from './health-words'

const PRACTICE = 'practice'
const WEIGHT: Readonly<Record<ProviderView['state'], number>> = {
  resting: 0,
  'needs-you': 1,
  strained: 2,
  healthy: 3,
  off: 4,
}

/** Each provider in use: its breaker, and its connections. Those in trouble come first. */
export function ProvidersTab({ health }: { readonly health: Health }) {
  const providers = usePushed(({ providers }) => valueOr(providers, NONE))
  const used = providers
    .filter(({ connections }) => connections.length > 0)
    .toSorted((a, b) => WEIGHT[a.state] - WEIGHT[b.state])
  if (used.length === 0)
    return (
      <div className="card">
        <Empty text="No provider is in use yet. Add a connection, and its health is shown here.">
          <Button look="primary" onClick={() => openNewConnection()}>
            Add connection
          </Button>
        </Empty>
      </div>
    )
  return (
    <div className="stack stack--loose">
      {used.map((provider) => (
        <Provider
          key={provider.id}
          provider={provider}
          breaker={health.breakers.find(({ name }) => name === provider.id) ?? null}
          rows={health.connections.filter((row) => row.provider === provider.id)}
        />
      ))}
    </div>
  )
}

interface ProviderProps {
  readonly provider: ProviderView
  /** null: no request has gone there yet. */
  readonly breaker: BreakerView | null
  readonly rows: readonly CooldownRow[]
}

function Provider({ provider, breaker, rows }: ProviderProps) {
  return (
    <section className="card" aria-label={provider.label}>
      <header className="card__head">
        <h2>{provider.label}</h2>
        <StateBadge look={STATE_LOOKS[provider.state]} />
        <span className="grow truncate small muted" title={provider.why}>
          {sentence(provider.why)}
        </span>
        <Button
          small
          aria-label={`Reset the breaker of ${provider.label}`}
          disabled={breaker === null || (breaker.state === 'CLOSED' && breaker.failureCount === 0)}
          onClick={() => void resetBreakers(provider)}
        >
          Reset
        </Button>
      </header>
      <div className="breaker">
        {provider.id === PRACTICE ? (
          <p className="muted">It fails on purpose, so it has no circuit breaker.</p>
        ) : (
          <Breaker breaker={breaker} of={provider.class} />
        )}
      </div>
      <Connections provider={provider} rows={rows} />
    </section>
  )
}

function Breaker({ breaker, of }: { readonly breaker: BreakerView | null; readonly of: ProviderView['class'] }) {
  const threshold = useResilienceNumber(`providerBreaker.${of}.failureThreshold`)
  const state = breaker?.state ?? 'CLOSED'
  const untilWords = breakerUntilWords[state]
  const counted = breaker ?? { failureCount: 0, lastFailureKind: null }
  return (
    <>
      <div className="line line--wrap breaker__line">
        <span className="muted">Circuit breaker</span>
        <StateBadge look={BREAKER_LOOKS[state]} />
        <code className="muted">{state}</code>
        <span>{BREAKER_SENTENCES[state]}</span>
      </div>
      <div className="line line--wrap small muted breaker__line">
        <span>{failureWords(counted, threshold)}</span>
        {breaker !== null && breaker.since !== null && (
          <span>
            since <Moment at={breaker.since} />
          </span>
        )}
        {breaker !== null && breaker.until !== null && untilWords !== null && (
          <span>
            {untilWords} <Countdown until={breaker.until} />
          </span>
        )}
      </div>
      {breaker !== null && breaker.transitionHistory.length > 0 && (
        <>
          <div className="breaker__day">
            <span className="small muted" aria-hidden="true">
              24 h ago
            </span>
            <BreakerTimeline breaker={breaker} />
            <span className="small muted" aria-hidden="true">
              now
            </span>
          </div>
          <BreakerChanges breaker={breaker} />
        </>
      )}
    </>
  )
}

function Connections({ provider, rows }: { readonly provider: ProviderView; readonly rows: readonly CooldownRow[] }) {
  return (
    <div className="table-scroll">
      <table className="table health-connections">
        <thead>
          <tr>
            <th scope="col">Connection</th>
            <th scope="col">State</th>
            <th scope="col" className="wide-only">
              Since
            </th>
            <th scope="col">Returns</th>
            <th scope="col" className="wide-only">
              What ends it
            </th>
            <th scope="col">
              <span className="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {provider.connections.map((connection) => (
            <Connection
              key={connection.id}
              connection={connection}
              row={rows.find(({ id }) => id === connection.id) ?? null}
              needsKey={provider.needsKey}
            />
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface ConnectionProps {
  readonly connection: ConnectionView
  readonly row: CooldownRow | null
  readonly needsKey: boolean
}

function Connection({ connection, row, needsKey }: ConnectionProps) {
  const { id, name, state, why, since, until } = connection
  return (
    <tr>
      <td className="connections__name breakable">
        <button type="button" className="row-button" onClick={() => openConnection(id)}>
          {name}
        </button>
      </td>
      <td>
        <div className="line line--wrap">
          <StateBadge look={STATE_LOOKS[state]} />
          {why !== '' && <span className="muted breakable">{sentence(why)}</span>}
        </div>
      </td>
      <td className="wide-only muted">{since === null ? '' : <Moment at={since} />}</td>
      <td>{until === null ? '' : <Countdown until={until} />}</td>
      <td className="wide-only muted">{row !== null && rowEnding(row)}</td>
      <td className="num">
        {state === 'needs-you' ? (
          <Button small onClick={() => openConnection(id)}>
            {actWord(connection, row, needsKey)}
          </Button>
        ) : (
          row !== null &&
          canClear(row) && (
            <Button small aria-label={`Clear ${name}`} onClick={() => void clearCooldowns({ connectionIds: [id] })}>
              Clear
            </Button>
          )
        )}
      </td>
    </tr>
  )
}

/** What a person does about it, in the connection's own panel. */
function actWord({ login }: ConnectionView, row: CooldownRow | null, needsKey: boolean): string {
  if (login !== null) return 'Sign in'
  return needsKey && row?.gate?.reason !== 'credits_exhausted' ? 'Enter key' : 'Open'
}
