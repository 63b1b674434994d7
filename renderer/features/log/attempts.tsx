import './attempts.css'
import type { AttemptView } from '../../../core/contract/views'
import { ATTEMPT_LOOKS } from '../../app/looks'
import { verdictWords } from '../../app/request-words'
import { sentence } from '../../app/sentence'
import { StateShape } from '../../ui/state-shape'
import { clockTimeWithSeconds, duration, exactTime } from '../../ui/time'

/** The way a request took: each stop is one call to a provider. */
export function Attempts({ attempts }: { readonly attempts: readonly AttemptView[] }) {
  if (attempts.length === 0) return <p className="muted">No provider was asked.</p>
  return (
    <ol className="attempts" aria-label="Attempts">
      {attempts.map((attempt) => (
        <Attempt key={attempt.index} attempt={attempt} />
      ))}
    </ol>
  )
}

function Attempt({ attempt }: { readonly attempt: AttemptView }) {
  const look = ATTEMPT_LOOKS[attempt.outcome]
  return (
    <li className="attempt">
      <span className={`attempt__mark state state--${look.tone}`}>
        <StateShape shape={look.shape} />
      </span>
      <div className="attempt__body">
        <div className="line line--wrap">
          <strong className={`state--${look.tone}`}>{verdictWords(attempt)}</strong>
          <span className="muted small" title={exactTime(attempt.startedAt)}>
            {clockTimeWithSeconds(attempt.startedAt)}
          </span>
        </div>
        <div className="attempt__target">
          <code>
            {attempt.provider}/{attempt.model}
          </code>
          <span className="muted small"> with {attempt.connectionName}</span>
        </div>
        <div className="small muted">
          {attempt.firstByteMs === null ? 'no first byte' : `first byte ${duration(attempt.firstByteMs)}`} · total{' '}
          {duration(attempt.totalMs)}
        </div>
        {attempt.message !== '' && <p className="attempt__message">{attempt.message}</p>}
        {attempt.outcome !== 'ok' && attempt.next !== '' && <p className="small">{sentence(attempt.next)}</p>}
      </div>
    </li>
  )
}
