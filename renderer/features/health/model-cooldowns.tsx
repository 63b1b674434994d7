import type { LockoutView } from '../../../core/contract/health-views'
import { NONE, valueOr } from '../../app/loadable'
import { usePushed } from '../../app/pushed'
import { REASON_WORDS } from '../../app/request-words'
import { sentence } from '../../app/sentence'
import { Button } from '../../ui/button'
import { Card } from '../../ui/card'
import { Countdown } from '../../ui/countdown'
import { Moment } from '../../ui/moment'
import { shownLockouts } from './cooldown-rows'
import { clearLockouts, useHealth } from './health-store'

/** For a page that follows health. The models that rest, each on one connection; all of them, or those of the provider of a filter. */
export function ModelCooldowns({ provider }: { readonly provider: string }) {
  const lockouts = useHealth(({ health }) => valueOr(health, null)?.lockouts ?? NONE)
  const shown = shownLockouts(lockouts, provider)
  return (
    <Card
      title="Model cooldowns"
      aside={
        <Button small disabled={lockouts.length === 0} onClick={() => void clearLockouts(null)}>
          Re-enable all
        </Button>
      }
    >
      {shown.length === 0 ? (
        <p className="card__body muted">No model rests. One that is over its limit rests here while others go on.</p>
      ) : (
        <div className="table-scroll">
          <table className="table model-cooldowns">
            <thead>
              <tr>
                <th scope="col">Model</th>
                <th scope="col">Connection</th>
                <th scope="col">Why</th>
                <th scope="col" className="wide-only">
                  Since
                </th>
                <th scope="col">Returns</th>
                <th scope="col" className="num wide-only">
                  Failures
                </th>
                <th scope="col">
                  <span className="visually-hidden">Actions</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {shown.map((lockout) => (
                <Row key={`${lockout.connectionId} ${lockout.model}`} lockout={lockout} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Card>
  )
}

function Row({ lockout }: { readonly lockout: LockoutView }) {
  const { provider, connectionName, model, reason, why, since, expiresAt, failureCount } = lockout
  const label = usePushed(({ providers }) => valueOr(providers, NONE).find(({ id }) => id === provider)?.label)
  return (
    <tr>
      <td className="mono breakable">{model}</td>
      <td className="breakable">
        {label ?? provider} · {connectionName}
      </td>
      <td>
        {REASON_WORDS[reason]}
        {why !== '' && <div className="muted breakable">{sentence(why)}</div>}
      </td>
      <td className="wide-only muted">
        <Moment at={Date.parse(since)} />
      </td>
      <td>
        <Countdown until={Date.parse(expiresAt)} />
      </td>
      <td className="num wide-only">{failureCount}</td>
      <td className="num">
        <Button small aria-label={`Re-enable ${model}`} onClick={() => void clearLockouts(lockout)}>
          Re-enable
        </Button>
      </td>
    </tr>
  )
}
