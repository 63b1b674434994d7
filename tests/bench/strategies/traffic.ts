// The day's requests: few at night, many by day, and bursts such as agents make. Conversations come back, so that the
// same beginning is seen again and again.
import type { Task } from '../../../core/contract/auto-words'
import { seeded } from './luck'

export interface SimRequest {
  readonly id: number
  /** Milliseconds from midnight. */
  readonly at: number
  readonly inputTokens: number
  readonly outputTokens: number
  readonly task: Task | null
  readonly cacheKey: string
}

/** Between two requests, on average over the day; bursts come on top. */
const GAP_MS = 6_000
const BURSTS_A_DAY = 48
const BURST_MS = 15_000
const CONVERSATIONS = 400
const DAY_MS = 86_400_000
const TASKS = ['coding', 'coding', 'debugging', 'review', 'analysis', null] as const

export function trafficOf(seed: number): readonly SimRequest[] {
  const random = seeded(seed)
  const moments: number[] = []
  for (let at = 0; at < DAY_MS; ) {
    // Twice as many at noon as on average, next to none at midnight.
    const busy = 1.05 - Math.cos((2 * Math.PI * at) / DAY_MS)
    at += (-Math.log(1 - random()) * GAP_MS) / busy
    if (at < DAY_MS) moments.push(at)
  }
  for (let i = 0; i < BURSTS_A_DAY; i++) {
    const begins = random() * (DAY_MS - BURST_MS)
    const size = 20 + Math.floor(random() * 40)
    for (let j = 0; j < size; j++) moments.push(begins + random() * BURST_MS)
  }
  moments.sort((a, b) => a - b)
  return moments.map((at, id) => {
    const isLong = random() < 0.03
    return {
      id,
      at: Math.floor(at),
      inputTokens: isLong ? 140_000 + Math.floor(random() * 100_000) : 500 + Math.floor(random() ** 3 * 30_000),
      outputTokens: 50 + Math.floor(random() ** 2 * 1_500),
      task: TASKS[Math.floor(random() * TASKS.length)] ?? null,
      cacheKey: `conversation-${Math.floor(random() ** 2 * CONVERSATIONS)}`,
    }
  })
}
