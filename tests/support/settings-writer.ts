// Changes a setting for ever, and says each value once it is stored. Built and run as a process of its own by
// tests/integration/crash.test.ts, which kills it.
import { writeSync } from 'node:fs'
import { createSettings } from '../../core/settings'
import { openDatabases } from '../../core/store/open-databases'
import { openSettingsTable } from '../../core/store/settings-table'

const [dataDir, migrations] = process.argv.slice(2) as [string, string]
const { config, notices } = openDatabases(dataDir, migrations, Date.now())
const settings = createSettings(openSettingsTable(config), {}, {})
const [entry] = settings.list().filter(({ key }) => key === 'historyMaxRequests')
const say = (event: object): void => void writeSync(1, `${JSON.stringify(event)}\n`)

say({ found: entry?.stored ?? null, notices })
for (let value = Number(entry?.stored ?? 1000) + 1; ; value++) {
  settings.change('historyMaxRequests', value)
  // Larger than a page, so that a change of several pages is among those that are cut short.
  config.prepare('INSERT OR REPLACE INTO settings (key, value) VALUES (?, ?)').run('filler', `"${'x'.repeat(6000)}"`)
  say({ stored: value })
}
