// So many at once, and so many waiting in line: each key has its own slots. Given back exactly once; the longest wait
// comes first. Nothing is kept of keys that nobody uses.
import type { Clock } from '../clock'

export interface SlotLimits {
  /** So many hold a slot at once. */
  readonly atOnce: number
  /** So many may wait; 0: any number. */
  readonly inLine: number
  readonly timeoutMs: number
}

export type Release = () => void

/** Why there is no slot: nobody may wait any more, or the wait took too long. */
export type NoSlot = 'full' | 'timeout'

export interface Waiting {
  /** null: it was given up. */
  readonly slot: Promise<Release | NoSlot | null>
  giveUp(): void
}

interface Lane {
  held: number
  readonly waiting: Set<(slot: Release) => void>
}

export class Slots {
  private readonly lanes = new Map<string, Lane>()

  constructor(private readonly clock: Clock) {}

  isFree(key: string, atOnce: number): boolean {
    const lane = this.lanes.get(key)
    return lane === undefined || lane.held < atOnce
  }

  /** At once, or a place in line. */
  take(key: string, { atOnce, inLine, timeoutMs }: SlotLimits): Release | NoSlot | Waiting {
    const lane = this.lanes.get(key) ?? { held: 0, waiting: new Set() }
    this.lanes.set(key, lane)
    if (lane.held < atOnce) {
      lane.held++
      return this.releaseOf(key, lane)
    }
    if (inLine > 0 && lane.waiting.size >= inLine) return 'full'
    return this.inLine(lane, timeoutMs)
  }

  private inLine(lane: Lane, timeoutMs: number): Waiting {
    let settle: (slot: Release | NoSlot | null) => void = () => {}
    const slot = new Promise<Release | NoSlot | null>((resolve) => {
      settle = resolve
    })
    const timer = this.clock.after(timeoutMs, () => leave('timeout'))
    const takeOver = (release: Release): void => {
      timer.cancel()
      settle(release)
    }
    const leave = (because: NoSlot | null): void => {
      if (!lane.waiting.delete(takeOver)) return
      timer.cancel()
      settle(because)
    }
    lane.waiting.add(takeOver)
    return { slot, giveUp: () => leave(null) }
  }

  private releaseOf(key: string, lane: Lane): Release {
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      const [next] = lane.waiting
      if (next !== undefined) {
        lane.waiting.delete(next)
        next(this.releaseOf(key, lane))
        return
      }
      lane.held--
      if (lane.held === 0) this.lanes.delete(key)
    }
  }
}
