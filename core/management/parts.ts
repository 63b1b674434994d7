// What the management operations work on: the running parts of an opened gateway.
import type { Clock } from '../clock'
import type { PushName } from '../contract/events'
import type { Logger, Vault } from '../host'
import type { Models } from '../models/open-models'
import type { OAuthLogins } from '../oauth/oauth-logins'
import type { SignIns } from '../oauth/sign-ins'
import type { Transport } from '../pipeline/transport'
import type { ConnectionBook } from '../providers/connection-book'
import type { QuotaBook } from '../quotas/quota-book'
import type { Activity } from '../resilience/activity'
import type { Health } from '../resilience/health'
import type { OperatorRulesStore } from '../resilience/rules-store'
import type { ResilienceStore } from '../resilience/settings-store'
import type { ComboBook } from '../routing/combo-book'
import type { SettingsStore } from '../settings'
import type { CombosTable } from '../store/combos-table'
import type { ConnectionsTable } from '../store/connections-table'
import type { ProvidersTable } from '../store/providers-table'
import type { RequestsTable } from '../store/requests-table'
import type { Metrics } from '../telemetry/metrics'
import type { ClientKeys } from './client-keys'

export interface Parts {
  readonly clock: Clock
  readonly log: Logger
  readonly vault: Vault
  readonly settings: SettingsStore
  readonly resilience: ResilienceStore
  /** The operator's rules about errors. */
  readonly rules: OperatorRulesStore
  /** Writes values of settings and rules in one transaction, and puts them in force; undefined removes one. */
  readonly saveSettings: (changes: ReadonlyMap<string, unknown>) => void
  readonly book: ConnectionBook
  readonly connections: ConnectionsTable
  readonly providers: ProvidersTable
  readonly requests: RequestsTable
  readonly keys: ClientKeys
  readonly logins: OAuthLogins
  readonly signIns: SignIns
  readonly activity: Activity
  readonly health: Health
  readonly quotas: QuotaBook
  readonly models: Models
  readonly combos: ComboBook
  readonly combosTable: CombosTable
  readonly metrics: Metrics
  readonly transport: () => Transport
  readonly redact: (text: string) => string
  /** Says that what this push shows has changed. */
  readonly changed: (name: Exclude<PushName, 'log:appended' | 'try:chunk'>) => void
}
