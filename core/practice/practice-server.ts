// The embedded upstream for trying things out: no account, no network, failures on purpose. It is an ordinary
// provider on a loopback socket, so what is seen with it is what happens with a real one.
import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Clock } from '../clock'
import { PRACTICE_MODELS, type PracticeModel, WORD_MS } from './practice-models'
import {
  type PracticeDialect,
  type PracticeRequest,
  type PracticeWire,
  practiceWires,
  readPracticeRequest,
} from './practice-wire'

const MAX_BODY = 16 * 1_048_576

export interface PracticeServer {
  readonly baseUrl: string
  /** One key per connection; made anew each run, so that nothing else on the machine can use the port. */
  readonly keys: readonly [first: string, second: string]
  close(): Promise<void>
}

export async function startPracticeServer(clock: Clock): Promise<PracticeServer> {
  const keys = [secret(), secret()] as const
  let flakyCount = 0
  const server = createServer((request, response) => {
    const dialect: PracticeDialect = request.url?.includes('/messages') ? 'anthropic' : 'openai-chat'
    const presented = request.headers.authorization?.slice(7) ?? request.headers['x-api-key']
    const connection = keys.indexOf(presented as string)
    if (connection < 0)
      return sendError(response, practiceWires[dialect], 401, 'This port is for Breakwater only.', null)
    if (request.method === 'GET') return sendModels(response)
    // Words are all it can make: what else there is to ask is the gateway's own to answer.
    if (!/\/(?:chat\/completions|messages)$/.test(request.url ?? ''))
      return sendError(response, practiceWires[dialect], 404, 'The practice provider has no such path.', null)
    readText(request, (text) => {
      const asked = readPracticeRequest(text)
      const model = PRACTICE_MODELS.find(({ id }) => id === asked.model)
      const wire = practiceWires[dialect]
      if (model === undefined) return sendError(response, wire, 404, `The model "${asked.model}" does not exist.`, null)
      act(model, asked, wire, response, connection === 0, clock, () => flakyCount++ % 2 === 0)
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    keys,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const secret = (): string => `practice-${randomBytes(16).toString('hex')}`

function act(
  { behaviour }: PracticeModel,
  asked: PracticeRequest,
  wire: PracticeWire,
  response: ServerResponse,
  isFirst: boolean,
  clock: Clock,
  nextFlakyFails: () => boolean,
): void {
  switch (behaviour.kind) {
    case 'echo':
      return speak(asked, wire, response, clock, WORD_MS, null)
    case 'flaky':
      if (isFirst && nextFlakyFails()) {
        return sendError(response, wire, behaviour.status, 'Practice: this request was chosen to fail.', null)
      }
      return speak(asked, wire, response, clock, WORD_MS, null)
    case 'slow':
      clock.after(behaviour.beforeMs, () => speak(asked, wire, response, clock, behaviour.wordMs, null))
      return
    case 'status':
      if (!isFirst && !behaviour.everywhere) return speak(asked, wire, response, clock, WORD_MS, null)
      return sendError(
        response,
        wire,
        behaviour.status,
        'Practice: this connection refuses on purpose.',
        behaviour.retryAfterS,
      )
    case 'cut':
      return speak(asked, wire, response, clock, WORD_MS, isFirst ? behaviour.afterWords : null)
  }
}

function speak(
  asked: PracticeRequest,
  wire: PracticeWire,
  response: ServerResponse,
  clock: Clock,
  wordMs: number,
  cutAfter: number | null,
): void {
  const { model, prompt } = asked
  if (!asked.stream) {
    if (cutAfter !== null) return void response.destroy()
    response.writeHead(200, { 'content-type': 'application/json' }).end(wire.whole(model, prompt))
    return
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.write(wire.start(model))
  const words = prompt.split(/(?<=\s)/)
  let at = 0
  const ticking = clock.every(wordMs, () => {
    if (response.destroyed) return ticking.cancel()
    if (cutAfter !== null && at >= Math.min(cutAfter, words.length)) {
      ticking.cancel()
      response.destroy()
      return
    }
    if (at < words.length) {
      response.write(wire.word(model, words[at++] as string))
      return
    }
    ticking.cancel()
    response.end(wire.end(model, words.length))
  })
}

function sendError(
  response: ServerResponse,
  wire: PracticeWire,
  status: number,
  message: string,
  retryAfterS: number | null,
): void {
  const retry = retryAfterS === null ? {} : { 'retry-after': String(retryAfterS) }
  response.writeHead(status, { 'content-type': 'application/json', ...retry }).end(wire.error(status, message))
}

function sendModels(response: ServerResponse): void {
  const list = PRACTICE_MODELS.map(({ id }) => ({ id, object: 'model', owned_by: 'practice' }))
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ object: 'list', data: list }))
}

function readText(request: IncomingMessage, done: (text: string) => void): void {
  const chunks: Buffer[] = []
  let length = 0
  request.on('data', (chunk: Buffer) => {
    length += chunk.length
    if (length > MAX_BODY) request.destroy()
    else chunks.push(chunk)
  })
  request.on('end', () => done(Buffer.concat(chunks).toString('utf8')))
}
