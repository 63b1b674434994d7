import type { RequestView } from '../../../core/contract/views'
import { OUTCOME_LOOKS } from '../../app/looks'
import { usePushed } from '../../app/pushed'
import { navigate, openRequest, openTry } from '../../app/ui-state'
import { Button } from '../../ui/button'
import { Card, Empty } from '../../ui/card'
import { Moment } from '../../ui/moment'
import { counted } from '../../ui/numbers'
import { StateBadge } from '../../ui/state-shape'
import { duration } from '../../ui/time'
import { Waiting } from '../../ui/waiting'

export function LastRequests() {
  const recent = usePushed(({ recent }) => recent)
  return (
    <Card
      title="Last requests"
      aside={
        <Button small look="quiet" onClick={() => navigate('log')}>
          Whole log
        </Button>
      }
    >
      {recent.at === 'loading' && <Waiting forWhat="the last requests" />}
      {recent.at === 'failed' && <p className="card__body muted">{recent.error.message}</p>}
      {recent.at === 'ready' &&
        (recent.value.length === 0 ? (
          <Empty text="No request has come in yet. Point a tool at the address above, or send a first one from here.">
            <Button onClick={openTry}>Send a request</Button>
          </Empty>
        ) : (
          <Rows requests={recent.value} />
        ))}
    </Card>
  )
}

function Rows({ requests }: { readonly requests: readonly RequestView[] }) {
  return (
    <table className="table">
      <thead>
        <tr>
          <th scope="col">When</th>
          <th scope="col">Outcome</th>
          <th scope="col">Model</th>
          <th scope="col" className="wide-only">
            From
          </th>
          <th scope="col" className="wide-only">
            Attempts
          </th>
          <th scope="col" className="num">
            Total
          </th>
        </tr>
      </thead>
      <tbody>
        {requests.map((request) => (
          // The button in the row is the way by keyboard; the whole row is a larger target for the pointer.
          <tr key={request.id} data-openable="true" onClick={() => openRequest(request.id)}>
            <td className="muted">
              <Moment at={request.at} />
            </td>
            <td>
              <StateBadge look={OUTCOME_LOOKS[request.outcome]} />
            </td>
            <td className="cell-model">
              <button type="button" className="row-button mono truncate" title={request.model}>
                {request.model}
              </button>
            </td>
            <td className="wide-only">{request.tool}</td>
            <td className="wide-only nowrap">{counted(request.attempts.length, 'attempt')}</td>
            <td className="num">{duration(request.totalMs)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
