import type { BreakwaterApi } from '../../core/contract/ipc'
import { startFakeUpstream } from '../support/fake-upstream'
import { ask, closeWindow, expect, isVisible, test } from '../support/launch-app'
import { startTrayHost, type TrayHost, type TrayItem } from '../support/tray-host'

test.skip(process.platform !== 'linux', 'the tray is seen over D-Bus')

let host: TrayHost
test.beforeEach(async () => {
  host = await startTrayHost()
})
test.afterEach(async () => {
  await host.stop()
})

const labels = async (item: TrayItem): Promise<string[]> => (await item.menu()).map(({ label }) => label)

test('tooltip and menu tell the state, the address and the providers', async ({ launch }) => {
  const app = await launch()
  const url = await app.url()
  const item = await host.item()
  await expect.poll(() => item.tooltip()).toBe('Breakwater: Healthy')
  const menu = await item.menu()
  expect(menu.filter(({ separator }) => !separator).map(({ label }) => label)).toEqual([
    'Breakwater: Healthy',
    `Copy address ${url}`,
    'Practice: Healthy',
    'Pause gateway',
    'Open Breakwater',
    'Quit',
  ])
  expect(menu[0]?.enabled).toBe(false)
})

test('a click on the address copies it', async ({ launch }) => {
  const app = await launch()
  const url = await app.url()
  const item = await host.item()
  await item.click(/^Copy address/)
  await expect.poll(() => app.electron.evaluate(async ({ clipboard }) => await clipboard.readText())).toBe(url)
})

test('pause and resume from the menu: icon, words and gateway follow', async ({ launch }) => {
  const app = await launch()
  const url = await app.url()
  const item = await host.item()
  await expect.poll(() => item.tooltip()).toBe('Breakwater: Healthy')
  const healthy = await item.icon()
  await item.click('Pause gateway')
  await expect.poll(() => labels(item)).toContain('Resume gateway')
  expect(await item.tooltip()).toMatch(/^Breakwater: Paused/)
  expect(await item.icon()).not.toBe(healthy)
  expect(await ask(url, 'practice/echo')).toMatchObject({
    status: 503,
    text: expect.stringContaining('gateway_paused'),
  })
  await expect(app.page.getByRole('button', { name: /^Gateway: Paused/ })).toBeVisible()

  await item.click('Resume gateway')
  await expect.poll(() => labels(item)).toContain('Pause gateway')
  expect(await item.icon()).toBe(healthy)
  expect((await ask(url, 'practice/echo')).status).toBe(200)
})

test('a pause survives a restart', async ({ launch }) => {
  const first = await launch()
  await first.url()
  await (await host.item()).click('Pause gateway')
  await expect.poll(async () => (await first.status()).paused).toBe(true)
  await first.quit()
  const second = await launch({ dataDir: first.dataDir })
  expect((await ask(await second.url(), 'practice/echo')).status).toBe(503)
})

test('closing hides into the tray with one hint; the tray opens and quits', async ({ launch }) => {
  const app = await launch()
  const url = await app.url()
  const item = await host.item()
  await closeWindow(app)
  await expect.poll(() => isVisible(app)).toBe(false)
  expect((await ask(url, 'practice/echo')).status).toBe(200)

  await item.click('Open Breakwater')
  await expect.poll(() => isVisible(app)).toBe(true)
  await expect(app.page.getByText(/Closing the window keeps the gateway running/)).toBeVisible()
  await app.page.getByRole('button', { name: 'Dismiss' }).click()

  await closeWindow(app)
  await expect.poll(() => isVisible(app)).toBe(false)
  await item.activate()
  await expect.poll(() => isVisible(app)).toBe(true)
  await expect(app.page.getByText(/Closing the window keeps the gateway running/)).toHaveCount(0)

  const ended = new Promise<number | null>((resolve) => app.process.once('exit', (code) => resolve(code)))
  await item.click('Quit')
  expect(await ended).toBe(0)
})

test('what changed while the window was hidden is shown when it opens', async ({ launch }) => {
  const app = await launch()
  const url = await app.url()
  const item = await host.item()
  await closeWindow(app)
  await expect.poll(() => isVisible(app)).toBe(false)
  await item.click('Pause gateway')
  await expect.poll(() => labels(item)).toContain('Resume gateway')
  expect((await ask(url, 'practice/echo')).status).toBe(503)
  await item.click('Open Breakwater')
  await expect(app.page.getByRole('button', { name: /^Gateway: Paused/ })).toBeVisible()
})

test('a hidden start opens no window where the tray is seen', async ({ launch }) => {
  const app = await launch({ args: ['--hidden'], window: false })
  const item = await host.item()
  await expect.poll(() => item.tooltip()).toBe('Breakwater: Healthy')
  expect(app.electron.windows()).toEqual([])
  const opened = app.electron.waitForEvent('window')
  await item.click('Open Breakwater')
  await opened
  await expect.poll(() => isVisible(app)).toBe(true)
})

test('a provider that rests is told with its return, and its return is seen by itself', async ({ launch }) => {
  const upstream = await startFakeUpstream()
  const app = await launch()
  const url = await app.url()
  const item = await host.item()
  const input = { provider: 'openai', name: 'work', apiKey: 'sk-work-0123456789', baseUrl: upstream.baseUrl }
  await app.page.evaluate(async (connection) => {
    const { breakwater } = globalThis as unknown as { breakwater: BreakwaterApi }
    await breakwater.call('vault:choose', { kind: 'file' })
    await breakwater.call('connections:add', connection)
    // It says at once that it is out, instead of waiting for the connection.
    await breakwater.call('resilience:change', { key: 'waitForCooldown.enabled', value: false })
  }, input)
  await expect.poll(() => labels(item)).toContain('OpenAI: Healthy')
  const error = JSON.stringify({ error: { message: 'Rate limit reached', type: 'requests' } })
  const headers = { 'content-type': 'application/json', 'retry-after': '4' }
  await upstream.answer('*', 'm', { status: 429, headers, steps: [{ kind: 'text', text: error }] })
  expect((await ask(url, 'openai/m')).status).toBe(429)
  await expect.poll(async () => (await labels(item)).join('\n')).toMatch(/^OpenAI rests until \d\d:\d\d:\d\d$/m)
  expect(await item.tooltip()).toMatch(/^Breakwater: Down/)
  await expect.poll(() => labels(item)).toContain('OpenAI: Healthy')
  await expect.poll(() => item.tooltip()).toBe('Breakwater: Healthy')
  await upstream.stop()
})
