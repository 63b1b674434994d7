// A desktop that shows no tray icons: nothing may get out of reach.
import { closeWindow, expect, isVisible, seesTray, test } from '../support/launch-app'
import { startTrayHost } from '../support/tray-host'

test.skip(process.platform !== 'linux', 'other systems always show a tray')

test('a hidden start shows the window all the same', async ({ launch }) => {
  const app = await launch({ args: ['--hidden'] })
  await expect.poll(() => isVisible(app)).toBe(true)
})

test('closing asks; cancel keeps the window, quit ends the app', async ({ launch }) => {
  const app = await launch()
  await app.url()
  await closeWindow(app)
  await expect(app.page.getByText('Keep the gateway running?')).toBeVisible()
  await app.page.getByRole('button', { name: 'Cancel' }).click()
  await expect(app.page.getByText('Keep the gateway running?')).toHaveCount(0)
  expect(await isVisible(app)).toBe(true)

  const ended = new Promise<number | null>((resolve) => app.process.once('exit', (code) => resolve(code)))
  await closeWindow(app)
  // The page may be gone before the click is reported as done.
  await app.page
    .getByRole('button', { name: 'Quit' })
    .click()
    .catch(() => {})
  expect(await ended).toBe(0)
})

test('closing quits where the setting says so', async ({ launch }) => {
  const app = await launch({
    config: { version: 1, settings: { wizardDone: true, closeAction: 'quit' } },
  })
  await app.url()
  const ended = new Promise<number | null>((resolve) => app.process.once('exit', (code) => resolve(code)))
  await closeWindow(app)
  expect(await ended).toBe(0)
})

test('the menu is in sight and can quit; a tray that comes later gets the icon', async ({ launch }) => {
  const app = await launch()
  await app.url()
  const menu = await app.electron.evaluate(({ BrowserWindow, Menu }) => ({
    inSight: BrowserWindow.getAllWindows()[0]?.isMenuBarVisible(),
    quit: Menu.getApplicationMenu()?.items.some((item) =>
      item.submenu?.items.some(({ label }) => label === 'Quit Breakwater'),
    ),
  }))
  expect(menu).toEqual({ inSight: true, quit: true })

  const host = await startTrayHost()
  try {
    const item = await host.item()
    await expect.poll(() => item.tooltip()).toBe('Breakwater: Healthy')
    await closeWindow(app)
    await expect.poll(() => isVisible(app)).toBe(false)
    await item.click('Open Breakwater')
    await expect.poll(() => isVisible(app)).toBe(true)
  } finally {
    await host.stop()
  }
  // And without it, closing asks again.
  await expect.poll(() => seesTray(app)).toBe(false)
  await closeWindow(app)
  await expect(app.page.getByText('Keep the gateway running?')).toBeVisible()
})
