import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Vault } from '../../../core/host'
import { createFileVault, createMemoryVault, createUnusableVault } from '../../../core/node/key-file-vault'
import { folderForTest } from '../../support/memory-databases'

const SECRET = 'sk-a-secret-of-some-length'
const modeOf = (file: string): number => statSync(file).mode & 0o777

describe.each<[string, () => Vault]>([
  ['the key file', () => createFileVault(folderForTest())],
  ['memory', () => createMemoryVault()],
])('a secret sealed by %s', (_name, create) => {
  it('comes out as it went in, whatever it is', async () => {
    const vault = create()
    await fc.assert(
      fc.asyncProperty(fc.string({ maxLength: 300 }), async (secret) => {
        expect(await vault.open(await vault.seal(secret))).toBe(secret)
      }),
    )
  })

  it('cannot be read from its bytes, nor told from the same one sealed again', async () => {
    const vault = create()
    const [one, two] = [await vault.seal(SECRET), await vault.seal(SECRET)]
    expect(Buffer.from(one.data).toString('latin1')).not.toContain(SECRET)
    expect(Buffer.from(one.data).equals(Buffer.from(two.data))).toBe(false)
    expect(one.vault).toBe(two.vault)
  })

  it('stays closed when a single byte of it was changed, or it was cut short', async () => {
    const vault = create()
    const { vault: tag, data } = await vault.seal(SECRET)
    for (let i = 0; i < data.length; i++) {
      const changed = Buffer.from(data)
      changed[i] = (changed[i] as number) ^ 1
      expect(await vault.open({ vault: tag, data: changed })).toBeNull()
      expect(await vault.open({ vault: tag, data: data.subarray(0, i) })).toBeNull()
    }
  })

  it('that is empty does not open with the beginning of its tag', async () => {
    const vault = create()
    const { vault: tag, data } = await vault.seal('')
    for (let length = 0; length < data.length; length++) {
      expect(await vault.open({ vault: tag, data: data.subarray(0, length) })).toBeNull()
    }
  })

  it('stays closed to every other vault', async () => {
    const sealed = await create().seal(SECRET)
    expect(await create().open(sealed)).toBeNull()
  })
})

describe('the key file', () => {
  it('is made once, for this user only, and opens after a restart', async () => {
    const folder = join(folderForTest(), 'data')
    const first = createFileVault(folder)
    expect(first.created).toBe(true)
    expect(modeOf(first.file)).toBe(0o600)
    expect(modeOf(folder)).toBe(0o700)
    expect(readdirSync(folder)).toEqual(['vault.key'])
    const sealed = await first.seal(SECRET)
    const second = createFileVault(folder)
    expect(second.created).toBe(false)
    expect(await second.open(sealed)).toBe(SECRET)
  })

  it('of another machine leaves the secret closed; with the file back it opens again', async () => {
    const folder = folderForTest()
    const { file, ...first } = createFileVault(folder)
    const sealed = await first.seal(SECRET)
    const key = readFileSync(file)
    rmSync(file)
    expect(await createFileVault(folder).open(sealed)).toBeNull()
    writeFileSync(file, key)
    expect(await createFileVault(folder).open(sealed)).toBe(SECRET)
  })

  it('that is damaged is refused, and never replaced', () => {
    const folder = folderForTest()
    const { file } = createFileVault(folder)
    truncateSync(file, 7)
    const left = readFileSync(file)
    expect(() => createFileVault(folder)).toThrow(/damaged/)
    expect(readFileSync(file).equals(left)).toBe(true)
  })

  it('that came with wider rights gets its own again', () => {
    const folder = folderForTest()
    const { file } = createFileVault(folder)
    chmodSync(file, 0o644)
    createFileVault(folder)
    expect(modeOf(file)).toBe(0o600)
  })

  it('is not in the way when an attempt to make it was cut short', () => {
    const folder = join(folderForTest(), 'data')
    mkdirSync(folder)
    writeFileSync(join(folder, 'vault.key.0badcafe.new'), 'cut')
    expect(createFileVault(folder).created).toBe(true)
  })
})

it('without a usable key file keys stay closed, and saving one says why', async () => {
  const vault = createUnusableVault('The key file is damaged.')
  expect(vault.view()).toMatchObject({ kind: 'none', message: expect.stringContaining('damaged'), choices: [] })
  expect(await vault.open(await createMemoryVault().seal(SECRET))).toBeNull()
  await expect(vault.seal(SECRET)).rejects.toMatchObject({ code: 'vault_unavailable', httpStatus: 409 })
  await expect(vault.seal(SECRET)).rejects.not.toThrow(SECRET)
})
