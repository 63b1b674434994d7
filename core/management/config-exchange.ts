// Import and export between the configuration file and the opened parts.
import type { OpenParts } from '../open-parts'
import { openClientKeysTable } from '../store/client-keys-table'
import { openSettingsTable } from '../store/settings-table'
import { exportConfig, importConfig, parseConfigFile } from './config-file'

/** @throws GatewayError 400 whose message begins with the path of the fault; nothing is taken over then */
export async function importInto(parts: OpenParts, text: string): Promise<void> {
  const { databases, connections, providers, vault, log, clock } = parts
  const file = parseConfigFile(
    text,
    providers.list().map(({ id }) => id),
  )
  await importConfig(file, {
    transaction: (run) => databases.config.transaction(run)(),
    settings: openSettingsTable(databases.config),
    providers,
    connections,
    clientKeys: openClientKeysTable(databases.config),
    seal: (plain) => vault.seal(plain),
    addSecret: (value) => log.addSecret(value),
    now: clock.now(),
  })
  connections.refresh()
  parts.settings.reload()
  parts.keys.reload()
  await parts.book.reload()
}

export function exportFrom({ databases, providers, connections }: OpenParts): string {
  return exportConfig({
    settings: openSettingsTable(databases.config).all(),
    providers: providers.list(),
    connections: connections.list(),
  })
}
