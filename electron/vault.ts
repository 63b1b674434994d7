// Keys at rest in the app: the system's key store where it protects, else what the person chooses, said honestly.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { VaultView } from '../core/contract/views'
import { GatewayError } from '../core/errors'
import type { Logger, Vault } from '../core/host'
import { createFileVault, createMemoryVault } from '../core/node/key-file-vault'

/** What of Electron's safeStorage is used; newer versions have asynchronous calls, which may ask the person. */
export interface SafeStorage {
  isEncryptionAvailable(): boolean
  getSelectedStorageBackend?(): string
  encryptString(plain: string): Buffer
  decryptString(data: Buffer): string
  encryptStringAsync?(plain: string): Promise<Buffer>
  decryptStringAsync?(data: Buffer): Promise<{ result: string }>
}

export const OS_TAG = 'os'
type Choice = 'file' | 'memory'

/** On Linux without a keyring Electron encrypts with a fixed password: that protects nothing and is not used. */
export function osStoreProtects(storage: SafeStorage, platform: NodeJS.Platform): boolean {
  if (!storage.isEncryptionAvailable()) return false
  if (platform !== 'linux') return true
  const backend = storage.getSelectedStorageBackend?.()
  return backend !== 'basic_text' && backend !== 'unknown'
}

export function createAppVault(storage: SafeStorage, dataDir: string, platform: NodeJS.Platform, log: Logger): Vault {
  const protects = osStoreProtects(storage, platform)
  const choiceFile = join(dataDir, 'vault.json')
  let choice: Choice | null = readChoice(choiceFile, dataDir)
  const memory = createMemoryVault()
  let file: Vault | null = null
  const fileVault = (): Vault => {
    file ??= createFileVault(dataDir)
    return file
  }

  const view = (): VaultView => {
    if (protects) return { kind: 'os', message: 'Keys are sealed by the key store of your system.', choices: [] }
    const why = 'This system has no key store that Breakwater can use.'
    if (choice === 'file')
      return { ...fileVault().view(), message: `${why} ${fileVault().view().message}`, choices: ['memory'] }
    if (choice === 'memory') return { ...memory.view(), message: `${why} ${memory.view().message}`, choices: ['file'] }
    return {
      kind: 'none',
      message: `${why} Choose how keys are kept: in a file that only your user account can read, or only until Breakwater quits.`,
      choices: ['file', 'memory'],
    }
  }

  return {
    view,
    async seal(plain) {
      if (protects) {
        const data =
          storage.encryptStringAsync === undefined
            ? storage.encryptString(plain)
            : await storage.encryptStringAsync(plain)
        return { vault: OS_TAG, data }
      }
      if (choice === null) {
        throw new GatewayError('vault_not_chosen', 409, 'Choose first how keys are kept on this system.', {
          field: 'vault',
        })
      }
      return (choice === 'file' ? fileVault() : memory).seal(plain)
    },
    async open(secret) {
      if (secret.vault.startsWith('memory:')) return memory.open(secret)
      // Made by a headless run, or before a key store was there.
      if (secret.vault.startsWith('file:'))
        return existsSync(join(dataDir, 'vault.key')) ? fileVault().open(secret) : null
      if (secret.vault !== OS_TAG || !protects) return null
      try {
        const data = Buffer.from(secret.data)
        if (storage.decryptStringAsync === undefined) return storage.decryptString(data)
        return (await storage.decryptStringAsync(data)).result
      } catch (error) {
        log.warn({ error: String(error) }, 'a key could not be opened by the system’s key store; it is kept')
        return null
      }
    },
    async choose(kind) {
      if (protects) return
      if (kind === 'file') fileVault()
      writeFileSync(choiceFile, JSON.stringify({ choice: kind }), { mode: 0o600 })
      choice = kind
    },
  }
}

/** A headless run in the same folder has made a key file: that is a choice too. */
function readChoice(file: string, dataDir: string): Choice | null {
  try {
    const { choice } = JSON.parse(readFileSync(file, 'utf8')) as { choice?: unknown }
    if (choice === 'file' || choice === 'memory') return choice
  } catch {
    // No choice has been made yet.
  }
  return existsSync(join(dataDir, 'vault.key')) ? 'file' : null
}
