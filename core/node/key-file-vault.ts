// Vaults without the system's key store: a key file that only this user may read, and one that lasts until quitting.
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { GatewayError } from '../errors'
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

/** Where the key file cannot be used: what is stored shows as locked and is kept; nothing new can be sealed. */
export function createUnusableVault(why: string): Vault {
  return {
    view: () => ({ kind: 'none', message: `${why} Keys cannot be opened or saved until then.`, choices: [] }),
    seal: async () => {
      throw new GatewayError('vault_unavailable', 409, why, { field: 'apiKey' })
    },
    open: async () => null,
    choose: async () => {},
  }
}

function loadOrCreate(dataDir: string, file: string): { key: Buffer; created: boolean } {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const fresh = existsSync(file) ? null : create(file)
  if (fresh !== null) return { key: fresh, created: true }
  const existing = readFileSync(file)
  if (existing.length !== KEY_BYTES)
    throw new Error(
      `The key file ${file} is damaged. Put a good copy in its place; keys sealed with it cannot be opened otherwise.`,
    )
  tighten(file)
  return { key: existing, created: false }
}

/** The file appears with all its bytes or not at all: cut short, it would count as damaged for ever. */
function create(file: string): Buffer | null {
  const key = randomBytes(KEY_BYTES)
  const fresh = `${file}.${randomBytes(4).toString('hex')}.new`
  try {
    writeNew(fresh, key)
    linkSync(fresh, file)
    return key
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    // Another process was faster: its key counts.
    if (code === 'EEXIST') return null
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EISDIR', 'EMLINK'].includes(code)) throw error
    // File systems without hard links.
    writeNew(file, key)
    return key
  } finally {
    rmSync(fresh, { force: true })
  }
}

function writeNew(file: string, key: Buffer): void {
  const handle = openSync(file, 'wx', 0o600)
  try {
    writeSync(handle, key)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** A copy from a backup may have come with wider rights. */
function tighten(file: string): void {
  try {
    chmodSync(file, 0o600)
  } catch {
    // Another owner's file that may be read all the same.
  }
}
