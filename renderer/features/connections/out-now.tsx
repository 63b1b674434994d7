import { RotateCcw } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { BreakerView, CooldownRow } from '../../../core/contract/health-views'
import type { ConnectionView } from '../../../core/contract/views'
import { call } from '../../app/client'
import { NONE, valueOr } from '../../app/loadable'
import { REASON_WORDS } from '../../app/request-words'
import { navigate } from '../../app/ui-state'
import { Button } from '../../ui/button'
import { Callout } from '../../ui/callout'
import { Countdown } from '../../ui/countdown'
import { Moment } from '../../ui/moment'
import { counted } from '../../ui/numbers'
import { showToast } from '../../ui/toast-store'
import { followHealth, loadHealth, useHealth } from '../health/health-store'
import { BREAKER_LOOKS, BREAKER_SENTENCES, endingWords, TERMINAL_WORDS } from '../health/health-words'
import { adoptConnection } from './save'

/** What is held against a connection: why, since when, until when, what ends it; and the button that ends it. */
export function OutNow({ connection }: { readonly connection: ConnectionView }) {
  useEffect(followHealth, [])
  const row = useHealth(({ health }) => valueOr(health, null)?.connections.find(({ id }) => id === connection.id))
  const lockouts = useHealth(({ health }) => valueOr(health, null)?.lockouts ?? NONE)
  const breaker = useHealth(({ health }) =>
    valueOr(health, null)?.breakers.find(({ name }) => name === connection.provider),
  )
  const isOut = breaker !== undefined && (breaker.state === 'OPEN' || breaker.state === 'HALF_OPEN')
  const provider = isOut ? <ProviderOut breaker={breaker} /> : null
  if (row === undefined || (row.gate === null && row.lockouts.length === 0 && row.backoffLevel === 0)) return provider
  const { gate } = row
  return (
    <>
      {provider}
      <section className="card out-now" aria-label="What is held against it">
        <dl className="facts">
          {gate?.gate === 'terminal' && (
            <>
              <dt>Found</dt>
              <dd>{TERMINAL_WORDS[row.testStatus]}</dd>
            </>
          )}
          {gate !== null && (
            <>
              <dt>Why</dt>
              <dd>
                {REASON_WORDS[gate.reason]}
                {row.errorCode !== null && ` (${row.errorCode})`}
              </dd>
              <dt>Since</dt>
              <dd>
                <Moment at={gate.since} />
              </dd>
              <dt>Returns</dt>
              <dd>{gate.until === null ? 'not by itself' : <Countdown until={gate.until} />}</dd>
              <dt>What ends it</dt>
              <dd>{endingWords(gate, row.authType === 'oauth')}</dd>
            </>
          )}
          {lockouts
            .filter(({ connectionId }) => connectionId === connection.id)
            .map(({ model, reason, expiresAt }) => (
              <div key={model} className="out-now__model">
                <dt>Model rests</dt>
                <dd>
                  <code>{model}</code>, {REASON_WORDS[reason].toLowerCase()}, returns{' '}
                  <Countdown until={Date.parse(expiresAt)} />
                </dd>
              </div>
            ))}
        </dl>
        <Reset connection={connection} row={row} />
      </section>
    </>
  )
}

/** It may be well itself: its provider lets nothing through. */
function ProviderOut({ breaker }: { readonly breaker: BreakerView }) {
  return (
    <Callout
      tone="warn"
      shape={BREAKER_LOOKS[breaker.state].shape}
      title="The whole provider is out"
      actions={
        <Button small onClick={() => navigate('health')}>
          Open health
        </Button>
      }
    >
      <p>
        {BREAKER_SENTENCES[breaker.state]}
        {breaker.until !== null && (
          <>
            {' '}
            It is tried <Countdown until={breaker.until} />.
          </>
        )}
      </p>
    </Callout>
  )
}

function Reset({ connection, row }: { readonly connection: ConnectionView; readonly row: CooldownRow }) {
  const [busy, setBusy] = useState(false)
  const reset = async () => {
    setBusy(true)
    const answer = await call('connections:reset', { id: connection.id })
    setBusy(false)
    if (answer.ok) adoptConnection(answer.value)
    showToast(
      answer.ok
        ? { text: `Nothing is held against ${connection.name} any more.` }
        : { text: answer.error.message, bad: true },
    )
    await loadHealth()
  }
  return (
    <div className="line line--wrap">
      <Button
        small
        disabled={busy}
        icon={<RotateCcw size={14} strokeWidth={1.75} aria-hidden="true" />}
        onClick={() => void reset()}
      >
        Reset
      </Button>
      <span className="small muted">{resetWords(row)}</span>
    </div>
  )
}

/** What a reset would clear. */
export function resetWords({ gate, lockouts, backoffLevel }: CooldownRow): string {
  const parts = [
    ...(gate === null ? [] : [gate.gate === 'terminal' ? 'the finding about its account' : 'its rest']),
    ...(lockouts.length === 0 ? [] : [counted(lockouts.length, 'model cooldown')]),
    ...(gate === null && lockouts.length === 0 && backoffLevel > 0 ? ['what its next rest would grow by'] : []),
  ]
  return `Clears ${parts.join(' and ')}.`
}
