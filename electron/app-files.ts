// Answers requests of the window for its own files. No Electron: a request in, a response out.
import { readFile } from 'node:fs/promises'
import { extname, resolve, sep } from 'node:path'
import { contentSecurityPolicy, createNonce } from './csp'

export const APP_SCHEME = 'app'
export const APP_HOST = 'breakwater'
export const APP_ORIGIN = `${APP_SCHEME}://${APP_HOST}`

/** Closed: a file of any other kind is not served. */
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
}

/** The file an address means, or null for anything outside the folder, of another host or of an unknown kind. */
export function fileOf(folder: string, address: string): { path: string; type: string } | null {
  let pathname: string
  try {
    const url = new URL(address)
    if (url.host !== APP_HOST || url.protocol !== `${APP_SCHEME}:`) return null
    pathname = decodeURIComponent(url.pathname)
  } catch {
    return null
  }
  if (pathname.includes('\0') || pathname.includes('\\')) return null
  const root = resolve(folder)
  const path = resolve(root, `.${pathname === '/' ? '/index.html' : pathname}`)
  if (!path.startsWith(root + sep)) return null
  const type = TYPES[extname(path).toLowerCase()]
  return type === undefined ? null : { path, type }
}

const NONCE_PLACE = '__CSP_NONCE__'

export async function answerFile(folder: string, request: { method: string; url: string }): Promise<Response> {
  if (request.method !== 'GET' && request.method !== 'HEAD') return new Response(null, { status: 405 })
  const file = fileOf(folder, request.url)
  if (file === null) return new Response(null, { status: 404 })
  let body: Buffer
  try {
    body = await readFile(file.path)
  } catch {
    return new Response(null, { status: 404 })
  }
  const headers: Record<string, string> = {
    'content-type': file.type,
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-cache',
  }
  if (!file.type.startsWith('text/html')) return new Response(new Uint8Array(body), { headers })
  // A nonce of its own for every document, so that none can be guessed from another.
  const nonce = createNonce()
  headers['content-security-policy'] = contentSecurityPolicy(nonce)
  return new Response(body.toString('utf8').replaceAll(NONCE_PLACE, nonce), { headers })
}
