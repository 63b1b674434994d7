// Builds the desktop shell around the gateway, in order: the only file that knows all its parts.
import { join } from 'node:path'
import {
  app,
  clipboard,
  shell as desktop,
  dialog,
  ipcMain,
  nativeTheme,
  powerMonitor,
  protocol,
  safeStorage,
  session,
} from 'electron'
import { systemClock as clock } from '../core/clock'
import type { AnyPushName } from '../core/contract/ipc'
import type { ProviderView } from '../core/contract/views'
import { createGateway, type Gateway } from '../core/gateway'
import type { Arguments } from '../core/node/parse-args'
import { createAppCalls } from './app-calls'
import { APP_ORIGIN, APP_SCHEME, answerFile } from './app-files'
import { CloseFlow } from './close-flow'
import { reportFault } from './crash'
import { startGateway } from './gateway-start'
import { createAppHost, createAppLog } from './host'
import { originOf, registerCalls, sendPush } from './ipc'
import { createKeyStore } from './key-store'
import { createLoginItem } from './login-item'
import { setMenu } from './menu'
import { followPower } from './power'
import { exitCodeOf, Quit } from './quit'
import { ReloadBudget } from './reload-budget'
import { settingsOf } from './settings-view'
import { TrayIcon } from './tray'
import { watchTrayHost } from './tray-host'
import { type TrayAction, trayModel } from './tray-model'
import { createAppVault } from './vault'
import { AppWindow } from './window'
import { allowDevelopmentServer, guardSession } from './window-guards'
import { forwardPushes } from './window-pushes'

/** Releases are built with this one; an older runtime is a development copy. */
const RELEASE_ELECTRON = 45

export interface ShellOptions {
  readonly arguments: Arguments
  readonly dataDir: string
  readonly profileDir: string
}

export async function runShell({ arguments: given, dataDir, profileDir }: ShellOptions): Promise<void> {
  const { platform, env } = process
  const root = app.getAppPath()
  const development = !app.isPackaged
  const devUrl = development ? (env.BREAKWATER_DEV_URL ?? null) : null
  const quitApp = (): void => app.quit()

  const log = createAppLog(dataDir, given, development)
  const onFault = reportFault({ log, dialog, logFile: join(dataDir, 'logs', 'breakwater.log'), quit: quitApp })
  process.on('uncaughtException', onFault)
  process.on('unhandledRejection', onFault)
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, quitApp)

  const trayHost = await watchTrayHost(platform, env)
  const vault = await createAppVault({ keyStore: createKeyStore(safeStorage, platform), dataDir, log })
  const version = app.getVersion()
  const host = createAppHost({
    dataDir,
    migrationsDir: join(root, 'migrations'),
    version,
    arguments: given,
    log,
    vault,
  })
  const gateway = createGateway(host)
  const settings = () => settingsOf(gateway)

  guardSession(session.defaultSession)
  protocol.handle(APP_SCHEME, (request) => answerFile(join(root, 'dist', 'renderer'), request))
  if (devUrl !== null) allowDevelopmentServer(session.defaultSession, originOf(devUrl) ?? devUrl)

  const window = new AppWindow({
    url: devUrl ?? `${APP_ORIGIN}/index.html`,
    preload: join(root, 'dist', 'electron', 'preload.cjs'),
    icon: join(root, 'build', 'icons', '256x256.png'),
    boundsFile: join(profileDir, 'bounds.json'),
    theme: nativeTheme,
    log,
    reloads: new ReloadBudget(clock.now),
    onClose: () => closing.onClose(),
    onVisible: (visible) => setPushesVisible(visible),
    onPageLost: () => void offerReload(window, quitApp),
  })
  const push = (name: AnyPushName, data: unknown): void => {
    window.whenLoaded(() => sendPush(window.contents(), name, data))
  }
  const open = (page: string | null): void => {
    window.show()
    if (page !== null) push('window:navigate', { page })
  }
  const closing = new CloseFlow({
    window,
    settings,
    trayVisible: trayHost.visible,
    push,
    rememberHint: () => void gateway.operations['settings:change']({ key: 'trayHintShown', value: true }),
    quit: quitApp,
  })
  const setPushesVisible = forwardPushes({
    gateway,
    clock,
    log,
    contents: () => window.contents(),
    check: development,
  })
  registerCalls({
    ipcMain,
    senders: { windowId: () => window.contents()?.id ?? null, origin: originOf(devUrl ?? APP_ORIGIN) ?? APP_ORIGIN },
    handlers: {
      ...gateway.operations,
      ...createAppCalls({
        gateway,
        writeClipboard: (text) => clipboard.writeText(text),
        openExternal: (url) => desktop.openExternal(url),
        openFolder: (path) => desktop.openPath(path),
        surroundings: () => ({
          trayVisible: trayHost.visible(),
          platform,
          electron: process.versions.electron,
          developmentRuntime: Number.parseInt(process.versions.electron, 10) < RELEASE_ELECTRON,
        }),
        // After the answer has left, or the page would see its call fail.
        closeWindow: (choice) => void setImmediate(() => closing.answer(choice)),
        quit: () => void setImmediate(quitApp),
      }),
    },
    log,
    redact: log.redact,
    checkOutput: development,
  })

  let providers: readonly ProviderView[] = []
  const tray = new TrayIcon({
    assetsDir: join(root, 'electron', 'assets', 'tray'),
    clock,
    platform,
    model: () => trayModel(gateway.status(), providers, clock.now()),
    act: (action) => void actOn(action, gateway, open, quitApp),
  })
  const readProviders = async (): Promise<void> => {
    if (gateway.parts() === null) return
    providers = await gateway.operations['providers:list'](undefined)
    tray.refresh()
  }
  gateway.pushes.on('providers:changed', (list) => {
    providers = list
    tray.refresh()
  })
  gateway.pushes.on('gateway:changed', () => {
    if (providers.length === 0) void readProviders()
    tray.refresh()
  })

  const applyLoginItem = createLoginItem({
    app,
    platform,
    env,
    log,
    dataDir: given.dataDir === null ? null : dataDir,
  })
  const applySettings = (): void => {
    const { theme, startAtLogin, startHidden } = settings()
    nativeTheme.themeSource = theme
    if (gateway.parts() !== null) applyLoginItem({ startAtLogin, startHidden })
  }
  gateway.pushes.on('settings:changed', applySettings)

  let exitCode = 0
  const quit = new Quit({
    vanish: () => {
      exitCode = exitCodeOf(gateway.status())
      tray.destroy()
      window.destroy()
    },
    stop: async () => {
      trayHost.stop()
      await gateway.stop()
    },
    onLate: () => log.warn({}, 'the gateway did not stop in time; quitting all the same'),
    exit: () => app.exit(exitCode),
  })
  app.on('before-quit', (event) => quit.onBeforeQuit(event))
  app.on('second-instance', () => window.show())
  app.on('activate', () => window.show())
  followPower(powerMonitor, gateway, quitApp)
  setMenu({ open: () => window.show(), quit: quitApp, development, platform })

  await startGateway(gateway, given.importFile, log)
  if (quit.asked) return
  applySettings()
  await readProviders()
  tray.create()
  window.showMenuBar(!trayHost.visible())
  trayHost.onChange((visible) => {
    window.showMenuBar(!visible)
    if (visible) tray.create()
  })
  // Hidden is for a gateway that works and a tray that is seen; anything else needs a window.
  const dataOpen = gateway.parts() !== null
  if (!(settings().startHidden && trayHost.visible() && dataOpen)) window.show()
}

async function actOn(
  action: TrayAction,
  gateway: Gateway,
  open: (page: string | null) => void,
  quit: () => void,
): Promise<void> {
  switch (action.kind) {
    case 'copy-address':
      return void (await clipboard.writeText(action.url))
    case 'pause':
      return void (await gateway.operations['gateway:pause']({ paused: action.paused }))
    case 'open':
      return open(action.page)
    case 'quit':
      return quit()
  }
}

async function offerReload(window: AppWindow, quit: () => void): Promise<void> {
  const { response } = await dialog.showMessageBox({
    type: 'error',
    title: 'Breakwater',
    message: 'The window’s page keeps failing. The gateway goes on without it.',
    buttons: ['Try again', 'Close the window', 'Quit'],
    defaultId: 0,
    cancelId: 1,
  })
  if (response === 0) window.reload()
  if (response === 1) window.hide()
  if (response === 2) quit()
}
