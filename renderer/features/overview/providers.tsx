import { Plus } from 'lucide-react'
import type { ConnectionView, ProviderView } from '../../../core/contract/views'
import { STATE_LOOKS } from '../../app/looks'
import { usePushed } from '../../app/pushed'
import { sentence } from '../../app/sentence'
import { navigate, openConnection, openNewConnection } from '../../app/ui-state'
import { Button } from '../../ui/button'
import { Card } from '../../ui/card'
import { Countdown } from '../../ui/countdown'
import { Moment } from '../../ui/moment'
import { StateBadge } from '../../ui/state-shape'
import { Waiting } from '../../ui/waiting'

const PRACTICE = 'practice'

export function Providers() {
  const providers = usePushed(({ providers }) => providers)
  if (providers.at === 'loading')
    return (
      <Card title="Providers">
        <Waiting forWhat="the providers" />
      </Card>
    )
  if (providers.at === 'failed')
    return (
      <Card title="Providers">
        <p className="card__body muted">{providers.error.message}</p>
      </Card>
    )
  const used = providers.value.filter(({ connections }) => connections.length > 0)
  const onlyPractice = used.every(({ id }) => id === PRACTICE)
  return (
    <Card
      title="Providers"
      aside={
        <>
          <Button small look="quiet" onClick={() => navigate('health')}>
            Health
          </Button>
          <Button small look="quiet" onClick={() => navigate('connections')}>
            All connections
          </Button>
        </>
      }
    >
      <div className="table-scroll">
        <table className="table">
          <thead>
            <tr>
              <th scope="col">Provider</th>
              <th scope="col">State</th>
              <th scope="col" className="wide-only">
                Returns
              </th>
              <th scope="col" className="wide-only">
                Connections
              </th>
              <th scope="col" className="wide-only">
                Last used
              </th>
            </tr>
          </thead>
          <tbody>
            {used.map((provider) => (
              <Row key={provider.id} provider={provider} />
            ))}
          </tbody>
        </table>
      </div>
      {onlyPractice && (
        <div className="hint-row">
          <span className="grow muted">
            {used.length === 0 ? 'No connection yet.' : 'Only the practice provider so far.'} Add a connection and your
            tools reach real models through the gateway.
          </span>
          <Button
            small
            icon={<Plus size={16} strokeWidth={1.75} aria-hidden="true" />}
            onClick={() => openNewConnection()}
          >
            Add connection
          </Button>
        </div>
      )}
    </Card>
  )
}

function Row({ provider }: { readonly provider: ProviderView }) {
  const serves = ({ state }: ConnectionView): boolean => state === 'healthy' || state === 'strained'
  // A provider that rests as a whole asks none of them.
  const serving = provider.state === 'resting' ? 0 : provider.connections.filter(serves).length
  const lastUsed = Math.max(0, ...provider.connections.map(({ lastUsedAt }) => lastUsedAt ?? 0))
  const needsYou = provider.connections.find(({ state }) => state === 'needs-you')
  return (
    <tr>
      <td>
        <strong>{provider.label}</strong>
      </td>
      <td>
        <div className="line line--wrap">
          <StateBadge look={STATE_LOOKS[provider.state]} />
          {provider.why !== '' && <span className="muted">{sentence(provider.why)}</span>}
          {needsYou !== undefined && (
            <Button small onClick={() => openConnection(needsYou.id)}>
              {needsYou.login !== null ? 'Sign in' : provider.needsKey ? 'Enter key' : 'Open'}
            </Button>
          )}
        </div>
      </td>
      <td className="wide-only">{provider.until !== null && <Countdown until={provider.until} />}</td>
      <td className="wide-only nowrap">
        {serving} of {provider.connections.length} serving
      </td>
      <td className="wide-only">{lastUsed === 0 ? <span className="muted">never</span> : <Moment at={lastUsed} />}</td>
    </tr>
  )
}
