// What the core gets from Electron: the vault, a log file, the paths.
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { systemClock } from '../core/clock'
import type { LogLevel } from '../core/contract/kinds'
import type { Host, Vault } from '../core/host'
import { createLogger, type NodeLogger } from '../core/node/logger'
import type { Arguments } from '../core/node/parse-args'

export interface AppHostOptions {
  readonly dataDir: string
  readonly migrationsDir: string
  readonly version: string
  readonly arguments: Arguments
  readonly log: NodeLogger
  readonly vault: Vault
}

export function createAppHost({ arguments: given, log, ...rest }: AppHostOptions): Host {
  return {
    ...rest,
    clock: systemClock,
    random: () => randomBytes(4).readUInt32LE() / 2 ** 32,
    env: process.env,
    flags: given.flags,
    log,
    redact: log.redact,
  }
}

/** On a terminal during development; else only in the file. A folder that cannot be written must not stop the start. */
export function createAppLog(dataDir: string, given: Arguments, onTerminal: boolean): NodeLogger {
  const level = (given.flags['log-level'] as LogLevel | undefined) ?? 'info'
  const options = { level, clock: systemClock }
  try {
    return createLogger({ ...options, file: join(dataDir, 'logs', 'breakwater.log'), stderr: onTerminal })
  } catch (error) {
    const log = createLogger({ ...options, stderr: true })
    log.error({ error: String(error) }, 'the log file cannot be written')
    return log
  }
}
