// How much room files take.
import { existsSync, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** The bytes of all files in a folder; 0 where there is none. Files may vanish while it counts. */
export function folderBytes(folder) {
  if (!existsSync(folder)) return 0
  let sum = 0
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    sum += lstatSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0
  }
  return sum
}

export const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`
