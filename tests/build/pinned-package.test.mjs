import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

let folder
let pinned
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'breakwater-build-'))
  vi.stubEnv('BREAKWATER_CACHE', join(folder, 'cache'))
  vi.resetModules()
  pinned = await import('../../build/pinned-package.mjs')
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true, force: true })
})

/** Stands in for npm: "packs" the same few bytes whatever it is asked for. */
function withFakeNpm(content) {
  const program = join(folder, 'bin', 'npm')
  mkdirSync(join(folder, 'bin'))
  writeFileSync(program, `#!/bin/sh\nprintf '${content}' > "$4/x-1.0.0.tgz"\n`)
  chmodSync(program, 0o755)
  vi.stubEnv('npm_execpath', '')
  vi.stubEnv('PATH', `${join(folder, 'bin')}:${process.env.PATH}`)
  return `sha512-${createHash('sha512').update(content).digest('base64')}`
}

describe('a pinned package', () => {
  test('with the right integrity is given to use, and its archive does not stay', async () => {
    const integrity = withFakeNpm('archive')
    const text = await pinned.withPackage('x@1.0.0', integrity, (archive) => readFileSync(archive, 'utf8'))
    expect(text).toBe('archive')
    expect(readdirSync(join(folder, 'cache'))).toEqual([])
  })

  test('with another content is refused before anything is done with it', async () => {
    withFakeNpm('something else')
    const use = vi.fn()
    await expect(pinned.withPackage('x@1.0.0', 'sha512-expected', use)).rejects.toThrow(/not what was pinned/)
    expect(use).not.toHaveBeenCalled()
    expect(readdirSync(join(folder, 'cache'))).toEqual([])
  })
})

describe('a folder of the cache', () => {
  test('is filled once', async () => {
    const fill = vi.fn((fresh) => writeFileSync(join(fresh, 'program'), ''))
    const ask = () => pinned.ensureUnpacked({ folder: 'node-1', because: 'Fetching', fill })
    const path = await ask()
    expect(await ask()).toBe(path)
    expect(fill).toHaveBeenCalledTimes(1)
    expect(existsSync(join(path, 'program'))).toBe(true)
  })

  test('that could not be filled is not there', async () => {
    const fill = () => {
      throw new Error('no room')
    }
    await expect(pinned.ensureUnpacked({ folder: 'node-1', because: 'Fetching', fill })).rejects.toThrow('no room')
    expect(readdirSync(join(folder, 'cache'))).toEqual([])
  })

  test('may be filled by two at the same time', async () => {
    const ask = (name) =>
      pinned.ensureUnpacked({
        folder: 'node-1',
        because: 'Fetching',
        fill: async (fresh) => {
          await new Promise((resolve) => setTimeout(resolve, 20))
          writeFileSync(join(fresh, name), '')
        },
      })
    const [a, b] = await Promise.all([ask('first'), ask('second')])
    expect(a).toBe(b)
    expect(readdirSync(a)).toHaveLength(1)
    expect(readdirSync(join(folder, 'cache'))).toEqual(['node-1'])
  })
})
