import { useState } from 'react'
import type { ClientKeyView } from '../../../core/contract/views'
import { CopyButton } from '../../app/copy'
import { addressOf, describeListener } from '../../app/describe-listener'
import { valueOr } from '../../app/loadable'
import { usePushed } from '../../app/pushed'
import { Button } from '../../ui/button'
import { Callout } from '../../ui/callout'
import { FieldError } from '../../ui/field'
import { Waiting } from '../../ui/waiting'
import { freeName } from '../connections/draft'
import { createKey } from '../keys/new-key-panel'
import { ListenerProblem } from '../overview/listener-problem'
import { NextButton, StepFrame } from './wizard'

export function StepAddress() {
  const gateway = usePushed(({ gateway }) => gateway)
  const status = valueOr(gateway, null)
  const words = status === null ? null : describeListener(status.listener)
  const address = status === null ? null : addressOf(status.listener)
  return (
    <StepFrame
      step="address"
      intro="The gateway runs on this machine. Every AI tool you point at this address, with this key, goes through it."
      primary={<NextButton step="address" />}
    >
      {gateway.at === 'loading' && <Waiting forWhat="the gateway's state" />}
      {gateway.at === 'failed' && (
        <Callout tone="down" shape="cross" title="The window cannot reach the gateway">
          <p>{gateway.error.message}</p>
        </Callout>
      )}
      {words !== null && <ListenerProblem words={words} />}
      {address !== null && (
        <section className="stack stack--tight" aria-label="Address">
          <h2>Address</h2>
          <div className="value-box">
            <code className="grow truncate">{address}</code>
            <CopyButton small what={{ what: 'address' }} label="Copy address" />
          </div>
          <p className="small muted">
            Only programs on this machine can reach it. OpenAI clients add /v1, Anthropic clients use it as it is.
          </p>
        </section>
      )}
      <Key />
    </StepFrame>
  )
}

function Key() {
  const keys = usePushed(({ keys }) => keys)
  if (keys.at !== 'ready') return keys.at === 'failed' ? <p className="muted">{keys.error.message}</p> : null
  const copyable = keys.value.find((key) => key.copyable)
  return (
    <section className="stack stack--tight" aria-label="Key">
      <h2>Key</h2>
      {copyable === undefined ? <NewKey keys={keys.value} /> : <CopyableKey clientKey={copyable} />}
    </section>
  )
}

function CopyableKey({ clientKey }: { readonly clientKey: ClientKeyView }) {
  return (
    <>
      <div className="value-box">
        <span className="grow line">
          <code className="truncate">{clientKey.mask}</code>
          <span className="muted small truncate">{clientKey.name}</span>
        </span>
        <CopyButton small what={{ what: 'client-key', keyId: clientKey.id }} label="Copy key" />
      </div>
      <p className="small muted">
        Only a fingerprint of it is stored: it can be copied until Breakwater quits. You can make more under Keys, one
        for each tool.
      </p>
    </>
  )
}

function NewKey({ keys }: { readonly keys: readonly ClientKeyView[] }) {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const make = async () => {
    setBusy(true)
    setError(null)
    const name = freeName(
      'main',
      keys.map((key) => key.name),
    )
    const answer = await createKey(name, false)
    setBusy(false)
    if (!answer.ok) setError(answer.error.message)
  }
  return (
    <>
      <p className="muted">
        {keys.length === 0
          ? 'There is no key yet.'
          : 'The keys made earlier cannot be shown again: only their fingerprints are stored. Tools that have one keep working.'}
      </p>
      <div>
        <Button disabled={busy} onClick={() => void make()}>
          New key
        </Button>
      </div>
      {error !== null && <FieldError message={error} />}
    </>
  )
}
