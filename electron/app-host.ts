// What the core gets from Electron: the same as in plain Node, but for the vault and the log file.
import { join } from 'node:path'
import { app, safeStorage } from 'electron'
import { systemClock } from '../core/clock'
import type { LogLevel } from '../core/contract/kinds'
import type { Host } from '../core/host'
import { createLogger } from '../core/node/logger'
import { createAppVault } from './vault'

export function createAppHost(dataDir: string, flags: Readonly<Record<string, string>>): Host {
  const log = createLogger({
    level: (flags['log-level'] as LogLevel | undefined) ?? 'info',
    file: join(dataDir, 'logs', 'breakwater.log'),
    clock: systemClock,
  })
  return {
    clock: systemClock,
    random: Math.random,
    dataDir,
    migrationsDir: join(app.getAppPath(), 'migrations'),
    version: app.getVersion(),
    env: process.env,
    flags,
    log,
    redact: log.redact,
    vault: createAppVault(safeStorage, dataDir, process.platform, log),
  }
}
