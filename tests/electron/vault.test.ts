import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createFileVault } from '../../core/node/key-file-vault'
import { createKeyStore, type SafeStorageLike } from '../../electron/key-store'
import { createAppVault } from '../../electron/vault'
import { keptLog } from './samples'

let dataDir = ''
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'breakwater-vault-'))
})
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

/** Seals by writing "sealed:" in front; `broken` is a store that lost its key. */
const storage = (backend = 'gnome_libsecret', { available = true, broken = false } = {}): SafeStorageLike => ({
  isEncryptionAvailable: () => available,
  getSelectedStorageBackend: () => backend as 'gnome_libsecret',
  encryptString: (plain) => Buffer.from(`sealed:${plain}`),
  decryptString: (data) => {
    if (broken) throw new Error('Error while decrypting the ciphertext')
    return data.toString().replace('sealed:', '')
  },
})
const vaultOn = (safe: SafeStorageLike, platform: NodeJS.Platform = 'linux') =>
  createAppVault({ keyStore: createKeyStore(safe, platform), dataDir, log: keptLog() })

describe('with the system’s key store', () => {
  it('seals by it, and offers no choice', async () => {
    const vault = await vaultOn(storage())
    expect(vault.view()).toMatchObject({ kind: 'os', choices: [] })
    const secret = await vault.seal('sk-1')
    expect(secret.vault).toBe('os')
    expect(await vault.open(secret)).toBe('sk-1')
    await expect(vault.choose('file')).rejects.toMatchObject({ code: 'vault_not_needed' })
    expect(existsSync(join(dataDir, 'vault.key'))).toBe(false)
  })

  it('uses the asynchronous calls where there are any', async () => {
    const used: string[] = []
    const safe: SafeStorageLike = {
      ...storage(),
      isAsyncEncryptionAvailable: async () => true,
      encryptStringAsync: async (plain) => {
        used.push('encrypt')
        return Buffer.from(`new:${plain}`)
      },
      decryptStringAsync: async (data) => {
        used.push('decrypt')
        return { shouldReEncrypt: false, result: data.toString().replace('new:', '') }
      },
    }
    const vault = await vaultOn(safe)
    expect(await vault.open(await vault.seal('sk-1'))).toBe('sk-1')
    expect(used).toEqual(['encrypt', 'decrypt'])
  })

  it('answers null for what cannot be opened, and leaves it as it is', async () => {
    const sealed = await (await vaultOn(storage())).seal('sk-1')
    const before = Buffer.from(sealed.data)
    const broken = await vaultOn(storage('gnome_libsecret', { broken: true }))
    expect(await broken.open(sealed)).toBeNull()
    expect(Buffer.from(sealed.data).equals(before)).toBe(true)
    expect(await (await vaultOn(storage())).open(sealed)).toBe('sk-1')
  })

  it('still opens what a headless run sealed with its key file', async () => {
    const sealed = await createFileVault(dataDir).seal('sk-1')
    const vault = await vaultOn(storage())
    expect(vault.view().kind).toBe('os')
    expect(await vault.open(sealed)).toBe('sk-1')
  })

  it('is not asked for a backend elsewhere than on Linux', async () => {
    expect((await vaultOn(storage('basic_text'), 'darwin')).view().kind).toBe('os')
  })
})

describe.each([
  ['basic_text', storage('basic_text')],
  ['no store at all', storage('gnome_libsecret', { available: false })],
  [
    'a store that throws',
    {
      ...storage(),
      isEncryptionAvailable: () => {
        throw new Error('no bus')
      },
    },
  ],
])('without one (%s)', (_name, safe) => {
  it('saves nothing before a choice, and says what to choose', async () => {
    const vault = await vaultOn(safe)
    expect(vault.view()).toMatchObject({ kind: 'none', choices: ['file', 'memory'] })
    await expect(vault.seal('sk-1')).rejects.toMatchObject({ code: 'vault_unavailable', details: { field: 'apiKey' } })
    expect(existsSync(join(dataDir, 'vault.key'))).toBe(false)
  })

  it('keeps keys in a file after that choice, across restarts', async () => {
    const first = await vaultOn(safe)
    await first.choose('file')
    const secret = await first.seal('sk-1')
    const second = await vaultOn(safe)
    expect(second.view().kind).toBe('file')
    expect(await second.open(secret)).toBe('sk-1')
    expect(statSync(join(dataDir, 'vault.key')).mode & 0o777).toBe(0o600)
    expect(Buffer.from(secret.data).toString('latin1')).not.toContain('sk-1')
  })

  it('keeps keys for this run only after the other choice', async () => {
    const first = await vaultOn(safe)
    await first.choose('memory')
    const secret = await first.seal('sk-1')
    expect(await first.open(secret)).toBe('sk-1')
    const second = await vaultOn(safe)
    expect(second.view()).toMatchObject({ kind: 'memory', choices: ['file'] })
    expect(await second.open(secret)).toBeNull()
    expect(existsSync(join(dataDir, 'vault.key'))).toBe(false)
  })

  it('shows what the missing store sealed as locked', async () => {
    const sealed = await (await vaultOn(storage())).seal('sk-1')
    const vault = await vaultOn(safe)
    await vault.choose('file')
    expect(await vault.open(sealed)).toBeNull()
  })
})

describe('damage', () => {
  it('a choice that cannot be read is asked for again', async () => {
    writeFileSync(join(dataDir, 'vault.json'), '{"choice": "plain"')
    expect((await vaultOn(storage('basic_text'))).view().kind).toBe('none')
  })

  it('a damaged key file is never replaced', async () => {
    const vault = await vaultOn(storage('basic_text'))
    writeFileSync(join(dataDir, 'vault.key'), 'short')
    await expect(vault.choose('file')).rejects.toMatchObject({ code: 'vault_unavailable' })
    expect(readFileSync(join(dataDir, 'vault.key'), 'utf8')).toBe('short')
    expect(await vault.open({ vault: 'file:abc', data: new Uint8Array(40) })).toBeNull()
  })

  it('a key file of a headless run counts as a choice', async () => {
    createFileVault(dataDir)
    expect((await vaultOn(storage('basic_text'))).view().kind).toBe('file')
  })
})
