// What no page of ours ever does: go elsewhere, open windows, embed others, or use devices.
import type { App, Session, WebContents } from 'electron'
import { developmentPolicy } from './csp'

/** Writing to the clipboard is the one thing a copy button needs. */
const GRANTED: readonly string[] = ['clipboard-sanitized-write']

export function guardContents(app: App): void {
  app.on('web-contents-created', (_event, contents: WebContents) => {
    contents.on('will-navigate', (event) => event.preventDefault())
    contents.on('will-frame-navigate', (event) => event.preventDefault())
    contents.on('will-redirect', (event) => event.preventDefault())
    contents.on('will-attach-webview', (event) => event.preventDefault())
    contents.setWindowOpenHandler(() => ({ action: 'deny' }))
  })
}

export function guardSession(session: Session): void {
  session.setPermissionRequestHandler((_contents, permission, grant) => grant(GRANTED.includes(permission)))
  session.setPermissionCheckHandler((_contents, permission) => GRANTED.includes(permission))
  session.setDevicePermissionHandler(() => false)
  // The spell checker would fetch its dictionaries from elsewhere.
  session.setSpellCheckerEnabled(false)
}

export function allowDevelopmentServer(session: Session, origin: string): void {
  session.webRequest.onHeadersReceived({ urls: [`${origin}/*`] }, ({ responseHeaders }, proceed) =>
    proceed({ responseHeaders: { ...responseHeaders, 'Content-Security-Policy': [developmentPolicy(origin)] } }),
  )
}
