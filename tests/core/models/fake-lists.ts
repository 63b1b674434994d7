// A server of model lists for tests: answers what it is told, and remembers what it was asked.
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { createTransport, type Transport } from '../../../core/pipeline/transport'
import { quietLogger } from '../management/open-config'

export type Answer = (url: URL, key: string, response: ServerResponse) => void

export interface ListServer {
  readonly origin: string
  /** Path and query of each request. */
  readonly asked: string[]
  answer: Answer
  readonly transport: Transport
}

export const json =
  (body: unknown, status = 200): Answer =>
  (_url, _key, response) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

export const listOf = (...ids: readonly string[]): Answer => json({ object: 'list', data: ids.map((id) => ({ id })) })

export async function startListServer(answer: Answer): Promise<ListServer> {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    const key = (request.headers.authorization ?? '').replace('Bearer ', '')
    started.answer(new URL(request.url ?? '', 'http://list'), key, response)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const transport = createTransport({ connectTimeoutMs: 5_000, extraCaFile: '' }, {}, quietLogger())
  onTestFinished(async () => {
    await transport.close()
    server.closeAllConnections()
    await new Promise<void>((done) => server.close(() => done()))
  })
  const started = { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, answer, transport }
  return started
}
