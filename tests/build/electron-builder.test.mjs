import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { describe, expect, test, vi } from 'vitest'

const require = createRequire(import.meta.url)
const root = resolve(import.meta.dirname, '../..')
const { validateConfiguration } = require('app-builder-lib/out/util/config/config')
const noDebugLog = { isEnabled: false, add() {} }

vi.stubEnv('BREAKWATER_PACK_ELECTRON', '/opt/electron')
vi.stubEnv('BREAKWATER_PACK_VERSION', '33.4.11')
const release = require('../../build/electron-builder.cjs')
const development = require('../../build/electron-builder-development.cjs')

describe('the release', () => {
  test('is configured in words that electron-builder knows', async () => {
    await expect(validateConfiguration(structuredClone(release), noDebugLog)).resolves.toBeUndefined()
  })

  test('is built for every system people expect', () => {
    const targets = ({ target }) => target.map((each) => each.target)
    expect(targets(release.mac)).toEqual(['dmg', 'zip'])
    expect(targets(release.win)).toEqual(['nsis'])
    expect(targets(release.linux)).toEqual(['AppImage', 'deb', 'rpm'])
  })

  test('cannot be turned into a plain Node, and loads its own archive only', () => {
    expect(release.electronFuses).toMatchObject({
      runAsNode: false,
      enableNodeOptionsEnvironmentVariable: false,
      enableNodeCliInspectArguments: false,
      enableCookieEncryption: true,
      onlyLoadAppFromAsar: true,
      enableEmbeddedAsarIntegrityValidation: true,
      grantFileProtocolExtraPrivileges: false,
    })
  })

  test('takes no Electron but the official one', () => {
    expect(release.electronDist).toBeUndefined()
    expect(release.electronVersion).toBeUndefined()
  })

  test('has names without spaces, and files that are there', () => {
    expect(release.artifactName).not.toContain(' ')
    for (const file of [release.mac.icon, release.mac.entitlements, release.win.icon, release.linux.icon])
      expect(existsSync(resolve(root, file)), file).toBe(true)
  })
})

describe('a development build', () => {
  test('is configured in words that electron-builder knows', async () => {
    const { afterPack, ...plain } = development
    await expect(validateConfiguration({ ...structuredClone(plain), afterPack }, noDebugLog)).resolves.toBeUndefined()
  })

  test('cannot be taken for a release', () => {
    expect(development.appId).not.toBe(release.appId)
    expect(development.extraMetadata.name).not.toBe('breakwater')
    expect(development.linux.executableName).not.toBe(release.linux.executableName)
    expect(development.directories.output).not.toBe(release.directories.output)
  })

  test('keeps the release’s fuses', () => {
    expect(development.electronFuses).toEqual(release.electronFuses)
  })
})
