// Import and export between the configuration file and the opened parts.
import type { OpenParts } from '../open-parts'
import { builtInRow, CATALOGUE } from '../providers/catalogue'
import { openClientKeysTable } from '../store/client-keys-table'
import { openSettingsTable } from '../store/settings-table'
import type { NamedConnection } from './combo-steps'
import { comboViews } from './combo-views'
import { exportAliases, importAliases } from './config-aliases'
import { exportCombos, importCombos, readFileCombos } from './config-combos'
import { exportConfig, importConfig, parseConfigFile } from './config-file'

/** @throws GatewayError 400 whose message begins with the path of the fault; nothing is taken over then */
export async function importInto(parts: OpenParts, text: string): Promise<void> {
  const { databases, connections, providers, models, vault, log, clock } = parts
  const clientKeys = openClientKeysTable(databases.config)
  const file = parseConfigFile(
    text,
    providers.list().map(({ id }) => id),
  )
  const combos = readFileCombos(file.combos ?? [])
  await importConfig(file, {
    transaction: (run) =>
      databases.config.transaction(() => {
        run()
        importAliases(file.modelAliases ?? [], { aliases: models.aliases, keys: clientKeys.list(), now: clock.now() })
        importCombos(combos, {
          table: parts.combosTable,
          connections: namedConnections(parts),
          ...providerWords(providers.list().map(({ id }) => id)),
          now: clock.now(),
        })
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
  parts.combos.reload()
  const imported = new Set(combos.map(({ name }) => name))
  for (const { name, warnings } of comboViews(parts)) {
    if (!imported.has(name)) continue
    for (const { step, message } of warnings) log.warn({ combo: name, step }, message)
  }
}

/** Of the table, and those that are built in. Inside the transaction: what was just imported is among them. */
const namedConnections = ({ connections, book }: OpenParts): NamedConnection[] => [
  ...connections.list(),
  ...[...book.registry().values()].flatMap((provider) => provider.connections.filter(({ stored }) => stored === null)),
]

/** What providers are called, with those of the user that were just imported. */
function providerWords(own: readonly string[]) {
  const ids = new Set(own)
  return {
    providerNames: new Set(
      [...own, ...CATALOGUE.flatMap(({ id, aliases }) => [id, ...aliases])].map((name) => name.toLowerCase()),
    ),
    providerOf(model: string): string | null {
      const slash = model.indexOf('/')
      const name = slash < 0 ? '' : model.slice(0, slash)
      return ids.has(name) ? name : (builtInRow(name)?.id ?? null)
    },
  }
}

export function exportFrom(parts: OpenParts): string {
  const { databases, providers, connections, models, combosTable } = parts
  return exportConfig({
    settings: openSettingsTable(databases.config).all(),
    providers: providers.list(),
    connections: connections.list(),
    modelAliases: exportAliases(models.aliases, openClientKeysTable(databases.config).list()),
    combos: exportCombos(combosTable.list(), namedConnections(parts)),
  })
}
