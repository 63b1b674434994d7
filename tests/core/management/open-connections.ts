// The operations on connections over a database in memory, and an upstream on this machine to test them against.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished, vi } from 'vitest'
import { GatewayError } from '../../../core/errors'
import { connectionOperations } from '../../../core/management/connections'
import type { Parts } from '../../../core/management/parts'
import { createMemoryVault } from '../../../core/node/key-file-vault'
import { createTransport, type Transport } from '../../../core/pipeline/transport'
import type { PracticeServer } from '../../../core/practice/practice-server'
import { ConnectionBook } from '../../../core/providers/connection-book'
import { Activity } from '../../../core/resilience/activity'
import { openConnectionsTable } from '../../../core/store/connections-table'
import { openProvidersTable } from '../../../core/store/providers-table'
import { ManualClock } from '../../support/manual-clock'
import { openConfig, quietLogger } from './open-config'

/** `instead`: where calls go that would leave this machine. */
export async function begin(instead?: string) {
  const database = openConfig()
  const [clock, log, vault] = [new ManualClock(), quietLogger(), createMemoryVault()]
  const [connections, providers] = [openConnectionsTable(database), openProvidersTable(database)]
  const practice: PracticeServer = { baseUrl: 'http://127.0.0.1:9/v1', keys: ['p1', 'p2'], close: async () => {} }
  const book = new ConnectionBook(connections, providers, vault, practice, log)
  await book.reload()
  const activity = new Activity(() => {})
  const changed = vi.fn()
  const health = { clearConnection: vi.fn(), testPassed: vi.fn() }
  let transport: Transport | null = null
  const parts = {
    ...{ clock, log, vault, book, connections, providers, activity, health, changed },
    transport: () => {
      transport ??= createTransport({ connectTimeoutMs: 5_000, extraCaFile: '' }, {}, log)
      return instead === undefined ? transport : redirected(transport, instead)
    },
    redact: (text: string) => [...log.secrets].reduce((clean, secret) => clean.replaceAll(secret, '•••'), text),
  } as unknown as Parts
  onTestFinished(async () => {
    await transport?.close()
    database.close()
  })
  const operations = connectionOperations(parts)
  return { database, clock, log, connections, providers, book, activity, health, changed, operations }
}

function redirected(transport: Transport, origin: string): Transport {
  const agent = transport.dispatcher(origin)
  const dispatcher = {
    dispatch: (options: object, handler: object) => agent.dispatch({ ...options, origin } as never, handler as never),
  }
  return { ...transport, dispatcher: () => dispatcher as unknown as ReturnType<Transport['dispatcher']> }
}

export interface SeenUpstream {
  readonly baseUrl: string
  /** Authorization headers and addresses it was asked with. */
  readonly keys: (string | undefined)[]
  readonly paths: (string | undefined)[]
  stop(): void
}

/** An upstream on this machine: what it was asked with, and what it says. */
export async function upstream(status: number, body: string): Promise<SeenUpstream> {
  const keys: (string | undefined)[] = []
  const paths: (string | undefined)[] = []
  const server: Server = createServer((request, response) => {
    keys.push(request.headers.authorization)
    paths.push(request.url)
    response.writeHead(status, { 'content-type': 'application/json' }).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const stop = (): void => {
    server.closeAllConnections()
    server.close()
  }
  onTestFinished(stop)
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, keys, paths, stop }
}

export async function refusal(running: Promise<unknown>): Promise<string> {
  const error = await running.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof GatewayError)) throw error ?? new Error('it was taken')
  return error.message
}
