import { Loaded } from '../../app/loaded'
import './keys.css'
import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { ClientKeyView } from '../../../core/contract/views'
import { call } from '../../app/client'
import { reload } from '../../app/connect'
import { CopyButton } from '../../app/copy'
import { NONE, ready, valueOr } from '../../app/loadable'
import { PageFrame } from '../../app/page'
import { setPushed, usePushed } from '../../app/pushed'
import { Ask, AskCancel } from '../../ui/ask'
import { Button, IconButton } from '../../ui/button'
import { Empty } from '../../ui/card'
import { FieldError } from '../../ui/field'
import { Moment } from '../../ui/moment'
import { showToast } from '../../ui/toast-store'
import { NewKeyPanel } from './new-key-panel'

export function KeysPage() {
  const keys = usePushed(({ keys }) => keys)
  const [making, setMaking] = useState(false)
  const [removing, setRemoving] = useState<ClientKeyView | null>(null)
  return (
    <PageFrame
      title="Keys"
      action={
        <Button
          look={making ? 'default' : 'primary'}
          icon={<Plus size={16} strokeWidth={1.75} aria-hidden="true" />}
          disabled={keys.at !== 'ready'}
          onClick={() => setMaking(true)}
        >
          New key
        </Button>
      }
      panel={making && <NewKeyPanel onClose={() => setMaking(false)} />}
    >
      <p className="muted keys__intro">
        Tools show one of these keys to the gateway. Only a fingerprint is stored, so a key can be copied in the run it
        was made in and never again.
      </p>
      <Loaded of={keys} what="the keys" again={reload}>
        {(value) => <KeyTable keys={value} onNew={() => setMaking(true)} onRemove={setRemoving} />}
      </Loaded>
      {removing !== null && <RemoveKey clientKey={removing} onDone={() => setRemoving(null)} />}
    </PageFrame>
  )
}

interface TableProps {
  readonly keys: readonly ClientKeyView[]
  readonly onNew: () => void
  readonly onRemove: (key: ClientKeyView) => void
}

function KeyTable({ keys, onNew, onRemove }: TableProps) {
  if (keys.length === 0)
    return (
      <div className="card">
        <Empty text="There is no key, so every request is refused. Make one and give it to your tools.">
          <Button look="primary" onClick={onNew}>
            New key
          </Button>
        </Empty>
      </div>
    )
  return (
    <div className="card">
      <table className="table keys">
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Key</th>
            <th scope="col">May</th>
            <th scope="col">Last used</th>
            <th scope="col" className="wide-only">
              Made
            </th>
            <th scope="col">
              <span className="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {keys.map((key) => (
            <tr key={key.id}>
              <td className="keys__name truncate" title={key.name}>
                {key.name}
              </td>
              <td className="mono muted nowrap">{key.mask}</td>
              <td>{key.scopes.includes('manage') ? 'send requests, manage' : 'send requests'}</td>
              <td className="muted">{key.lastUsedAt === null ? 'never' : <Moment at={key.lastUsedAt} />}</td>
              <td className="muted wide-only">
                <Moment at={key.createdAt} />
              </td>
              <td className="keys__actions">
                {key.copyable && (
                  <CopyButton small what={{ what: 'client-key', keyId: key.id }} label="Copy" look="default" />
                )}
                <IconButton label={`Delete key ${key.name}`} onClick={() => onRemove(key)}>
                  <Trash2 size={16} strokeWidth={1.75} aria-hidden="true" />
                </IconButton>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface RemoveProps {
  readonly clientKey: ClientKeyView
  readonly onDone: () => void
}

/** A key cannot be brought back, so this is one of the few places that asks. */
function RemoveKey({ clientKey, onDone }: RemoveProps) {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const remove = async () => {
    setBusy(true)
    const answer = await call('keys:remove', { id: clientKey.id })
    setBusy(false)
    if (!answer.ok) return setError(answer.error.message)
    const rest = valueOr(usePushed.getState().keys, NONE).filter(({ id }) => id !== clientKey.id)
    setPushed({ keys: ready(rest) })
    showToast({ text: `Deleted key ${clientKey.name}.` })
    onDone()
  }
  return (
    <Ask
      title={`Delete key ${clientKey.name}?`}
      onCancel={onDone}
      actions={
        <>
          <AskCancel asChild>
            <Button>Keep it</Button>
          </AskCancel>
          <Button look="danger" disabled={busy} onClick={() => void remove()}>
            Delete key
          </Button>
        </>
      }
    >
      <p>
        Every tool that uses <code>{clientKey.mask}</code> is refused with 401 from then on, until it gets another key.{' '}
        {clientKey.lastUsedAt === null ? (
          'No request has used it yet.'
        ) : (
          <>
            It was last used <Moment at={clientKey.lastUsedAt} />.
          </>
        )}
      </p>
      <p>A deleted key cannot be brought back.</p>
      {error !== null && <FieldError message={error} />}
    </Ask>
  )
}
