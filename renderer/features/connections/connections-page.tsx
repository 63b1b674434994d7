import { Loaded } from '../../app/loaded'
import './connections.css'
import { Plus } from 'lucide-react'
import type { ConnectionView, ProviderView } from '../../../core/contract/views'
import { reload } from '../../app/connect'
import { STATE_LOOKS } from '../../app/looks'
import { PageFrame } from '../../app/page'
import { usePushed } from '../../app/pushed'
import { QuotaStrip } from '../../app/quota-strip'
import { dialectWords } from '../../app/request-words'
import { sentence } from '../../app/sentence'
import { openNewConnection, useUi } from '../../app/ui-state'
import { moveBetweenRows } from '../../ui/arrow-rows'
import { Button } from '../../ui/button'
import { Empty } from '../../ui/card'
import { Moment } from '../../ui/moment'
import { StateBadge } from '../../ui/state-shape'
import { AddPanel } from './add-panel'
import { EditPanel } from './edit-panel'
import { PRACTICE_MODELS } from './practice-models'
import { removeProvider } from './save'

const PRACTICE = 'practice'
const plus = <Plus size={16} strokeWidth={1.75} aria-hidden="true" />

export function ConnectionsPage() {
  const providers = usePushed(({ providers }) => providers)
  const open = useUi(({ connectionPanel }) => connectionPanel !== null)
  return (
    <PageFrame
      title="Connections"
      action={
        <Button
          look={open ? 'default' : 'primary'}
          icon={plus}
          disabled={providers.at !== 'ready'}
          onClick={() => openNewConnection()}
        >
          Add connection
        </Button>
      }
      panel={providers.at === 'ready' && <Panel providers={providers.value} />}
    >
      <Loaded of={providers} what="the connections" bars={6} again={reload}>
        {(value) => <Groups providers={value} />}
      </Loaded>
    </PageFrame>
  )
}

function Panel({ providers }: { readonly providers: readonly ProviderView[] }) {
  const panel = useUi(({ connectionPanel }) => connectionPanel)
  if (panel === null) return null
  if (panel.kind === 'add')
    return <AddPanel key={`add-${panel.provider}`} providers={providers} provider={panel.provider} />
  for (const provider of providers) {
    const connection = provider.connections.find(({ id }) => id === panel.id)
    if (connection !== undefined) return <EditPanel key={connection.id} connection={connection} provider={provider} />
  }
  return null
}

function Groups({ providers }: { readonly providers: readonly ProviderView[] }) {
  const shown = providers.filter(
    ({ id, connections, builtIn }) => id !== PRACTICE && (connections.length > 0 || !builtIn),
  )
  const practice = providers.find(({ id }) => id === PRACTICE)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrows move between the rows inside
    <div className="stack stack--loose" onKeyDown={moveBetweenRows}>
      {shown.length === 0 && (
        <div className="card">
          <Empty text="No connection yet. Add an account, a key or an endpoint, and your tools reach its models through the gateway.">
            <Button icon={plus} onClick={() => openNewConnection()}>
              Add connection
            </Button>
          </Empty>
        </div>
      )}
      {shown.map((provider) => (
        <Group key={provider.id} provider={provider} />
      ))}
      {practice !== undefined && <Practice provider={practice} />}
    </div>
  )
}

function Group({ provider }: { readonly provider: ProviderView }) {
  return (
    <section className="card" aria-label={provider.label}>
      <header className="card__head">
        <h2>{provider.label}</h2>
        {provider.connections.length > 0 && <StateBadge look={STATE_LOOKS[provider.state]} />}
        <span className="grow truncate small muted" title={provider.baseUrl}>
          {provider.why === '' ? placeWords(provider) : sentence(provider.why)}
        </span>
        {!provider.builtIn && provider.connections.length === 0 && (
          <Button small look="danger" onClick={() => void removeProvider(provider)}>
            Delete endpoint
          </Button>
        )}
        <Button
          small
          look="quiet"
          icon={plus}
          aria-label={`Add to ${provider.label}`}
          onClick={() => openNewConnection(provider.id)}
        >
          Add
        </Button>
      </header>
      {provider.connections.length === 0 ? (
        <p className="card__body muted">No connection yet. Add a key and it can be used.</p>
      ) : (
        <Rows connections={provider.connections} />
      )}
    </section>
  )
}

function Rows({ connections }: { readonly connections: readonly ConnectionView[] }) {
  return (
    <table className="table connections">
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">State</th>
          <th scope="col" className="wide-only">
            Key
          </th>
          <th scope="col" className="wide-only num">
            Priority
          </th>
          <th scope="col" className="num">
            Last used
          </th>
          <th scope="col" className="num">
            In flight
          </th>
        </tr>
      </thead>
      <tbody>
        {connections.map((connection) => (
          <Row key={connection.id} connection={connection} />
        ))}
      </tbody>
    </table>
  )
}

function Row({ connection }: { readonly connection: ConnectionView }) {
  const open = useUi(({ connectionPanel }) => connectionPanel?.kind === 'edit' && connectionPanel.id === connection.id)
  const show = () => useUi.setState({ connectionPanel: { kind: 'edit', id: connection.id } })
  return (
    // The button in the row is the way by keyboard; the whole row is a larger target for the pointer.
    <tr data-openable="true" data-open={open} onClick={show}>
      <td className="connections__name">
        <button type="button" className="row-button truncate" data-row aria-expanded={open} title={connection.name}>
          {connection.name}
        </button>
      </td>
      <td>
        <div className="line line--wrap">
          <StateBadge look={STATE_LOOKS[connection.state]} />
          {connection.why !== '' && <span className="muted">{sentence(connection.why)}</span>}
        </div>
        <QuotaStrip quota={connection.quota} />
      </td>
      <td className="wide-only mono muted nowrap">{keyWords(connection)}</td>
      <td className="wide-only num muted">{connection.priority}</td>
      <td className="num muted">{connection.lastUsedAt === null ? 'never' : <Moment at={connection.lastUsedAt} />}</td>
      <td className="num">{connection.inFlight}</td>
    </tr>
  )
}

/** Where the address is the connection's own there is none to show for all. */
const placeWords = ({ dialect, baseUrl }: ProviderView): string =>
  [dialectWords(dialect), baseUrl].filter((part) => part !== '').join(' · ')

const keyWords = ({ keyMask, login }: ConnectionView): string =>
  login === null ? (keyMask ?? 'no key') : login.state === 'needs-sign-in' ? 'not signed in' : 'signed in'

function Practice({ provider }: { readonly provider: ProviderView }) {
  return (
    <section className="card" aria-label={provider.label}>
      <header className="card__head">
        <h2>{provider.label}</h2>
        <StateBadge look={STATE_LOOKS[provider.state]} />
        <span className="grow truncate small muted">Built in: no account, no network. It fails on purpose.</span>
      </header>
      {provider.connections.length > 0 && <Rows connections={provider.connections} />}
      <details className="practice">
        <summary>What its models show</summary>
        <table className="table">
          <thead>
            <tr>
              <th scope="col">Model</th>
              <th scope="col">What it shows</th>
            </tr>
          </thead>
          <tbody>
            {PRACTICE_MODELS.map(({ id, shows }) => (
              <tr key={id}>
                <td className="mono nowrap">{`${PRACTICE}/${id}`}</td>
                <td>{shows}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </section>
  )
}
