import { expect, test } from '../support/launch-app'

interface Probe {
  readonly violations: string[]
}
const PAGES = ['Overview', 'Log', 'Connections', 'Models', 'Keys', 'Settings'] as const

test('no page breaks the content security policy', async ({ launch }) => {
  const { page } = await launch()
  await page.addInitScript(() => {
    const probe: Probe = { violations: [] }
    Object.assign(globalThis, { probe })
    document.addEventListener('securitypolicyviolation', (event) =>
      probe.violations.push(`${event.violatedDirective} ${event.blockedURI} ${event.sample}`),
    )
  })
  await page.reload()
  for (const name of PAGES) {
    await page.getByRole('button', { name, exact: true }).click()
    await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible()
  }
  // What brings styles of its own along: the popover, the side panel, the dialog.
  await page.getByRole('button', { name: /^Gateway:/ }).click()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Connections', exact: true }).click()
  await page.getByRole('button', { name: 'Add connection' }).first().click()
  await expect(page.getByRole('combobox', { name: 'Provider' })).toBeVisible()
  expect(await page.evaluate(() => (globalThis as unknown as { probe: Probe }).probe.violations)).toEqual([])
})

test('the policy has a nonce of its own for each document, and nothing inline', async ({ launch }) => {
  const { page } = await launch()
  const policy = (): Promise<string> =>
    page.evaluate(async () => (await fetch('/index.html')).headers.get('content-security-policy') ?? '')
  const [first, second] = [await policy(), await policy()]
  expect(first).toMatch(/script-src 'self' 'nonce-[\w-]{16,}'/)
  expect(first).not.toContain('unsafe')
  expect(second).not.toBe(first)
})

test('the window is sandboxed and isolated, and goes nowhere else', async ({ launch }) => {
  const app = await launch()
  const { electron, page } = app
  app.expectFault(/^Not allowed to load local resource/)
  const preferences = await electron.evaluate(({ BrowserWindow }) => {
    const contents = BrowserWindow.getAllWindows()[0]?.webContents as unknown as {
      getLastWebPreferences(): Record<string, unknown>
    }
    return contents.getLastWebPreferences()
  })
  expect(preferences).toMatchObject({
    contextIsolation: true,
    sandbox: true,
    nodeIntegration: false,
    webSecurity: true,
  })
  expect(preferences.webviewTag ?? false).toBe(false)
  expect(
    await page.evaluate(() => ({
      globals: ['require', 'process', 'module', 'electron', 'ipcRenderer'].filter((name) => name in globalThis),
      api: Object.keys((globalThis as unknown as { breakwater: object }).breakwater).sort(),
      frozen: Object.isFrozen((globalThis as unknown as { breakwater: object }).breakwater),
      opened: window.open('https://example.com') === null,
    })),
  ).toEqual({ globals: [], api: ['call', 'on'], frozen: true, opened: true })
  await page.evaluate(() => {
    location.href = 'https://example.com/'
  })
  await page
    .evaluate(() => {
      location.href = 'file:///etc/passwd'
    })
    .catch(() => {})
  expect(page.url()).toMatch(/^app:\/\/breakwater\//)
  expect(await electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1)
})

test('files outside the page’s folder are not served, and unknown calls are refused', async ({ launch }) => {
  const app = await launch()
  const { page } = app
  app.expectFault(/status of 404/)
  const statuses = await page.evaluate(() =>
    Promise.all(
      [
        '/../../package.json',
        '/..%2f..%2fpackage.json',
        '/%2e%2e/%2e%2e/package.json',
        '/assets/../../electron/main.cjs',
      ].map(async (path) => (await fetch(path)).status),
    ),
  )
  expect(statuses).toEqual([404, 404, 404, 404])
  const answer = await page.evaluate(() =>
    (globalThis as unknown as { breakwater: { call(name: string): Promise<unknown> } }).breakwater.call('fs:read'),
  )
  expect(answer).toMatchObject({ ok: false, error: { code: 'unknown_call' } })
})
