// The app starts here: one process per data folder, the gateway before the window, and a word on the screen when
// something is wrong that nobody expected.
import { mkdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { app, dialog } from 'electron'
import { createGateway } from '../core/gateway'
import { defaultDataDir } from '../core/node/data-dir'
import { createAppHost } from './app-host'
import { registerAppScheme, serveAppScheme } from './app-scheme'
import { appArguments } from './command-line'
import { Shell } from './shell'

const FIRST_KEY_NAME = 'default'

const given = appArguments(process.argv.slice(1))
const dataDir = resolve(given.dataDir ?? defaultDataDir(process.env, process.platform, homedir()))
mkdirSync(dataDir, { recursive: true, mode: 0o700 })
// The single-instance lock and Chromium's own files follow this folder: one app per data folder.
app.setPath('userData', dataDir)
app.setPath('sessionData', join(dataDir, 'window'))
registerAppScheme()

if (app.requestSingleInstanceLock()) void main()
else app.exit(0)

async function main(): Promise<void> {
  const host = createAppHost(dataDir, given.flags)
  const gateway = createGateway(host)
  const shell = new Shell(gateway, host.log)
  let told = false
  process.on('uncaughtException', (error) => {
    host.log.error({ error: error.stack }, 'an error nobody caught')
    if (told) return
    told = true
    dialog.showErrorBox(
      'Breakwater',
      `Something failed inside Breakwater: ${error.message}\nThe log in ${dataDir} says more. The gateway goes on.`,
    )
  })
  app.on('second-instance', () => shell.show())
  app.on('activate', () => shell.show())
  // Closing the window is not quitting; what happens then is decided there.
  app.on('window-all-closed', () => {})
  app.on('before-quit', (event) => {
    event.preventDefault()
    shell.quit()
  })
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => shell.quit())

  await app.whenReady()
  serveAppScheme(join(app.getAppPath(), 'dist', 'renderer'))
  await gateway.start()
  const parts = gateway.parts()
  if (parts !== null && parts.keys.list().length === 0) parts.keys.create(FIRST_KEY_NAME, [])
  await shell.open(parts?.settings.snapshot().startHidden ?? false)
}
