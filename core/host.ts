// What the core needs from outside. Electron's main process and plain Node each give one.

import type { Clock } from './clock'
import type { LogLevel } from './contract/kinds'
import type { VaultView } from './contract/views'

/** JSON lines with redaction; never a key, a prompt or an answer. */
export interface Logger {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
  /** Takes effect at once. */
  setLevel(level: LogLevel): void
  /** From now on these exact values are masked wherever they would be written. */
  addSecret(value: string): void
}

/** A secret at rest: which vault sealed it, and its bytes. A vault that cannot open it leaves it as it is. */
export interface SealedSecret {
  readonly vault: string
  readonly data: Uint8Array
}

/** Seals secrets for the disk. Everything is asynchronous: the system's key store may ask the person. */
export interface Vault {
  view(): VaultView
  /** @throws GatewayError `vault_unavailable` where nothing has been chosen to protect keys */
  seal(plain: string): Promise<SealedSecret>
  /** null when this secret cannot be opened now; it must then be kept, not replaced. */
  open(secret: SealedSecret): Promise<string | null>
  /** A person's choice on a system without a key store. Kept across restarts. */
  choose(kind: 'file' | 'memory'): Promise<void>
}

export interface Host {
  readonly clock: Clock
  /** 0 ≤ x < 1. */
  readonly random: () => number
  readonly dataDir: string
  /** Where `config/`, `state/` and `history/` with their numbered SQL lie. */
  readonly migrationsDir: string
  readonly version: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Command-line values by flag name, for settings that have one. */
  readonly flags: Readonly<Record<string, string>>
  readonly log: Logger
  /** Takes known secrets out of text that leaves the gateway. */
  readonly redact: (text: string) => string
  readonly vault: Vault
}
