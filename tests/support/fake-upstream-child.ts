// The fake upstream's own process: answers as scripted, and as a well-behaved provider where nothing was scripted.
// Run by Node itself, which strips the types: what it imports names its file's extension.
import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { constants, createGzip } from 'node:zlib'
import type { FromChild, Script, SeenRequest, Step, ToChild } from './fake-script'
import { answerAsProvider } from './strict-provider.ts'
import { readPath } from './voices/gemini.ts'

const KEEP_BODY = 8 * 1_048_576
const STALLED_MS = 700

const scripts = new Map<string, Script[]>()
const gates = new Map<string, { open: () => void; opened: Promise<void> }>()
let count = 0

const tell = (message: FromChild): void => void process.send?.(message)

function gate(name: string): { open: () => void; opened: Promise<void> } {
  let found = gates.get(name)
  if (found === undefined) {
    const { promise, resolve } = Promise.withResolvers<void>()
    found = { open: resolve, opened: promise }
    gates.set(name, found)
  }
  return found
}

process.on('message', (message: ToChild) => {
  switch (message.kind) {
    case 'answer':
      scripts.set(`${message.key} ${message.model}`, [...message.scripts])
      return
    case 'open':
      gate(message.gate).open()
      return
    case 'sync':
      tell({ kind: 'synced', id: message.id })
  }
})
process.on('disconnect', () => process.exit(0))

const server = createServer((request, response) => {
  handle(request, response).catch(() => response.destroy())
})
server.requestTimeout = 0
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => tell({ kind: 'listening', port: (server.address() as AddressInfo).port }))

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const id = ++count
  const socket = request.socket
  const before = socket.bytesWritten
  let closed = false
  const sent = (): number => socket.bytesWritten - before
  const gone = Promise.withResolvers<void>()
  response.on('close', () => {
    closed = true
    gone.resolve()
    tell({ kind: 'closed', id, aborted: !response.writableFinished, sent: sent() })
  })
  const seen = await read(request, id)
  tell({ kind: 'arrived', request: seen })
  const script = scriptFor(seen)
  const headers: Record<string, string | string[]> = {}
  for (const [name, value] of Object.entries(script.headers ?? {})) {
    headers[name] = typeof value === 'string' ? value : [...value]
  }
  const gzip = script.gzip === true ? createGzip({ flush: constants.Z_SYNC_FLUSH }) : null
  if (gzip !== null) headers['content-encoding'] = 'gzip'
  const out = gzip ?? response
  gzip?.pipe(response)
  const begin = (): void => {
    if (!response.headersSent) response.writeHead(script.status ?? 200, headers)
  }
  for (const step of script.steps) {
    if (closed) return
    if (step.kind === 'head' || step.kind === 'text' || step.kind === 'bytes' || step.kind === 'flood') begin()
    if (step.kind === 'flood')
      await flood(step, response, gone.promise, () => tell({ kind: 'stalled', id, sent: sent() }))
    else if (await perform(step, out, response, socket, gone.promise)) return
  }
  begin()
  out.end()
}

/** True when nothing may follow. */
async function perform(
  step: Exclude<Step, { kind: 'flood' }>,
  out: NodeJS.WritableStream,
  response: ServerResponse,
  socket: Socket,
  gone: Promise<void>,
): Promise<boolean> {
  switch (step.kind) {
    case 'head':
      response.flushHeaders()
      return false
    case 'text':
      await new Promise<void>((resolve) => out.write(step.text, () => resolve()))
      return false
    case 'bytes':
      await new Promise<void>((resolve) => out.write(Buffer.from(step.bytes), () => resolve()))
      return false
    case 'pause':
      await new Promise((resolve) => setTimeout(resolve, step.ms))
      return false
    case 'gate':
      await Promise.race([gate(step.name).opened, gone])
      return false
    case 'hang':
      return true
    case 'reset':
      socket.resetAndDestroy()
      return true
    case 'cut':
      socket.destroySoon()
      return true
  }
}

async function flood(
  { text, bytes }: { readonly text: string; readonly bytes: number },
  response: ServerResponse,
  gone: Promise<void>,
  stalled: () => void,
): Promise<void> {
  const block = text.repeat(Math.max(1, Math.floor(65_536 / text.length)))
  for (let written = 0; written < bytes && !response.destroyed; written += block.length) {
    if (response.write(block)) continue
    const timer = setTimeout(stalled, STALLED_MS)
    await Promise.race([new Promise<void>((drained) => response.once('drain', drained)), gone])
    clearTimeout(timer)
  }
}

async function read(request: IncomingMessage, id: number): Promise<SeenRequest> {
  const hash = createHash('sha256')
  let head = Buffer.alloc(0)
  let kept: Buffer[] | null = []
  let length = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    hash.update(chunk)
    length += chunk.length
    if (head.length < 4096) head = Buffer.concat([head, chunk.subarray(0, 4096)])
    if (length > KEEP_BODY) kept = null
    kept?.push(chunk)
  }
  const path = request.url ?? ''
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(request.headers)) headers[name] = String(value)
  return {
    id,
    method: request.method ?? '',
    path,
    key: keyOf(request, path),
    model: path.includes('/models/')
      ? readPath(path).model
      : modelOf(head.toString('utf8')) || modelOf(Buffer.concat(kept ?? []).toString('utf8')),
    headers,
    rawHeaders: request.rawHeaders,
    length,
    sha256: hash.digest('hex'),
    body: kept === null ? new Uint8Array(0) : new Uint8Array(Buffer.concat(kept)),
  }
}

function keyOf({ headers }: IncomingMessage, path: string): string {
  const own = headers['x-api-key'] ?? headers['x-goog-api-key'] ?? /[?&]key=([^&]+)/.exec(path)?.[1]
  return typeof own === 'string' ? own : (headers.authorization ?? '').replace(/^Bearer /, '')
}

function modelOf(head: string): string {
  const found = /"model"\s*:\s*("(?:[^"\\]|\\.)*")/.exec(head)
  return found === null ? '' : (JSON.parse(found[1] as string) as string)
}

/** The most particular script; of several for one key and model each answers one request, the last all others. */
function scriptFor(seen: SeenRequest): Script {
  for (const name of [`${seen.key} ${seen.model}`, `* ${seen.model}`, `${seen.key} *`]) {
    const list = scripts.get(name)
    if (list === undefined || list.length === 0) continue
    return (list.length === 1 ? list[0] : list.shift()) as Script
  }
  const { script, refused } = answerAsProvider(seen)
  if (refused !== null) tell({ kind: 'refused', id: seen.id, model: seen.model, why: refused })
  return script
}
