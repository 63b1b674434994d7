// The host of a headless run: plain Node, a key file, the log on stderr.
import { randomBytes } from 'node:crypto'
import { homedir } from 'node:os'
import { systemClock } from '../clock'
import type { LogLevel } from '../contract/kinds'
import type { Host, Vault } from '../host'
import { defaultDataDir } from './data-dir'
import { createFileVault, createUnusableVault } from './key-file-vault'
import { createLogger, type NodeLogger } from './logger'
import type { Arguments } from './parse-args'

export interface PlainHostOptions {
  readonly arguments: Arguments
  readonly migrationsDir: string
  readonly version: string
}

export function createPlainHost({
  arguments: given,
  migrationsDir,
  version,
}: PlainHostOptions): Host & { readonly log: NodeLogger } {
  const dataDir = given.dataDir ?? defaultDataDir(process.env, process.platform, homedir())
  const log = createLogger({
    level: (given.flags['log-level'] as LogLevel | undefined) ?? 'info',
    stderr: true,
    clock: systemClock,
  })
  const vault = openVault(dataDir, log)
  return {
    clock: systemClock,
    random: () => randomBytes(4).readUInt32LE() / 2 ** 32,
    dataDir,
    migrationsDir,
    version,
    env: process.env,
    flags: given.flags,
    log,
    redact: log.redact,
    vault,
  }
}

/** The gateway starts in any case: without the key file the stored keys are locked, and the folder may still be told. */
function openVault(dataDir: string, log: NodeLogger): Vault {
  try {
    const vault = createFileVault(dataDir)
    if (vault.created) log.info({ file: vault.file }, 'made a key file to seal keys with; only this user can read it')
    return vault
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    log.error({ dataDir }, `keys cannot be opened or saved: ${why}`)
    return createUnusableVault(why)
  }
}
