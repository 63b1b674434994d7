// The window's pages come from app://breakwater/, out of the built renderer and nowhere else, under a policy with a
// nonce of its own for each document.
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { extname, join, normalize, sep } from 'node:path'
import { protocol } from 'electron'

export const APP_ORIGIN = 'app://breakwater'
export const START_PAGE = `${APP_ORIGIN}/index.html`

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
}

/** Before the app is ready, once. */
export function registerAppScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: 'app', privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true } },
  ])
}

export function serveAppScheme(folder: string): void {
  protocol.handle('app', async (request) => {
    const file = fileFor(request.url, folder)
    if (file === null) return new Response('not found', { status: 404 })
    const type = TYPES[extname(file)]
    if (type === undefined) return new Response('not found', { status: 404 })
    try {
      const bytes = await readFile(file)
      if (!type.startsWith('text/html'))
        return new Response(new Uint8Array(bytes), { headers: { 'content-type': type } })
      const nonce = randomBytes(16).toString('base64')
      const html = bytes.toString('utf8').replaceAll('__CSP_NONCE__', nonce)
      return new Response(html, { headers: { 'content-type': type, 'content-security-policy': policy(nonce) } })
    } catch {
      return new Response('not found', { status: 404 })
    }
  })
}

const policy = (nonce: string): string =>
  [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
  ].join('; ')

/** The file behind an address; null for anything outside the folder. */
export function fileFor(address: string, folder: string): string | null {
  let path: string
  try {
    const url = new URL(address)
    if (url.host !== 'breakwater') return null
    path = decodeURIComponent(url.pathname)
  } catch {
    return null
  }
  const file = normalize(join(folder, path === '/' ? 'index.html' : path))
  return file.startsWith(folder + sep) && !path.includes('\0') ? file : null
}
