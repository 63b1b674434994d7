// The one window: made when it is first shown, hidden rather than closed, made anew when its page cannot be saved.
import { BrowserWindow, type NativeTheme, screen, type WebContents } from 'electron'
import type { Logger } from '../core/host'
import type { ReloadBudget } from './reload-budget'
import { readBounds, SMALLEST_SIZE, usableBounds, writeBounds } from './window-bounds'

const CANVAS = { light: '#f5f7f9', dark: '#0d1318' } as const

export interface AppWindowDeps {
  readonly url: string
  readonly preload: string
  readonly icon: string
  readonly boundsFile: string
  readonly theme: NativeTheme
  readonly log: Logger
  readonly reloads: ReloadBudget
  /** The person closes the window; it stays unless this hides it or quits. */
  readonly onClose: () => void
  readonly onVisible: (visible: boolean) => void
  /** The page crashed too often. */
  readonly onPageLost: () => void
}

export class AppWindow {
  private window: BrowserWindow | null = null
  private closing = false
  private menuBar = true

  constructor(private readonly deps: AppWindowDeps) {}

  contents(): WebContents | null {
    return this.window === null || this.window.isDestroyed() ? null : this.window.webContents
  }

  browserWindow(): BrowserWindow | null {
    return this.window === null || this.window.isDestroyed() ? null : this.window
  }

  /** Whether a page is there, or on its way, that can talk to the person. */
  pageWorks(): boolean {
    const contents = this.contents()
    return contents !== null && !contents.isCrashed()
  }

  show(): void {
    const window = this.browserWindow()
    if (window === null) return void this.create()
    if (window.isMinimized()) window.restore()
    window.show()
    window.focus()
  }

  hide(): void {
    this.browserWindow()?.hide()
  }

  /** Runs when the page can hear: at once, or after it has loaded. */
  whenLoaded(run: () => void): void {
    const contents = this.contents()
    if (contents === null) return
    // Its scripts count: they are what listens.
    if (contents.isLoading()) contents.once('did-finish-load', run)
    else run()
  }

  reload(): void {
    this.contents()?.reload()
  }

  /** Shown where the tray is not: there must be something in sight that quits. */
  showMenuBar(show: boolean): void {
    this.menuBar = show
    const window = this.browserWindow()
    if (window === null) return
    window.setAutoHideMenuBar(!show)
    window.setMenuBarVisibility(show)
  }

  /** Lets it go without asking: the app is ending. */
  destroy(): void {
    this.closing = true
    this.browserWindow()?.destroy()
    this.window = null
  }

  private create(): BrowserWindow {
    const { url, preload, icon, boundsFile, theme, log, onClose, onVisible } = this.deps
    const stored = readBounds(boundsFile)
    const areas = screen.getAllDisplays().map(({ workArea }) => workArea)
    const window = new BrowserWindow({
      ...usableBounds(stored?.bounds, areas),
      minWidth: SMALLEST_SIZE.width,
      minHeight: SMALLEST_SIZE.height,
      show: false,
      title: 'Breakwater',
      icon,
      autoHideMenuBar: !this.menuBar,
      backgroundColor: theme.shouldUseDarkColors ? CANVAS.dark : CANVAS.light,
      webPreferences: {
        preload,
        contextIsolation: true,
        sandbox: true,
        nodeIntegration: false,
        webSecurity: true,
        webviewTag: false,
        spellcheck: false,
      },
    })
    this.window = window
    if (stored?.maximised === true) window.maximize()
    window.once('ready-to-show', () => window.show())
    window.on('close', (event) => {
      writeBounds(boundsFile, { bounds: window.getNormalBounds(), maximised: window.isMaximized() })
      if (this.closing) return
      event.preventDefault()
      onClose()
    })
    for (const event of ['show', 'restore'] as const) window.on(event as 'show', () => onVisible(true))
    for (const event of ['hide', 'minimize'] as const) window.on(event as 'hide', () => onVisible(false))
    this.followPage(window)
    window.loadURL(url).catch((error: unknown) => log.error({ url, error: String(error) }, 'the page did not load'))
    return window
  }

  private followPage(window: BrowserWindow): void {
    const { log, reloads, onPageLost } = this.deps
    window.webContents.on('render-process-gone', (_event, { reason, exitCode }) => {
      if (reason === 'clean-exit' || this.closing) return
      log.error({ reason, exitCode }, 'the page’s process ended')
      if (reloads.take()) window.webContents.reload()
      else onPageLost()
    })
    window.webContents.on('preload-error', (_event, file, error) =>
      log.error({ file, error: error.stack }, 'the preload script failed'),
    )
  }
}
