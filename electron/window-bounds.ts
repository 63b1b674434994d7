// Where the window was, for the next start: kept in a small file of its own, for it is neither a setting nor worth one.
import { readFileSync, writeFileSync } from 'node:fs'
import { z } from 'zod'

const Bounds = z.object({ x: z.number().int(), y: z.number().int(), width: z.number().int(), height: z.number().int() })
export type Bounds = z.infer<typeof Bounds>

const Stored = z.object({ bounds: Bounds, maximised: z.boolean() })
export type StoredBounds = z.infer<typeof Stored>

export const DEFAULT_SIZE = { width: 1180, height: 760 } as const
export const SMALLEST_SIZE = { width: 900, height: 600 } as const
/** So much of the title bar must be on some screen for a person to get hold of it. */
const GRIP = 80

export function readBounds(file: string): StoredBounds | null {
  try {
    return Stored.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return null
  }
}

export function writeBounds(file: string, bounds: StoredBounds): void {
  try {
    writeFileSync(file, JSON.stringify(bounds))
  } catch {
    // A window that opens in the middle next time is no loss worth a message.
  }
}

/** The size always counts; the place only if a screen still shows it. */
export function usableBounds(stored: Bounds | undefined, screens: readonly Bounds[]): Partial<Bounds> {
  if (stored === undefined) return DEFAULT_SIZE
  const size = {
    width: Math.max(stored.width, SMALLEST_SIZE.width),
    height: Math.max(stored.height, SMALLEST_SIZE.height),
  }
  const seen = screens.some(
    ({ x, y, width, height }) =>
      stored.x + size.width >= x + GRIP &&
      stored.x <= x + width - GRIP &&
      stored.y >= y &&
      stored.y <= y + height - GRIP,
  )
  return seen ? { x: stored.x, y: stored.y, ...size } : size
}
