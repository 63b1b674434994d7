import { countdown, exactTime } from './time'
import { useNow } from './use-now'

/** How long until a moment, counted down while one looks; exact on hover. */
export function Countdown({ until }: { readonly until: number }) {
  const now = useNow()
  return (
    <time dateTime={new Date(until).toISOString()} title={exactTime(until)} className="nowrap">
      {countdown(until, now)}
    </time>
  )
}
