// Import and export between the configuration file and the opened parts.
import type { OpenParts } from '../open-parts'
import { openClientKeysTable } from '../store/client-keys-table'
import { openSettingsTable } from '../store/settings-table'
import { exportAliases, importAliases } from './config-aliases'
import { exportConfig, importConfig, parseConfigFile } from './config-file'

/** @throws GatewayError 400 whose message begins with the path of the fault; nothing is taken over then */
export async function importInto(parts: OpenParts, text: string): Promise<void> {
  const { databases, connections, providers, models, vault, log, clock } = parts
  const clientKeys = openClientKeysTable(databases.config)
  const file = parseConfigFile(
    text,
    providers.list().map(({ id }) => id),
  )
  await importConfig(file, {
    transaction: (run) =>
      databases.config.transaction(() => {
        run()
        importAliases(file.modelAliases ?? [], { aliases: models.aliases, keys: clientKeys.list(), now: clock.now() })
      })(),
    settings: openSettingsTable(databases.config),
    providers,
    connections,
    clientKeys,
    seal: (plain) => vault.seal(plain),
    addSecret: (value) => log.addSecret(value),
    now: clock.now(),
  })
  connections.refresh()
  parts.settings.reload()
  parts.resilience.reload()
  parts.rules.reload()
  parts.keys.reload()
  await parts.book.reload()
  models.book.reload()
  models.connectionsChanged()
}

export function exportFrom({ databases, providers, connections, models }: OpenParts): string {
  return exportConfig({
    settings: openSettingsTable(databases.config).all(),
    providers: providers.list(),
    connections: connections.list(),
    modelAliases: exportAliases(models.aliases, openClientKeysTable(databases.config).list()),
  })
}
