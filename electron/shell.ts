// The life of the window and the tray around a running gateway: showing, hiding, asking before the way back is lost,
// quitting within its time.
import { join } from 'node:path'
import { app, type BrowserWindow, type IpcMainInvokeEvent, nativeTheme, powerMonitor } from 'electron'
import type { AnyPushData, AnyPushName } from '../core/contract/ipc'
import type { Settings } from '../core/contract/settings'
import type { Gateway } from '../core/gateway'
import type { Logger } from '../core/host'
import { createAppCalls } from './app-calls'
import { registerCalls } from './ipc'
import { applyLoginItem } from './login-item'
import { setMenu } from './menu'
import { PUSH_CHANNEL, relayPushes } from './push-relay'
import { nameHasOwner } from './session-bus'
import { type AppTray, createTray } from './tray'
import type { TrayAction } from './tray-model'
import { createWindow, isOurs, lockDown } from './window'

/** Streams get their end and the databases are closed within this; then the process ends all the same. */
const QUIT_MS = 3_000
const TRAY_WATCHER = 'org.kde.StatusNotifierWatcher'

export class Shell {
  private window: BrowserWindow | null = null
  private tray: AppTray | null = null
  private quitting = false
  private readonly devUrl = process.env.BREAKWATER_DEV_URL
  private readonly appCalls

  constructor(
    private readonly gateway: Gateway,
    private readonly log: Logger,
  ) {
    this.appCalls = createAppCalls({
      gateway,
      trayVisible: () => this.trayVisible(),
      close: (choice) => {
        if (choice === 'quit') this.quit()
        else if (choice === 'keep') this.window?.hide()
      },
      quit: () => this.quit(),
    })
  }

  /** The gateway is up, or has said why not: now there may be something to look at. */
  async open(startHidden: boolean): Promise<void> {
    lockDown(this.devUrl)
    setMenu(() => this.quit())
    this.registerCalls()
    this.applySettings()
    this.tray = createTray(this.gateway, join(app.getAppPath(), 'electron', 'assets', 'tray'), (action) =>
      this.act(action),
    )
    powerMonitor.on('suspend', () => this.gateway.onSuspend())
    powerMonitor.on('resume', () => this.gateway.onResume())
    if (!startHidden || !(await this.trayVisible())) this.show()
  }

  show(page?: string): void {
    if (this.window === null) this.window = this.makeWindow()
    else {
      if (this.window.isMinimized()) this.window.restore()
      this.window.show()
      this.window.focus()
    }
    if (page !== undefined) this.send('window:navigate', { page })
  }

  quit(): void {
    if (this.quitting) return
    this.quitting = true
    this.tray?.destroy()
    const done = (): void => app.exit(0)
    setTimeout(done, QUIT_MS)
    this.gateway.stop().then(done, (error: unknown) => {
      this.log.error({ error: String(error) }, 'the gateway did not stop cleanly')
      done()
    })
  }

  private makeWindow(): BrowserWindow {
    const window = createWindow({ appFolder: app.getAppPath(), devUrl: this.devUrl, log: this.log })
    const relay = relayPushes(this.gateway.pushes, {
      isVisible: () => !window.isDestroyed() && window.isVisible() && !window.isMinimized(),
      send: (name, data) => this.send(name, data),
    })
    window.once('ready-to-show', () => window.show())
    window.on('show', relay.flush)
    window.on('close', (event) => {
      if (this.quitting) return
      event.preventDefault()
      void this.closeAsked()
    })
    window.on('closed', () => {
      relay.stop()
      this.window = null
    })
    return window
  }

  /** Hiding is only right where there is a way back. */
  private async closeAsked(): Promise<void> {
    const settings = this.settings()
    if (settings?.closeAction === 'quit') return this.quit()
    if (!(await this.trayVisible())) return this.send('window:close-asked', null)
    if (settings?.trayHintShown === false) {
      this.gateway.parts()?.settings.change('trayHintShown', true)
      this.send('window:tray-hint', null)
      return
    }
    this.window?.hide()
  }

  private async trayVisible(): Promise<boolean> {
    if (process.platform !== 'linux') return true
    return nameHasOwner(TRAY_WATCHER, process.env.DBUS_SESSION_BUS_ADDRESS)
  }

  private act(action: TrayAction): void {
    switch (action) {
      case 'open':
        return this.show()
      case 'show-problem':
        return this.show('overview')
      case 'quit':
        return this.quit()
      case 'copy-address':
        void this.appCalls['clipboard:copy']({ what: 'address' })
        return
      case 'pause':
      case 'resume':
        this.gateway.parts()?.settings.change('paused', action === 'pause')
    }
  }

  private registerCalls(): void {
    const isOurPage = ({ senderFrame, sender }: IpcMainInvokeEvent): boolean =>
      senderFrame !== null && senderFrame === sender.mainFrame && isOurs(senderFrame.url, this.devUrl)
    registerCalls({ ...this.gateway.operations, ...this.appCalls }, isOurPage, this.log)
  }

  private settings(): Settings | null {
    return this.gateway.parts()?.settings.snapshot() ?? null
  }

  private applySettings(): void {
    const apply = (next: Settings): void => {
      nativeTheme.themeSource = next.theme
    }
    const settings = this.gateway.parts()?.settings
    if (settings === undefined) return
    apply(settings.snapshot())
    settings.onChange((next, previous) => {
      apply(next)
      if (next.startAtLogin !== previous.startAtLogin || next.startHidden !== previous.startHidden) applyLoginItem(next)
    })
  }

  private send<N extends AnyPushName>(name: N, data: AnyPushData<N>): void {
    if (this.window === null || this.window.isDestroyed()) return
    this.window.webContents.send(PUSH_CHANNEL + name, data)
  }
}
