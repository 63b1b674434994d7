import { Popover } from 'radix-ui'
import type { GatewayStatus, ProviderView } from '../../core/contract/views'
import { Button } from '../ui/button'
import { StateBadge, StateShape } from '../ui/state-shape'
import { addressOf, describeListener, shortAddress } from './describe-listener'
import { type Loadable, NONE, valueOr } from './loadable'
import { OVERALL_LOOKS, STATE_LOOKS } from './looks'
import { usePushed } from './pushed'
import { sentence } from './sentence'
import { type Trouble, troublesOf } from './troubles'
import { navigate, openConnection } from './ui-state'

/** The head of the sidebar: the whole gateway in one shape and word; a click says what is wrong. */
export function HealthSummary() {
  const gateway = usePushed(({ gateway }) => gateway)
  const providers = usePushed(({ providers }) => valueOr(providers, NONE))
  const look =
    OVERALL_LOOKS[gateway.at === 'failed' ? 'down' : gateway.at === 'loading' ? 'starting' : gateway.value.overall]
  return (
    <Popover.Root>
      <Popover.Trigger asChild>
        <button type="button" className="overall">
          <span className={`overall__shape state state--${look.tone}`}>
            <StateShape shape={look.shape} size={20} />
          </span>
          <span className="overall__words">
            <span className="overall__word">
              <span className="visually-hidden">Gateway: </span>
              {look.word}
            </span>
            <span className="overall__address mono">{addressLine(gateway)}</span>
          </span>
        </button>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          className="popover"
          aria-label="State of the gateway"
          side="right"
          align="start"
          sideOffset={8}
          collisionPadding={8}
        >
          <Details gateway={gateway} providers={providers} />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}

function addressLine(gateway: Loadable<GatewayStatus>): string {
  const status = valueOr(gateway, null)
  const address = status === null ? null : addressOf(status.listener)
  return address === null ? 'no address' : shortAddress(address)
}

interface DetailsProps {
  readonly gateway: Loadable<GatewayStatus>
  readonly providers: readonly ProviderView[]
}

function Details({ gateway, providers }: DetailsProps) {
  if (gateway.at === 'loading') return <p>The gateway has not answered yet.</p>
  if (gateway.at === 'failed') return <p>{gateway.error.message}</p>
  const { overall, overallWhy, listener } = gateway.value
  const problem = describeListener(listener)
  const troubles = troublesOf(providers)
  return (
    <div className="stack">
      <StateBadge look={OVERALL_LOOKS[overall]} />
      <p>{overallWhy === '' ? 'Everything that is switched on answers.' : sentence(overallWhy)}</p>
      {problem !== null && (
        <Popover.Close asChild>
          <Button small onClick={() => navigate('overview')}>
            What to do
          </Button>
        </Popover.Close>
      )}
      {troubles.length > 0 && (
        <Popover.Close asChild>
          <Button small onClick={() => navigate('health')}>
            Open health
          </Button>
        </Popover.Close>
      )}
      {troubles.length > 0 && (
        <ul className="troubles">
          {troubles.map((trouble) => (
            <li key={trouble.connectionId}>
              <TroubleRow trouble={trouble} />
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function TroubleRow({ trouble }: { readonly trouble: Trouble }) {
  return (
    <Popover.Close asChild>
      <button type="button" className="troubles__row" onClick={() => openConnection(trouble.connectionId)}>
        <span className="line">
          <StateBadge look={STATE_LOOKS[trouble.state]} />
          <span className="truncate">
            {trouble.provider} · {trouble.name}
          </span>
        </span>
        {trouble.why !== '' && <span className="small muted">{sentence(trouble.why)}</span>}
      </button>
    </Popover.Close>
  )
}
