// A package of the registry that is no dependency: fetched by its exact version, checked by its integrity.
import { createHash } from 'node:crypto'
import {
  chmodSync,
  createReadStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { join } from 'node:path'
import { cacheDir, during, npm, SetUpError } from './context.mjs'
import { run } from './programs.mjs'

/**
 * A folder of the cache, filled once. It appears whole or not at all, whoever else fills it at the same time.
 * @param fill given an empty folder to fill
 * @returns its path
 */
export async function ensureUnpacked({ folder, because, fill }) {
  const target = join(cacheDir, folder)
  if (existsSync(target)) return target
  mkdirSync(cacheDir, { recursive: true })
  const fresh = mkdtempSync(join(cacheDir, 'unpack-'))
  try {
    await during(because, () => fill(fresh))
    chmodSync(fresh, 0o755)
    if (!existsSync(target)) renameSync(fresh, target)
  } finally {
    rmSync(fresh, { recursive: true, force: true })
  }
  return target
}

/**
 * Fetches `spec`, checks it and gives its archive to `use`; the archive is gone afterwards.
 * @param integrity "sha512-…", as the registry states it
 */
export async function withPackage(spec, integrity, use) {
  mkdirSync(cacheDir, { recursive: true })
  const folder = mkdtempSync(join(cacheDir, 'fetch-'))
  try {
    const [command, args] = npm('pack', spec, '--pack-destination', folder, '--silent')
    await run(command, args, { quiet: true })
    const archive = join(folder, readdirSync(folder)[0] ?? '')
    const found = `sha512-${await hashFile(archive, 'sha512', 'base64')}`
    if (found !== integrity)
      throw new SetUpError(`${spec} is not what was pinned: expected ${integrity}, got ${found}.`)
    return await use(archive)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

export async function hashFile(file, algorithm, encoding) {
  const hash = createHash(algorithm)
  for await (const chunk of createReadStream(file)) hash.update(chunk)
  return hash.digest(encoding)
}

/** Unpacks an archive of the registry (all its files lie in `package/`). */
export async function unpack(archive, folder, ...members) {
  mkdirSync(folder, { recursive: true })
  await run('tar', ['-xzf', archive, '-C', folder, '--strip-components=1', ...members], { quiet: true })
}
