import { readdirSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { ask, closeWindow, expect, isVisible, launchAgain, READY_CONFIG, test } from '../support/launch-app'

/** The processes of the app by their data folder, which each of them has on its command line or inherited. */
function descendants(pid: number): number[] {
  const parents = new Map<number, number>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const parent = /\)\s\S\s(\d+)/.exec(readFileSync(`/proc/${name}/stat`, 'utf8'))?.[1]
      parents.set(Number(name), Number(parent))
    } catch {
      // It ended meanwhile.
    }
  }
  const isBelow = (one: number): boolean => {
    const parent = parents.get(one)
    return parent !== undefined && (parent === pid || isBelow(parent))
  }
  return [...parents.keys()].filter(isBelow)
}

const isAlive = (pid: number): boolean => {
  try {
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ')
  } catch {
    return false
  }
}

const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('connect', () => resolve(true) ?? socket.destroy())
    socket.on('error', () => resolve(false))
  })

test('a second launch shows the window of the first, and ends with 0', async ({ launch }) => {
  const app = await launch()
  const url = await app.url()
  await closeWindow(app)
  await app.page.getByRole('button', { name: 'Keep running' }).click()
  await expect.poll(() => isVisible(app)).toBe(false)
  expect((await ask(url, 'practice/echo')).status).toBe(200)

  expect(await launchAgain(app.dataDir)).toBe(0)
  await expect.poll(() => isVisible(app)).toBe(true)
  expect(await app.url()).toBe(url)
})

test('the lock is per data folder: another folder runs beside it', async ({ launch }) => {
  const first = await launch()
  const second = await launch()
  expect(await second.url()).not.toBe(await first.url())
})

test('quitting ends every process and frees the port', async ({ launch }) => {
  test.skip(process.platform !== 'linux', 'reads /proc')
  const app = await launch()
  const port = Number(new URL(await app.url()).port)
  const pids = [app.process.pid as number, ...descendants(app.process.pid as number)]
  expect(pids.length).toBeGreaterThan(2)
  expect(await accepts(port)).toBe(true)
  expect(await app.quit()).toBe(0)
  await expect.poll(() => pids.filter(isAlive)).toEqual([])
  expect(await accepts(port)).toBe(false)
})

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  test(`${signal} ends it cleanly, within the deadline`, async ({ launch }) => {
    const app = await launch()
    await app.url()
    const ended = new Promise<number | null>((resolve) => app.process.once('exit', (code) => resolve(code)))
    const from = performance.now()
    app.process.kill(signal)
    expect(await ended).toBe(0)
    expect(performance.now() - from).toBeLessThan(5_000)
    // The folder is free at once for the next start.
    const next = await launch({ dataDir: app.dataDir })
    expect((await next.status()).listener.kind).not.toBe('data-folder-in-use')
  })
}

test('a running answer finishes or ends with an error when the app quits', async ({ launch }) => {
  const app = await launch({ config: READY_CONFIG })
  const url = await app.url()
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${READY_CONFIG.clientKeys[0]?.key}` },
    body: JSON.stringify({
      model: 'practice/slow',
      stream: true,
      messages: [{ role: 'user', content: 'a long story of many words '.repeat(200) }],
    }),
  })
  const reader = response.body?.getReader()
  await reader?.read()
  const quitting = app.quit()
  const decoder = new TextDecoder()
  let text = ''
  for (let part = await reader?.read(); part?.done === false; part = await reader?.read())
    text += decoder.decode(part.value)
  expect(text).toMatch(/gateway_stopping|\[DONE\]/)
  expect(await quitting).toBe(0)
})
