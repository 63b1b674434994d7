// Model servers that run on this machine now, each one click away from a connection.
import { useEffect, useState } from 'react'
import type { ConnectionView, FoundServer, ProviderView } from '../../../core/contract/views'
import { call } from '../../app/client'
import { shortAddress } from '../../app/describe-listener'
import { fromAnswer, type Loadable, loading } from '../../app/loadable'
import { Button } from '../../ui/button'
import { FieldError } from '../../ui/field'
import { counted } from '../../ui/numbers'
import { StateShape } from '../../ui/state-shape'
import { connectFound } from './save'

function useFoundServers(): Loadable<readonly FoundServer[]> {
  const [found, setFound] = useState<Loadable<readonly FoundServer[]>>(loading)
  useEffect(() => {
    let current = true
    void call('providers:discover').then((answer) => {
      if (current) setFound(fromAnswer(answer))
    })
    return () => {
      current = false
    }
  }, [])
  return found
}

interface FoundProps {
  readonly providers: readonly ProviderView[]
  readonly onConnected: (connection: ConnectionView) => void
}

export function FoundServers({ providers, onConnected }: FoundProps) {
  const found = useFoundServers()
  if (found.at === 'failed') return null
  if (found.at === 'loading') return <p className="small muted">Looking for model servers on this machine…</p>
  if (found.value.length === 0)
    return <p className="small muted">No model server runs on this machine, at least not on a usual port.</p>
  return (
    <section className="found" aria-label="Found on this machine">
      {found.value.map((server) => (
        <Found key={server.baseUrl} {...{ server, providers, onConnected }} />
      ))}
    </section>
  )
}

function Found({ server, providers, onConnected }: FoundProps & { readonly server: FoundServer }) {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const label = providers.find(({ id }) => id === server.provider)?.label ?? server.provider
  const connect = async () => {
    setBusy(true)
    setError(null)
    const answer = await connectFound(server, providers)
    setBusy(false)
    if (answer.ok) onConnected(answer.value)
    else setError(answer.error.message)
  }
  return (
    <>
      <div className="found__row">
        <span className="state state--ok">
          <StateShape shape="check" />
        </span>
        <span className="found__words">
          <span className="truncate">
            <strong>{label}</strong> is running here
          </span>
          <span className="small muted truncate">{placeWords(server)}</span>
        </span>
        {server.already ? (
          <span className="small muted">Connected</span>
        ) : (
          <Button small disabled={busy} aria-label={`Connect ${label}`} onClick={() => void connect()}>
            {busy ? 'Connecting…' : 'Connect'}
          </Button>
        )}
      </div>
      {error !== null && <FieldError message={error} />}
    </>
  )
}

const placeWords = ({ baseUrl, models }: FoundServer): string =>
  [shortAddress(baseUrl), models.length === 0 ? 'no models listed' : counted(models.length, 'model')].join(' · ')
