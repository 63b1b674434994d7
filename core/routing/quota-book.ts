// How much of its allowances an account has used, as the headers of its last answers say. Read where a provider documents
// them: Anthropic's unified windows (5 hours, 7 days) and Codex's primary and secondary windows. In memory only.
import type { QuotaView, QuotaWindow } from './target-view'

/** Older figures are shown, but no longer relied on. */
const FRESH_MS = 15 * 60_000
const DAY_MINUTES = 1_440

type Headers = Readonly<Record<string, string | string[] | undefined>>

interface Known {
  readonly windows: readonly QuotaWindow[]
  /** The provider refuses for now, whatever the windows say; epoch milliseconds, null: until it says otherwise. */
  readonly refusedUntil: number | null
  readonly isRefused: boolean
  readonly at: number
}

export class QuotaBook {
  private readonly known = new Map<string, Known>()

  /** Cheap where there is nothing to read: called with every answer. */
  note(connectionId: string, headers: Headers, now: number): void {
    const windows =
      headers['anthropic-ratelimit-unified-status'] !== undefined
        ? anthropicWindows(headers)
        : headers['x-codex-primary-used-percent'] !== undefined
          ? codexWindows(headers, now)
          : null
    if (windows === null || windows.length === 0) return
    const isRefused = headers['anthropic-ratelimit-unified-status'] === 'rejected'
    const reset = number(headers['anthropic-ratelimit-unified-reset'])
    this.known.set(connectionId, { windows, isRefused, refusedUntil: reset === null ? null : reset * 1000, at: now })
  }

  view(connectionId: string, now: number): QuotaView {
    const known = this.known.get(connectionId)
    if (known === undefined) return { kind: 'none' }
    // A window that has begun anew since is as good as unused.
    const windows = known.windows.map((window) =>
      window.resetAt !== null && window.resetAt <= now ? { ...window, usedPercent: 0, resetAt: null } : window,
    )
    const used = windows.flatMap(({ usedPercent }) => usedPercent ?? [])
    const resets = windows.flatMap(({ resetAt }) => resetAt ?? [])
    return {
      kind: 'known',
      windows,
      usedPercent: used.length === 0 ? null : Math.max(...used),
      resetAt: resets.length === 0 ? null : Math.min(...resets),
      limitReached:
        windows.some(({ usedPercent }) => (usedPercent ?? 0) >= 100) ||
        (known.isRefused && now < (known.refusedUntil ?? Number.POSITIVE_INFINITY)),
      fresh: now - known.at < FRESH_MS,
    }
  }
}

const number = (value: string | string[] | undefined): number | null => {
  const parsed = typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN
  return Number.isFinite(parsed) ? parsed : null
}

function anthropicWindows(headers: Headers): QuotaWindow[] {
  return (['5h', '7d'] as const).flatMap((name) => {
    const used = number(headers[`anthropic-ratelimit-unified-${name}-utilization`])
    const reset = number(headers[`anthropic-ratelimit-unified-${name}-reset`])
    if (used === null && reset === null) return []
    return [{ name, usedPercent: used === null ? null : used * 100, resetAt: reset === null ? null : reset * 1000 }]
  })
}

function codexWindows(headers: Headers, now: number): QuotaWindow[] {
  return ['primary', 'secondary'].flatMap((which) => {
    const usedPercent = number(headers[`x-codex-${which}-used-percent`])
    const after = number(headers[`x-codex-${which}-reset-after-seconds`])
    const minutes = number(headers[`x-codex-${which}-window-minutes`])
    if (usedPercent === null) return []
    const name =
      (minutes ?? (which === 'primary' ? 300 : 7 * DAY_MINUTES)) > DAY_MINUTES ? ('7d' as const) : ('5h' as const)
    return [{ name, usedPercent, resetAt: after === null ? null : now + after * 1000 }]
  })
}
