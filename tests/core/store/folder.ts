// A folder of its own for each test, gone afterwards.
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach } from 'vitest'

export const MIGRATIONS = resolve(import.meta.dirname, '../../../migrations')

/** Call at the top of a file; the returned function makes a new folder. */
export function temporaryFolders(): () => string {
  const made: string[] = []
  afterEach(() => {
    for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true })
  })
  return () => {
    const folder = mkdtempSync(join(tmpdir(), 'breakwater-test-'))
    made.push(folder)
    return folder
  }
}

export const fingerprint = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex')

/** The rights of a file, as chmod takes them. */
export const rights = (file: string): number => statSync(file).mode & 0o777
