import type { GatewayStatus } from '../../../core/contract/views'
import { count } from '../../ui/numbers'

/** Now and today, in four figures. */
export function Today({ status }: { readonly status: GatewayStatus }) {
  const { requests, failed, failedOver } = status.today
  return (
    <section className="card today" aria-label="Now and today">
      <Figure value={status.running} label="running now" />
      <Figure value={requests} label={requests === 1 ? 'request today' : 'requests today'} />
      <Figure value={failedOver} label="failed over" hint="Answered by another connection after a failure" />
      <Figure value={failed} label="failed" hint="No connection could answer" bad={failed > 0} />
    </section>
  )
}

interface FigureProps {
  readonly value: number
  readonly label: string
  readonly hint?: string
  readonly bad?: boolean
}
function Figure({ value, label, hint, bad = false }: FigureProps) {
  return (
    <div className="today__figure" title={hint}>
      <span className={bad ? 'today__value today__value--bad' : 'today__value'}>{count(value)}</span>{' '}
      <span className="muted">{label}</span>
    </div>
  )
}
