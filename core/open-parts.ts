// Opens the data and builds what lives as long as it is open. The counterpart of `closeParts`.
import { inheritedConfig } from './contract/inherited-config'
import type { RequestView } from './contract/views'
import type { Host } from './host'
import { ClientKeys } from './management/client-keys'
import type { Parts } from './management/parts'
import { retryCredentials } from './management/retry-credentials'
import { openModels } from './models/open-models'
import { OAuthLogins } from './oauth/oauth-logins'
import { SignIns } from './oauth/sign-ins'
import { askFor } from './oauth/token-endpoint'
import { createTransport, SOCKET_SETTINGS, type Transport } from './pipeline/transport'
import { startPracticeServer } from './practice/practice-server'
import { PRACTICE_ID } from './providers/catalogue'
import { ConnectionBook } from './providers/connection-book'
import { egresses, proxiesInUse } from './providers/egress'
import { EgressProbe } from './providers/egress-probe'
import { modelsCall } from './providers/models-call'
import { preflightGate } from './quotas/preflight'
import { QuotaBook } from './quotas/quota-book'
import { QuotaRefresher } from './quotas/quota-refresher'
import { quotaView } from './quotas/quota-view'
import { Activity } from './resilience/activity'
import { egressLimited, egressSiblings } from './resilience/egress-lock'
import { Health } from './resilience/health'
import type { Gate } from './resilience/health-events'
import { createOperatorRules } from './resilience/rules-store'
import { createResilienceStore } from './resilience/settings-store'
import { ComboBook } from './routing/combo-book'
import { createSettings } from './settings'
import { openBreakersTable } from './store/breakers-table'
import { openClientKeysTable } from './store/client-keys-table'
import { openCombosTable } from './store/combos-table'
import { openConnectionsTable } from './store/connections-table'
import { openCooldownsTable } from './store/cooldowns-table'
import { openLastUseTable } from './store/last-use-table'
import { openListedModelsTable } from './store/listed-models-table'
import { openModelAliasesTable } from './store/model-aliases-table'
import { openModelsTable } from './store/models-table'
import { openOAuthLoginsTable } from './store/oauth-logins-table'
import { type Databases, openDatabases } from './store/open-databases'
import { openProvidersTable } from './store/providers-table'
import { openRequestsTable } from './store/requests-table'
import { openSettingsTable } from './store/settings-table'
import { openTerminalStatesTable } from './store/terminal-states-table'
import { createMetrics } from './telemetry/metrics'
import { createRequestLog, type RequestLog } from './telemetry/request-log'

export interface OpenParts extends Parts {
  readonly databases: Databases
  readonly requestLog: RequestLog
  /** New sockets for new calls; running ones keep theirs. */
  readonly renewTransport: () => void
  readonly close: () => Promise<void>
}

const LAST_USE_EVERY_MS = 5_000
/** Combos inherit nothing. */

/** @throws DatabaseRefusedError, DataFolderInUseError */
export async function openParts(
  host: Host,
  tell: Parts['changed'],
  onLogged: (records: readonly RequestView[]) => void,
  /** Says so with the next beat: for what may change many times a second. */
  soon: Parts['changed'],
): Promise<OpenParts> {
  const { clock, log, vault } = host
  const databases = openDatabases(host.dataDir, host.migrationsDir, clock.now())
  try {
    for (const notice of databases.notices) log.warn({}, notice)
    const settingsTable = openSettingsTable(databases.config)
    const settings = createSettings(settingsTable, host.env, host.flags)
    const resilience = createResilienceStore(settingsTable, host.env)
    const rules = createOperatorRules(settingsTable, (message) => log.warn({}, message))
    const saveSettings: Parts['saveSettings'] = (changes) => {
      settingsTable.save(changes)
      rules.reload()
      settings.reload()
    }
    log.setLevel(settings.snapshot().logLevel)
    for (const { key, warning } of settings.list()) if (warning !== null) log.warn({ setting: key }, warning)
    const connections = openConnectionsTable(databases.config)
    connections.purgeRemoved()
    const providers = openProvidersTable(databases.config)
    const requests = openRequestsTable(databases.history)
    const keys = new ClientKeys(openClientKeysTable(databases.config), clock, log)
    const lastUse = openLastUseTable(databases.state)
    const unsavedUse = new Map<string, number>()
    const activity = new Activity((id, at) => void unsavedUse.set(id, at))
    for (const [id, at] of lastUse.all()) activity.restoreLastUse(id, at)
    const saveLastUse = (): void => {
      if (unsavedUse.size === 0) return
      try {
        lastUse.save(unsavedUse)
        unsavedUse.clear()
      } catch (error) {
        // A full disk is no reason to end the gateway: kept, and tried again.
        log.warn({ error: String(error) }, 'the last use of connections cannot be written')
      }
    }
    const savingUse = clock.every(LAST_USE_EVERY_MS, saveLastUse)
    const metrics = createMetrics(clock, (at) => requests.totalsSince(at))
    const requestLog = createRequestLog(requests, clock, log, () => settings.snapshot(), onLogged)
    const practice = await startPracticeServer(clock)
    const calls = { clock, redact: host.redact, transport: () => transport }
    const logins = new OAuthLogins({
      ...{ clock, log, vault, redact: host.redact },
      table: openOAuthLoginsTable(databases.config),
      ask: (client, form, id) => askFor(book.find(id)?.connection, client, form, calls),
      tokensChanged: () => book.reload(),
      inUse: (connectionId) => connections.list().some(({ id }) => id === connectionId),
      changed: () => tell('providers:changed'),
    })
    await logins.load()
    const signIns = new SignIns(calls, log)
    const terminals = openTerminalStatesTable(databases.config)
    const health = new Health({
      ...{ clock, log, random: host.random, settings: resilience.snapshot },
      changed: () => soon('providers:changed'),
      becameTerminal: (id, state) => {
        if (state !== 'banned' || !rules.snapshot().autoDisableBannedAccounts) return
        connections.update(id, { enabled: false })
        void book.reload().then(() => changed('providers:changed'))
      },
      provider: (id) => {
        const row = book.registry().get(id)?.row
        return row?.id === PRACTICE_ID ? { ...row, breakerExempt: true } : row
      },
      coolingDisabled: (id) => book.find(id)?.connection.settings.disableCooling === true,
      egressSiblings: (id, now) => {
        const leaving = egresses(book.registry(), transport.rules, (connection) => egressProbe.seen(connection))
        const counted = book.rows().flatMap((row) => (row.egressLimited ? [row.id] : []))
        return egressSiblings(id, leaving, egressLimited(host.env.OMNIROUTE_EGRESS_IP_LOCK_PROVIDERS, counted), now)
      },
      tables: {
        breakers: openBreakersTable(databases.state),
        cooldowns: openCooldownsTable(databases.state),
        terminals,
      },
    })
    resilience.onChange((next, previous) => {
      health.settingsChanged(next, previous)
      // Quotas are shown as low, and connections as out, by settings.
      if (next.quotaPreflight !== previous.quotaPreflight) soon('providers:changed')
    })
    const book = new ConnectionBook(connections, providers, vault, practice, log, logins.of)
    await book.reload()
    health.keepOnly(new Set(connections.list().map(({ id }) => id)))
    const quotas = new QuotaBook()
    activity.quotaOf = ({ id, settings: { quotaWindowThresholds } }) =>
      quotaView(quotas.find(id), resilience.snapshot().quotaPreflight, quotaWindowThresholds, clock.now())
    activity.health = {
      connectionGate({ id, settings: { quotaWindowThresholds } }) {
        const now = clock.now()
        const preflight = (): Gate | null =>
          preflightGate(quotas.find(id), null, resilience.snapshot().quotaPreflight, quotaWindowThresholds, now)
        return health.connectionGate(id, now) ?? preflight()
      },
      lockouts: (id) => health.lockoutsOf(id, clock.now()),
      breaker(id) {
        const status = health.breakerStatus(id, clock.now())
        if (status === null) return null
        return { gate: health.providerGate(id, clock.now()), isDegraded: status.state === 'DEGRADED' }
      },
    }
    let transport: Transport = createTransport(settings.snapshot(), host.env, log)
    book.onReload = (registry) => {
      transport.keepProxies(proxiesInUse(registry))
      quotaRefresher.registryChanged()
      void egressProbe.look()
    }
    settings.onChange((next, previous) => {
      log.setLevel(next.logLevel)
      if (SOCKET_SETTINGS.some((key) => next[key] !== previous[key])) renewTransport()
      void egressProbe.look()
    })
    const renewTransport = (): void => {
      // Running calls keep the old sockets; those close by themselves when idle.
      transport = createTransport(settings.snapshot(), host.env, log)
    }
    const egressProbe = new EgressProbe({
      ...{ clock, log, registry: book.registry, transport: () => transport },
      url: () => settings.snapshot().egressProbeUrl,
    })
    const quotaRefresher = new QuotaRefresher({
      ...{ clock, log, redact: host.redact, book: quotas },
      registry: book.registry,
      transport: () => transport,
      everyMinutes: () => settings.snapshot().quotaMinutes,
      lastUsedAt: (id) => activity.of(id).lastUsedAt,
      isOut: (id) => health.connectionGate(id, clock.now())?.endsBy === 'person',
      changed: () => soon('providers:changed'),
    })
    quotaRefresher.start()
    const models = openModels({
      ...{ clock, log, random: host.random, redact: host.redact },
      registry: book.registry,
      callOf: modelsCall,
      transport: () => transport,
      everyHours: () => settings.snapshot().modelListHours,
      lists: openListedModelsTable(databases.state),
      userModels: openModelsTable(databases.config),
      aliases: openModelAliasesTable(databases.config),
      combos: () => ({ snapshot: combos.snapshot(), membersOf: combos.membersOf }),
      changed: () => {
        tell('models:changed')
        // What their steps lead to, and what stands in their way.
        tell('combos:changed')
      },
    })
    let forAllCombos = inheritedConfig(settings.snapshot())
    settings.onChange((next) => {
      forAllCombos = inheritedConfig(next)
    })
    const combosTable = openCombosTable(databases.config)
    combosTable.purgeRemoved()
    const combos = new ComboBook({
      stored: combosTable.list,
      models: models.book.world,
      inherited: () => forAllCombos,
      changed: () => models.book.combosChanged(),
    })
    const stopRetrying = retryCredentials({ clock, health, book, logins, transport: () => transport })
    const changed: Parts['changed'] = (name) => {
      if (name === 'providers:changed') models.connectionsChanged()
      tell(name)
    }
    return {
      clock,
      log,
      vault,
      settings,
      resilience,
      rules,
      saveSettings,
      book,
      connections,
      providers,
      requests,
      keys,
      logins,
      signIns,
      activity,
      health,
      quotas,
      models,
      combos,
      combosTable,
      metrics,
      transport: () => transport,
      redact: host.redact,
      changed,
      databases,
      requestLog,
      renewTransport,
      async close() {
        stopRetrying()
        models.close()
        quotaRefresher.stop()
        egressProbe.close()
        signIns.close()
        await logins.close()
        await transport.close()
        await practice.close()
        savingUse.cancel()
        saveLastUse()
        keys.close()
        health.close()
        requestLog.close()
        databases.close()
      },
    }
  } catch (error) {
    databases.close()
    throw error
  }
}
