// The app's main process: wiring only. Gateway first, then tray, then window.
import { mkdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { app, dialog, protocol } from 'electron'
import { defaultDataDir } from '../core/node/data-dir'
import { type Arguments, HELP, UsageError } from '../core/node/parse-args'
import { APP_SCHEME } from './app-files'
import { parseAppArguments } from './arguments'
import { runShell } from './shell'
import { guardContents } from './window-guards'

protocol.registerSchemesAsPrivileged([
  { scheme: APP_SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true } },
])

function readArguments(): Arguments | null {
  try {
    return parseAppArguments(process.argv.slice(1))
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    process.stderr.write(`${error.message}\n`)
    return null
  }
}

function start(): void {
  const given = readArguments()
  if (given === null) return app.exit(2)
  if (given.help) return printAndExit(HELP)
  if (given.version) return printAndExit(`${app.getVersion()}\n`)

  const dataDir = resolve(given.dataDir ?? defaultDataDir(process.env, process.platform, homedir()))
  // Chromium's own files stay apart from the data; and the lock that Chromium keeps there is then one per data folder.
  const profileDir = join(dataDir, 'window')
  try {
    mkdirSync(profileDir, { recursive: true, mode: 0o700 })
    app.setPath('userData', profileDir)
  } catch (error) {
    dialog.showErrorBox('Breakwater', `The data folder cannot be used: ${String(error)}`)
    return app.exit(1)
  }
  // The running one shows its window; that is all a second launch is for.
  if (!app.requestSingleInstanceLock()) return app.exit(0)

  guardContents(app)
  app.on('window-all-closed', () => {
    // The gateway goes on without a window; ending is done by quitting only.
  })
  app.whenReady().then(
    () => runShell({ arguments: given, dataDir, profileDir }),
    (error: unknown) => {
      process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
      app.exit(1)
    },
  )
}

function printAndExit(text: string): void {
  process.stdout.write(text, () => app.exit(0))
}

start()
