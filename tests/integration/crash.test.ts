// kill -9 in the middle of writing: what was acknowledged is there afterwards, and what was half done is not in the
// way.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, rmSync, watch, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { build } from 'vite'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startGateway, temporaryFolder } from '../support/gateway-process'
import { send } from '../support/http-client'

const root = resolve(import.meta.dirname, '../..')
const PROGRAM = join(root, 'dist/tests/settings-writer.js')

/** What the writer says: first what it found, then each value it has stored. */
type Said = { readonly found: number | null; readonly notices: readonly string[] } | { readonly stored: number }

let folder: string
beforeAll(async () => {
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    build: {
      ssr: join(root, 'tests/support/settings-writer.ts'),
      outDir: join(root, 'dist/tests'),
      emptyOutDir: false,
    },
  })
})
beforeEach(() => {
  folder = temporaryFolder()
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

interface Run {
  readonly found: number | null
  readonly notices: readonly string[]
  /** The last value it said to be stored. */
  readonly last: number | null
  readonly stderr: string
}

/** Runs the writer until `enough` says so, and kills it in whatever it is doing then. */
async function writeUntil(dataDir: string, enough: (said: number, kill: () => void) => void): Promise<Run> {
  const child = spawn(process.execPath, [PROGRAM, dataDir, join(root, 'migrations')], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const kill = (): void => void child.kill('SIGKILL')
  const closed = once(child, 'close')
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  let first: Extract<Said, { found: unknown }> | null = null
  let last: number | null = null
  let count = 0
  createInterface({ input: child.stdout }).on('line', (line) => {
    const said = JSON.parse(line) as Said
    if ('found' in said) first = said
    else last = said.stored
    enough(++count, kill)
  })
  enough(0, kill)
  await closed
  const { found = null, notices = [] } = first ?? ({} as Partial<Extract<Said, { found: unknown }>>)
  return { found, notices, last, stderr }
}

const afterLines = (lines: number) => (said: number, kill: () => void) => {
  if (said >= lines) kill()
}

describe('kill -9', () => {
  test('between and within changes loses none that was acknowledged', async () => {
    let acknowledged: number | null = null
    for (let round = 0; round < 10; round++) {
      const run: Run = await writeUntil(folder, afterLines(2 + ((round * 37) % 61)))
      expect(run.stderr).toBe('')
      expect(run.notices).toEqual([])
      if (acknowledged !== null) {
        // One more may have been stored without the word of it having got out.
        expect(run.found).toBeGreaterThanOrEqual(acknowledged)
        expect(run.found).toBeLessThanOrEqual(acknowledged + 1)
      }
      acknowledged = run.last
      expect(acknowledged).not.toBeNull()
    }
  })

  test.each(Array.from({ length: 14 }, (_, i) => 1 + 4 * i))(
    'during a first start, at the %d. change in its folder, leaves a folder that can be started with',
    async (nth) => {
      const dataDir = join(folder, 'data')
      mkdirSync(dataDir)
      const watcher = watch(dataDir, { recursive: false })
      await writeUntil(dataDir, (said, kill) => {
        if (said === 0) {
          let changes = 0
          watcher.on('change', () => ++changes >= nth && kill())
        } else kill()
      })
      watcher.close()
      const again = await writeUntil(dataDir, afterLines(3))
      expect(again.stderr).toBe('')
      expect(again.notices).toEqual([])
      expect(again.last).not.toBeNull()
    },
  )
})

test.each([
  ['of zero bytes', ''],
  ['of NUL bytes', '\0'.repeat(8192)],
  ['of half JSON', '{"settings":{'],
])('a settings file %s is replaced by the daily copy, and kept aside', async (_what, content) => {
  const backups = join(folder, 'backups')
  mkdirSync(backups)
  const copied = new Promise<void>((done) => {
    const watcher = watch(backups, (_event, name) => {
      if (name?.startsWith('breakwater-') !== true) return
      watcher.close()
      done()
    })
  })
  const first = await startGateway({ dataDir: folder, config: { version: 1, settings: { paused: true } } })
  await copied
  await first.end('SIGKILL')
  for (const suffix of ['-wal', '-shm']) rmSync(join(folder, `breakwater.db${suffix}`), { force: true })
  writeFileSync(join(folder, 'breakwater.db'), content)
  const second = await startGateway({ dataDir: folder })
  try {
    expect((await send(`${second.url}/health`)).json<{ status: string }>().status).toBe('paused')
    const aside = readdirSync(folder).filter((name) => name.startsWith('breakwater.db.unreadable-'))
    expect(aside).toHaveLength(1)
    expect(readFileSync(join(folder, aside[0] as string), 'utf8')).toBe(content)
    expect(second.stderrText()).toContain('The settings could not be read')
  } finally {
    await second.stop()
  }
})
