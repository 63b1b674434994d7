// The one window: sandboxed, on our own pages, going nowhere else.
import { join } from 'node:path'
import { app, BrowserWindow, nativeTheme, session, shell } from 'electron'
import type { Logger } from '../core/host'
import { APP_ORIGIN, START_PAGE } from './app-scheme'

const CANVAS = { light: '#f5f7f9', dark: '#0d1318' } as const
/** A page that keeps crashing is not loaded for ever. */
const MAX_RELOADS = 3

export interface WindowOptions {
  readonly appFolder: string
  readonly devUrl: string | undefined
  readonly log: Logger
}

export function createWindow({ appFolder, devUrl, log }: WindowOptions): BrowserWindow {
  const window = new BrowserWindow({
    width: 1180,
    height: 760,
    minWidth: 900,
    minHeight: 600,
    show: false,
    title: 'Breakwater',
    icon: join(appFolder, 'build', 'icons', '256x256.png'),
    backgroundColor: nativeTheme.shouldUseDarkColors ? CANVAS.dark : CANVAS.light,
    webPreferences: {
      preload: join(appFolder, 'dist', 'electron', 'preload.cjs'),
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      webSecurity: true,
      spellcheck: false,
    },
  })
  let reloads = 0
  window.webContents.on('render-process-gone', (_event, { reason }) => {
    log.error({ reason }, 'the window’s process is gone')
    if (reason !== 'clean-exit' && reloads++ < MAX_RELOADS) window.reload()
  })
  void window.loadURL(devUrl ?? START_PAGE)
  return window
}

/** What may be asked of any page of this app: nothing. */
export function lockDown(devUrl: string | undefined): void {
  app.on('web-contents-created', (_event, contents) => {
    const refuse = (event: { preventDefault(): void }, url: string): void => {
      if (!isOurs(url, devUrl)) event.preventDefault()
    }
    contents.on('will-navigate', (event, url) => refuse(event, url))
    contents.on('will-redirect', (event, url) => refuse(event, url))
    contents.on('will-attach-webview', (event) => event.preventDefault())
    contents.setWindowOpenHandler(() => ({ action: 'deny' }))
  })
  session.defaultSession.setPermissionRequestHandler((_contents, permission, answer) =>
    answer(permission === 'clipboard-sanitized-write'),
  )
  session.defaultSession.setPermissionCheckHandler(
    (_contents, permission) => permission === 'clipboard-sanitized-write',
  )
}

export function isOurs(url: string, devUrl: string | undefined): boolean {
  return url === APP_ORIGIN || url.startsWith(`${APP_ORIGIN}/`) || (devUrl !== undefined && url.startsWith(devUrl))
}

/** Only https, and only hosts the app itself names. */
export async function openExternal(url: string, allowedHosts: ReadonlySet<string>): Promise<boolean> {
  let target: URL
  try {
    target = new URL(url)
  } catch {
    return false
  }
  if (target.protocol !== 'https:' || !allowedHosts.has(target.host)) return false
  await shell.openExternal(target.href)
  return true
}
