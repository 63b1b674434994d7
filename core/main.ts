// The gateway without a window: `npm run gateway`. Lines beginning with "{" on stdout are for machines, the log is on
// stderr, the exit code says what went wrong.
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Clock, systemClock } from './clock'
import type { GatewayStatus } from './contract/views'
import { GatewayError } from './errors'
import { createGateway, type Gateway } from './gateway'
import { exportFrom, importInto } from './management/config-exchange'
import { HELP, parseArgs, UsageError } from './node/parse-args'
import { createPlainHost } from './node/plain-host'

const EXIT = { failed: 1, usage: 2, portTaken: 3, folderInUse: 4, databaseRefused: 5 } as const

const here = dirname(fileURLToPath(import.meta.url))

const say = (event: object): void => void process.stdout.write(`${JSON.stringify(event)}\n`)

class Exit extends Error {
  constructor(
    readonly code: number,
    readonly event: { readonly code: string; readonly message: string },
  ) {
    super(event.message)
  }
}

async function run(argv: readonly string[]): Promise<void> {
  const given = parseArgs(argv)
  const version = packageVersion()
  if (given.help) return void process.stdout.write(HELP)
  if (given.version) return void process.stdout.write(`${version}\n`)
  const host = createPlainHost({ arguments: given, migrationsDir: join(here, '..', 'migrations'), version })
  const gateway = createGateway(host)
  stopOnSignals(gateway, systemClock)
  refuse(await gateway.open())
  const parts = gateway.parts()
  if (parts === null) return
  try {
    if (given.importFile !== null) await importInto(parts, readText(given.importFile))
    if (given.exportFile !== null) {
      writeFileSync(given.exportFile, exportFrom(parts), { mode: 0o600 })
      say({ event: 'exported', file: resolve(given.exportFile) })
      await gateway.stop()
      return
    }
    const made =
      given.newKey !== null ? parts.keys.create(given.newKey.name, given.newKey.scopes) : parts.keys.createFirst()
    const status = await gateway.start()
    refuse(status)
    if (status.listener.kind !== 'listening') return
    const { url, port } = status.listener
    say({
      event: 'listening',
      url,
      port,
      instanceId: status.instanceId,
      ...(made === null ? {} : { clientKey: made.key }),
    })
  } catch (error) {
    await gateway.stop()
    throw error
  }
}

/** @throws Exit when the gateway cannot run */
function refuse({ listener }: GatewayStatus): void {
  switch (listener.kind) {
    case 'starting':
    case 'listening':
    case 'stopped':
      return
    case 'port-in-use': {
      const holder = listener.holder === 'breakwater' ? 'another Breakwater' : 'another program'
      const hint = listener.freePort === null ? '' : ` Port ${listener.freePort} is free: --port ${listener.freePort}.`
      throw new Exit(EXIT.portTaken, {
        code: 'port_in_use',
        message: `Port ${listener.port} is in use by ${holder}.${hint}`,
      })
    }
    case 'port-forbidden':
      throw new Exit(EXIT.portTaken, {
        code: 'port_forbidden',
        message: `The system does not allow port ${listener.port}.`,
      })
    case 'listen-failed':
      throw new Exit(EXIT.portTaken, { code: 'listen_failed', message: listener.message })
    case 'data-folder-in-use':
      throw new Exit(EXIT.folderInUse, {
        code: 'data_folder_in_use',
        message: `Another Breakwater uses ${listener.folder}${listener.pid === null ? '' : ` (process ${listener.pid})`}.`,
      })
    case 'database-refused':
      throw new Exit(EXIT.databaseRefused, {
        code: 'database_refused',
        message: `${listener.message} ${listener.wayOut}`,
      })
  }
}

/** One Ctrl+C reaches a process started by npm twice, from the terminal and from npm: this near, two are one. */
const SAME_SIGNAL_MS = 250

function stopOnSignals(gateway: Gateway, clock: Clock): void {
  let firstAt: number | null = null
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (firstAt !== null) {
        if (clock.elapsed() - firstAt > SAME_SIGNAL_MS) process.exit(EXIT.failed)
        return
      }
      firstAt = clock.elapsed()
      gateway.stop().then(
        () => process.exit(0),
        () => process.exit(EXIT.failed),
      )
    })
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new UsageError(`${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`)
  }
}

function packageVersion(): string {
  const { version } = JSON.parse(readFileSync(join(here, '..', 'package.json'), 'utf8')) as { version: string }
  return version
}

function end(error: unknown): void {
  const exit =
    error instanceof Exit
      ? error
      : error instanceof UsageError
        ? new Exit(EXIT.usage, { code: 'usage', message: error.message })
        : error instanceof GatewayError
          ? new Exit(EXIT.usage, { code: error.code, message: error.message })
          : new Exit(EXIT.failed, { code: 'failed', message: error instanceof Error ? error.message : String(error) })
  say({ event: 'error', ...exit.event })
  process.exitCode = exit.code
  if (!(error instanceof Exit || error instanceof UsageError || error instanceof GatewayError)) {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
  }
}

run(process.argv.slice(2)).catch(end)
