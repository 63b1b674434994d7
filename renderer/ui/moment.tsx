import { exactTime, relativeTime } from './time'
import { useNow } from './use-now'

/** A moment in words that keep true while one looks at them; exact on hover. */
export function Moment({ at }: { readonly at: number }) {
  const now = useNow()
  return (
    <time dateTime={new Date(at).toISOString()} title={exactTime(at)} className="nowrap">
      {relativeTime(at, now)}
    </time>
  )
}
