// Vaults without the system's key store: a key file that only this user may read, and one that lasts until quitting.
import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Vault } from '../host'
import { fingerprint, openWith, sealWith } from './sealing'

const KEY_BYTES = 32

export interface FileVault extends Vault {
  readonly file: string
  /** Whether this run made the key file: said once to the person. */
  readonly created: boolean
}

/** @throws Error when the key file exists and cannot be read or is damaged: it is never replaced */
export function createFileVault(dataDir: string): FileVault {
  const file = join(dataDir, 'vault.key')
  const { key, created } = loadOrCreate(dataDir, file)
  const tag = `file:${fingerprint(key)}`
  return {
    file,
    created,
    view: () => ({
      kind: 'file',
      message: `Keys are sealed with the key file ${file}, which only your user account can read.`,
      choices: [],
    }),
    seal: async (plain) => ({ vault: tag, data: sealWith(key, plain) }),
    open: async ({ vault, data }) => (vault === tag ? openWith(key, data) : null),
    choose: async () => {},
  }
}

export function createMemoryVault(): Vault {
  const key = randomBytes(KEY_BYTES)
  const tag = `memory:${fingerprint(key)}`
  return {
    view: () => ({
      kind: 'memory',
      message: 'Keys are kept until Breakwater quits; after that they must be entered again.',
      choices: [],
    }),
    seal: async (plain) => ({ vault: tag, data: sealWith(key, plain) }),
    open: async ({ vault, data }) => (vault === tag ? openWith(key, data) : null),
    choose: async () => {},
  }
}

function loadOrCreate(dataDir: string, file: string): { key: Buffer; created: boolean } {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const key = randomBytes(KEY_BYTES)
  try {
    const handle = openSync(file, 'wx', 0o600)
    writeSync(handle, key)
    fsyncSync(handle)
    closeSync(handle)
    return { key, created: true }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  const existing = readFileSync(file)
  if (existing.length !== KEY_BYTES)
    throw new Error(
      `The key file ${file} is damaged. Put a good copy in its place; keys sealed with it cannot be opened otherwise.`,
    )
  return { key: existing, created: false }
}
