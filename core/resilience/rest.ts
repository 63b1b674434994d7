// A span of rest with a beginning and an end, shared by cooldowns and lockouts. It ends by itself when the clock says
// so, and never lasts longer than it was meant to, however the clock is moved. Pure.

export interface Span {
  /** Wall-clock milliseconds. */
  readonly since: number
  readonly until: number
}

export const SECOND_MS = 1_000
export const DAY_MS = 86_400_000
/** No rest is longer: the longest reset that is believed. */
export const LONGEST_REST_MS = 30 * DAY_MS

/** A rest of `ms` from now: whole milliseconds, never NaN, negative or endless. */
export function span(ms: number, now: number, longest = LONGEST_REST_MS): Span {
  const length = Number.isFinite(ms) ? Math.min(Math.max(Math.ceil(ms), 0), longest) : ms > 0 ? longest : 0
  return { since: now, until: now + length }
}

export const isRunning = ({ until }: Span, now: number): boolean => now < until

/** The same rest where the clock goes on; begun anew, as long as it was, where the clock was set back before it. */
export function anchored<S extends Span>(rest: S, now: number): S {
  return now >= rest.since ? rest : { ...rest, since: now, until: now + (rest.until - rest.since) }
}

/** A stated wait that can be used: at least nothing, at most endless; null where it is none. */
export const statedWait = (ms: number | null): number | null => (ms === null || Number.isNaN(ms) || ms < 0 ? null : ms)
