// The fake upstream's own process: answers as scripted, and as a well-behaved provider where nothing was scripted.
// Run by Node itself, which strips the types: nothing but types may be imported from other files here.
import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { constants, createGzip } from 'node:zlib'
import type { FromChild, Script, SeenRequest, Step, ToChild } from './fake-script'

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
  const { authorization, 'x-api-key': apiKey } = request.headers
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(request.headers)) headers[name] = String(value)
  return {
    id,
    method: request.method ?? '',
    path: request.url ?? '',
    key: typeof apiKey === 'string' ? apiKey : (authorization ?? '').replace(/^Bearer /, ''),
    model: modelOf(head.toString('utf8')),
    headers,
    rawHeaders: request.rawHeaders,
    length,
    sha256: hash.digest('hex'),
    body: kept === null ? new Uint8Array(0) : new Uint8Array(Buffer.concat(kept)),
  }
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
  return wellBehaved(seen)
}

interface Asked {
  stream?: boolean
  stream_options?: { include_usage?: boolean }
}

/** Says which key it was reached with: "Hello from sk-a". */
function wellBehaved({ path, key, model, method, body }: SeenRequest): Script {
  if (method === 'GET') return json({ object: 'list', data: [{ id: 'm1', object: 'model' }] })
  const text = Buffer.from(body).toString('utf8')
  const asked: Asked = text === '' ? {} : (JSON.parse(text) as Asked)
  const words = ['Hello', ' from', ` ${key}`]
  if (path.includes('/messages')) return asked.stream === true ? claudeStream(words, model) : claudeWhole(words, model)
  return asked.stream === true
    ? chatStream(words, model, asked.stream_options?.include_usage === true)
    : chatWhole(words, model)
}

function json(value: unknown): Script {
  return { headers: { 'content-type': 'application/json' }, steps: [{ kind: 'text', text: JSON.stringify(value) }] }
}

const sse = (events: readonly string[]): Script => ({
  headers: { 'content-type': 'text/event-stream' },
  steps: events.map((text) => ({ kind: 'text', text })),
})

const CHAT_USAGE = { prompt_tokens: 11, completion_tokens: 3, total_tokens: 14 }

const chatWhole = (words: readonly string[], model: string): Script =>
  json({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model,
    choices: [{ index: 0, message: { role: 'assistant', content: words.join('') }, finish_reason: 'stop' }],
    usage: CHAT_USAGE,
  })

function chatStream(words: readonly string[], model: string, withUsage: boolean): Script {
  const chunk = (choices: readonly object[], more: object = {}): string =>
    `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model, choices, ...more })}\n\n`
  const delta = (value: object, finish: string | null = null): string =>
    chunk([{ index: 0, delta: value, finish_reason: finish }], withUsage ? { usage: null } : {})
  return sse([
    delta({ role: 'assistant', content: '' }),
    ...words.map((content) => delta({ content })),
    delta({}, 'stop'),
    ...(withUsage ? [chunk([], { usage: CHAT_USAGE })] : []),
    'data: [DONE]\n\n',
  ])
}

const claudeMessage = (model: string, content: readonly object[], stop: string | null): object => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model,
  content,
  stop_reason: stop,
  stop_sequence: null,
  usage: { input_tokens: 11, output_tokens: stop === null ? 1 : 3 },
})

const claudeWhole = (words: readonly string[], model: string): Script =>
  json(claudeMessage(model, [{ type: 'text', text: words.join('') }], 'end_turn'))

function claudeStream(words: readonly string[], model: string): Script {
  const event = (type: string, value: object): string =>
    `event: ${type}\ndata: ${JSON.stringify({ type, ...value })}\n\n`
  return sse([
    event('message_start', { message: claudeMessage(model, [], null) }),
    event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
    event('ping', {}),
    ...words.map((text) => event('content_block_delta', { index: 0, delta: { type: 'text_delta', text } })),
    event('content_block_stop', { index: 0 }),
    event('message_delta', { delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 3 } }),
    event('message_stop', {}),
  ])
}
