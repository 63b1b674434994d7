// KE-03: an upstream closes an idle connection at the very moment it is used again.

import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { CLIENT_KEY, type GatewayProcess, startGateway } from '../support/gateway-process'

const ANSWER =
  '{"id":"x","object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":"hi"},"finish_reason":"stop"}]}'
const ok = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${ANSWER.length}\r\n\r\n${ANSWER}`

let stop = async (): Promise<void> => {}
afterEach(() => stop())

/** `serve` sees each request with its number on its socket. */
async function start(serve: (socket: Socket, onSocket: number, total: number) => void) {
  let total = 0
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    let onSocket = 0
    let pending = ''
    socket.on('error', () => {})
    socket.on('data', (part) => {
      pending += part.toString('latin1')
      if (!pending.endsWith('}')) return
      pending = ''
      serve(socket, ++onSocket, ++total)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  const gateway = await startGateway({
    config: {
      version: 1,
      clientKeys: [{ name: 'main', key: CLIENT_KEY }],
      providers: [{ id: 'fake', label: 'Fake', class: 'apikey', dialect: 'openai-chat', baseUrl }],
      connections: [{ provider: 'fake', name: 'only', apiKey: 'sk-only-connection' }],
    },
  })
  stop = async () => {
    await gateway.stop()
    for (const socket of sockets) socket.destroy()
    server.close()
  }
  return { gateway, requests: () => total }
}

const ask = (gateway: GatewayProcess): Promise<Response> =>
  fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${CLIENT_KEY}`, 'content-type': 'application/json' },
    body: '{"model":"fake/m","messages":[{"role":"user","content":"hi"}]}',
  })

test('a reused connection that is closed unanswered is tried once more, on a new one, at the same account', async () => {
  const { gateway, requests } = await start((socket, onSocket) => {
    if (onSocket === 1) socket.write(ok)
    else socket.destroy()
  })
  expect((await ask(gateway)).status).toBe(200)
  const second = await ask(gateway)
  expect(second.status).toBe(200)
  expect(second.headers.get('x-breakwater-attempts')).toBe('1')
  expect(requests()).toBe(3)
})

test('a new connection that is reset is a failure like any other', async () => {
  const { gateway, requests } = await start((socket) => socket.destroy())
  expect((await ask(gateway)).status).toBe(502)
  expect(requests()).toBe(1)
})

test('after response headers nothing is tried again', async () => {
  const { gateway, requests } = await start((socket, _onSocket, total) => {
    if (total === 1) socket.write(ok)
    else
      socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n', () =>
        socket.destroy(),
      )
  })
  expect((await ask(gateway)).status).toBe(200)
  expect((await ask(gateway)).status).toBe(502)
  expect(requests()).toBe(2)
})
