import type { BreakerView } from '../../../core/contract/health-views'
import type { BreakerState } from '../../../core/contract/health-words'
import { duration, exactTime } from '../../ui/time'
import { useNow } from '../../ui/use-now'
import { HISTORY_MS, spansOf, stretches } from './breaker-history'
import { BREAKER_LOOKS, changeReason, spanWords } from './health-words'

const WIDTH = 1_000
const HEIGHT = 16
/** A moment must still be seen: about four pixels. */
const LEAST = 5
/** The worse, the taller: colour alone says nothing. */
const HEIGHTS: Readonly<Record<BreakerState, number>> = { CLOSED: 4, DEGRADED: 8, HALF_OPEN: 12, OPEN: 16 }

/** The states of the last 24 hours as a bar. */
export function BreakerTimeline({ breaker }: { readonly breaker: BreakerView }) {
  // A pixel is more than a minute: it need not move each second.
  const now = Math.ceil(useNow() / 10_000) * 10_000
  const found = stretches(breaker, now)
  const start = now - HISTORY_MS
  return (
    <svg
      className="timeline"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`The last 24 hours: ${spanWords(spansOf(found))}`}
    >
      {found.map(({ state, from, to }) => {
        const width = Math.max(LEAST, ((to - from) / HISTORY_MS) * WIDTH)
        return (
          <rect
            key={from}
            className={`state--${BREAKER_LOOKS[state].tone}`}
            x={Math.min(((from - start) / HISTORY_MS) * WIDTH, WIDTH - width)}
            width={width}
            y={HEIGHT - HEIGHTS[state]}
            height={HEIGHTS[state]}
            fill="currentColor"
          >
            <title>{`${BREAKER_LOOKS[state].word} from ${exactTime(from)}, for ${duration(to - from)}`}</title>
          </rect>
        )
      })}
    </svg>
  )
}

/** What is remembered of its changes, the newest first. */
export function BreakerChanges({ breaker }: { readonly breaker: BreakerView }) {
  const changes = breaker.transitionHistory.toReversed()
  return (
    <details className="more">
      <summary>{changes.length === 1 ? 'Last change' : `Last ${changes.length} changes`}</summary>
      <ol className="changes more__body">
        {changes.map(({ from, to, timestamp, failureCount, reason }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two changes may share their moment
          <li key={index} className="changes__row">
            <span className="muted nowrap">{exactTime(timestamp)}</span>
            <span className="nowrap">
              {BREAKER_LOOKS[from].word} → <strong>{BREAKER_LOOKS[to].word}</strong>
            </span>
            <span className="muted">
              {changeReason(reason)}
              {failureCount > 0 && `, ${failureCount} counted`}
            </span>
          </li>
        ))}
      </ol>
    </details>
  )
}
