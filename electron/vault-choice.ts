// What the person chose where the system has no key store: one word in a file of its own, for it must be known before
// any database is opened.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { z } from 'zod'

export type VaultChoice = 'file' | 'memory'

const Stored = z.object({ choice: z.enum(['file', 'memory']) })

export function readVaultChoice(file: string): VaultChoice | null {
  try {
    return Stored.parse(JSON.parse(readFileSync(file, 'utf8'))).choice
  } catch {
    // No file: nothing was chosen. A damaged one: ask again, which loses nothing.
    return null
  }
}

export function writeVaultChoice(file: string, choice: VaultChoice): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  writeFileSync(`${file}.new`, JSON.stringify({ choice }), { mode: 0o600 })
  renameSync(`${file}.new`, file)
}
