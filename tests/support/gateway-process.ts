// The built gateway in a process of its own, with a data folder that vanishes with it.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const PROGRAM = resolve(import.meta.dirname, '../../dist/gateway.js')

/** The key that tests import, so that every test knows it. */
export const CLIENT_KEY = 'bw-00000000000000000000000000000001'
/** With scope `manage`. */
export const MANAGE_KEY = 'bw-00000000000000000000000000000002'

export interface GatewayOptions {
  /** Written to a file and given as --import. */
  readonly config?: object
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** An own folder is the caller's to remove. */
  readonly dataDir?: string
}

export interface GatewayProcess {
  readonly url: string
  readonly port: number
  readonly pid: number
  /** The key to call with: the imported one, or the one this run made. */
  readonly clientKey: string
  readonly dataDir: string
  /** The first line on stdout. */
  readonly listening: Readonly<Record<string, unknown>>
  stdoutText(): string
  stderrText(): string
  /** Resident memory now, in MB. */
  memoryMb(): number
  /** Sends a signal and gives the exit code. */
  end(signal?: NodeJS.Signals): Promise<number | null>
  /** Ends it if it still runs, and removes its folder. */
  stop(): Promise<void>
}

/** A request whose connections all rest fails at once: only tests of waiting wait. */
const IMPATIENT = { waitForCooldown: { enabled: false } }

const impatient = (config: object): object => {
  const { settings = {} } = config as { settings?: object }
  return { ...config, settings: { resilienceSettings: IMPATIENT, ...settings } }
}

export interface FinishedRun {
  readonly code: number | null
  /** The lines on stdout that begin with "{". */
  readonly events: readonly Readonly<Record<string, unknown>>[]
  readonly stdout: string
  readonly stderr: string
}

export const temporaryFolder = (): string => mkdtempSync(join(tmpdir(), 'breakwater-test-'))

interface Run {
  readonly child: ChildProcess
  readonly ended: Promise<number | null>
  stdout(): string
  stderr(): string
}

function run(args: readonly string[], env: Readonly<Record<string, string>> = {}): Run {
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    // Nothing of the tester's own proxies and settings.
    env: { PATH: process.env.PATH ?? '', HOME: tmpdir(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const texts = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (chunk: string) => {
      texts[name] += chunk
    })
  }
  const ended = once(child, 'close').then(([code]) => code as number | null)
  return { child, ended, stdout: () => texts.stdout, stderr: () => texts.stderr }
}

const eventsOf = (stdout: string): Record<string, unknown>[] =>
  stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>)

function withConfig(dataDir: string, { config, args = [] }: GatewayOptions): string[] {
  const all = ['--data-dir', dataDir, ...args]
  if (config === undefined) return all
  const file = join(dataDir, 'import.json')
  writeFileSync(file, JSON.stringify(impatient(config)))
  return [...all, '--import', file]
}

/** Starts it on a free port and waits until it listens. */
export async function startGateway(options: GatewayOptions = {}): Promise<GatewayProcess> {
  const dataDir = options.dataDir ?? temporaryFolder()
  const portArgs = options.args?.includes('--port') === true ? [] : ['--port', '0']
  const { child, ended, stdout, stderr } = run([...portArgs, ...withConfig(dataDir, options)], options.env)
  const listening = await new Promise<Record<string, unknown>>((done, failed) => {
    child.stdout?.on('data', () => {
      const first = stdout().includes('\n') ? eventsOf(stdout())[0] : undefined
      if (first !== undefined) done(first)
    })
    void ended.then((code) => failed(new Error(`the gateway ended with ${code}: ${stdout()}${stderr()}`)))
  })
  if (listening.event !== 'listening') throw new Error(`the gateway does not listen: ${stdout()}${stderr()}`)
  const pid = child.pid as number
  const running = (): boolean => child.exitCode === null && child.signalCode === null
  return {
    url: listening.url as string,
    port: listening.port as number,
    pid,
    clientKey: (listening.clientKey as string | undefined) ?? CLIENT_KEY,
    dataDir,
    listening,
    stdoutText: stdout,
    stderrText: stderr,
    memoryMb: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024,
    async end(signal = 'SIGTERM') {
      child.kill(signal)
      return ended
    },
    async stop() {
      if (running()) child.kill('SIGKILL')
      await ended
      if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** Runs it to its end: for what refuses to start, or only does something and leaves. */
export async function runGateway(options: GatewayOptions & { readonly dataDir: string }): Promise<FinishedRun> {
  const { ended, stdout, stderr } = run(withConfig(options.dataDir, options), options.env)
  const code = await ended
  return { code, events: eventsOf(stdout()), stdout: stdout(), stderr: stderr() }
}
