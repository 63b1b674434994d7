// Protects keys at rest in the app: by the system's key store where there is one; else as the person has chosen, and
// not at all before that. A secret is opened by the vault that sealed it, or stays as it is. No Electron.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { VaultView } from '../core/contract/views'
import { GatewayError } from '../core/errors'
import type { Logger, SealedSecret, Vault } from '../core/host'
import { createFileVault, createMemoryVault } from '../core/node/key-file-vault'
import type { KeyStore } from './key-store'
import { readVaultChoice, type VaultChoice, writeVaultChoice } from './vault-choice'

const OS_TAG = 'os'
const FILE_TAG = 'file:'
const KEY_FILE = 'vault.key'
const CHOICE_FILE = 'vault.json'

export interface AppVaultDeps {
  readonly keyStore: KeyStore
  readonly dataDir: string
  readonly log: Logger
}

export async function createAppVault({ keyStore, dataDir, log }: AppVaultDeps): Promise<Vault> {
  const osWorks = await keyStore.available()
  const choiceFile = join(dataDir, CHOICE_FILE)
  const memory = createMemoryVault()
  let file: Vault | null = null
  let choice: VaultChoice | null = osWorks ? null : storedChoice(dataDir, choiceFile)

  /** Makes the key file, so only after the person has asked for it, or where there is one already. */
  const fileVault = (): Vault => {
    file ??= createFileVault(dataDir)
    return file
  }
  const fileVaultIfAny = (): Vault | null => {
    if (file === null && !existsSync(join(dataDir, KEY_FILE))) return null
    try {
      return fileVault()
    } catch (error) {
      log.error({ error: String(error) }, 'the key file cannot be used')
      return null
    }
  }

  async function openWithKeyStore({ data }: SealedSecret): Promise<string | null> {
    // An unavailable store may come back: what it sealed waits for it.
    if (!osWorks) return null
    try {
      return await keyStore.decrypt(data)
    } catch (error) {
      log.warn({ error: String(error) }, 'the system’s key store could not open a key; it is kept as it is')
      return null
    }
  }

  return {
    view: () => viewOf(osWorks, choice, keyStore.reason(), fileVaultIfAny),
    async seal(plain) {
      if (osWorks) return { vault: OS_TAG, data: await keyStore.encrypt(plain) }
      if (choice === 'file') return fileVault().seal(plain)
      if (choice === 'memory') return memory.seal(plain)
      throw new GatewayError(
        'vault_unavailable',
        409,
        `${keyStore.reason()} Choose first how keys are kept: in a key file, or only until Breakwater quits.`,
        { field: 'apiKey' },
      )
    },
    async open(secret) {
      if (secret.vault === OS_TAG) return openWithKeyStore(secret)
      if (secret.vault.startsWith(FILE_TAG)) return (await fileVaultIfAny()?.open(secret)) ?? null
      return memory.open(secret)
    },
    async choose(kind) {
      if (osWorks)
        throw new GatewayError('vault_not_needed', 409, 'The system’s key store works and is used: nothing to choose.')
      if (kind === 'file') prepareFile(fileVault)
      writeVaultChoice(choiceFile, kind)
      choice = kind
    },
  }
}

/** A headless run in the same folder has made a key file and said so: that is a choice too. */
const storedChoice = (dataDir: string, choiceFile: string): VaultChoice | null =>
  readVaultChoice(choiceFile) ?? (existsSync(join(dataDir, KEY_FILE)) ? 'file' : null)

function prepareFile(fileVault: () => Vault): void {
  try {
    fileVault()
  } catch (error) {
    throw new GatewayError('vault_unavailable', 409, error instanceof Error ? error.message : String(error))
  }
}

function viewOf(osWorks: boolean, choice: VaultChoice | null, reason: string, file: () => Vault | null): VaultView {
  if (osWorks) return { kind: 'os', message: 'Keys are sealed by the system’s key store.', choices: [] }
  if (choice === null)
    return { kind: 'none', message: `${reason} Keys cannot be saved until you choose.`, choices: ['file', 'memory'] }
  if (choice === 'memory') {
    const message = `${reason} Keys are kept until Breakwater quits; after that they must be entered again.`
    return { kind: 'memory', message, choices: ['file'] }
  }
  const message = file()?.view().message ?? 'The key file cannot be used; the log says why.'
  return { kind: 'file', message: `${reason} ${message}`, choices: ['memory'] }
}
