// Why a port could not be had: who holds it, and which one is free. Asks, never takes, never kills.
import { get } from 'node:http'
import { createServer } from 'node:net'

/** Whether another Breakwater answers on this port of the loopback. */
export const isBreakwater = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const request = get({ host: '127.0.0.1', port, path: '/health', timeout: 500 }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        text += chunk
        if (text.length > 4096) response.destroy()
      })
      response.on('close', () => resolve(text.includes('"instanceId"')))
    })
    request.on('timeout', () => request.destroy())
    request.on('error', () => resolve(false))
  })

/** The first free port after `port`, looking at 20 of them. */
export async function nextFreePort(port: number): Promise<number | null> {
  for (let candidate = port + 1; candidate <= Math.min(port + 20, 65_535); candidate++) {
    if (await isFree(candidate)) return candidate
  }
  return null
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
