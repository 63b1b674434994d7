import './overview.css'
import { Pause } from 'lucide-react'
import { useState } from 'react'
import type { GatewayStatus } from '../../../core/contract/views'
import { call } from '../../app/client'
import { reload } from '../../app/connect'
import { CopyIcon } from '../../app/copy'
import { addressOf, describeListener, hidesEverything, shortAddress } from '../../app/describe-listener'
import { ready } from '../../app/loadable'
import { OVERALL_LOOKS } from '../../app/looks'
import { PageFrame } from '../../app/page'
import { setPushed, usePushed } from '../../app/pushed'
import { sentence } from '../../app/sentence'
import { Button } from '../../ui/button'
import { Callout } from '../../ui/callout'
import { showToast } from '../../ui/toast-store'
import { Waiting } from '../../ui/waiting'
import { Charts } from './charts'
import { LastRequests } from './last-requests'
import { ListenerProblem } from './listener-problem'
import { Providers } from './providers'
import { Today } from './today'

/** The first page: the gateway's state, whatever it is. */
export function OverviewPage() {
  const gateway = usePushed(({ gateway }) => gateway)
  switch (gateway.at) {
    case 'loading':
      return (
        <PageFrame title="Overview">
          <div className="card">
            <Waiting forWhat="the gateway's state" bars={4} />
          </div>
        </PageFrame>
      )
    case 'failed':
      return (
        <PageFrame title="Overview">
          <Callout
            tone="down"
            shape="cross"
            title="The window cannot reach the gateway"
            actions={
              <>
                <Button look="primary" onClick={reload}>
                  Try again
                </Button>
                <Button onClick={() => window.location.reload()}>Reload the window</Button>
              </>
            }
          >
            <p>{gateway.error.message}</p>
            <p>
              Nothing here can be shown or changed until it answers. If it stays this way, quit Breakwater and start it
              again.
            </p>
          </Callout>
        </PageFrame>
      )
    case 'ready':
      return <State status={gateway.value} />
  }
}

function State({ status }: { readonly status: GatewayStatus }) {
  const words = describeListener(status.listener)
  const address = addressOf(status.listener)
  return (
    <PageFrame title="Overview" action={address !== null && <Address address={address} paused={status.paused} />}>
      {words !== null && <ListenerProblem words={words} />}
      {words === null && status.paused && <Paused />}
      {words === null && !status.paused && status.overallWhy !== '' && <Why status={status} />}
      {!hidesEverything(status.listener) && (
        <>
          <Today status={status} />
          <Charts />
          <Providers />
          <LastRequests />
        </>
      )}
    </PageFrame>
  )
}

async function setPaused(paused: boolean): Promise<void> {
  const answer = await call('gateway:pause', { paused })
  if (answer.ok) setPushed({ gateway: ready(answer.value) })
  else showToast({ text: answer.error.message, bad: true })
}

function Address({ address, paused }: { readonly address: string; readonly paused: boolean }) {
  return (
    <>
      {!paused && (
        <Button
          look="quiet"
          icon={<Pause size={16} strokeWidth={1.75} aria-hidden="true" />}
          onClick={() => void setPaused(true)}
        >
          Pause
        </Button>
      )}
      <div className="address">
        <code>{shortAddress(address)}</code>
        <CopyIcon what={{ what: 'address' }} label="Copy address" />
      </div>
    </>
  )
}

function Paused() {
  const [busy, setBusy] = useState(false)
  const resume = async () => {
    setBusy(true)
    await setPaused(false)
    setBusy(false)
  }
  return (
    <Callout
      tone="idle"
      shape="pause"
      title="The gateway is paused"
      actions={
        <Button look="primary" disabled={busy} onClick={() => void resume()}>
          Resume
        </Button>
      }
    >
      <p>New requests get 503 gateway_paused. Streams that were running finish. It stays paused after a restart.</p>
    </Callout>
  )
}

function Why({ status }: { readonly status: GatewayStatus }) {
  const look = OVERALL_LOOKS[status.overall]
  return (
    <Callout tone={look.tone} shape={look.shape}>
      <p>
        <strong>{look.word}.</strong> {sentence(status.overallWhy)}
      </p>
    </Callout>
  )
}
