// What goes wrong inside the app itself must not stop the gateway, nor leave a blank window.
import { ask, expect, test } from '../support/launch-app'

test('a page whose process dies is loaded again, and the gateway goes on', async ({ launch }) => {
  const app = await launch()
  const url = await app.url()
  const loadedAgain = app.electron.evaluate(async ({ BrowserWindow }) => {
    const contents = BrowserWindow.getAllWindows()[0]?.webContents
    await new Promise((resolve) => {
      contents?.once('did-finish-load', () => resolve(null))
      contents?.forcefullyCrashRenderer()
    })
  })
  expect((await ask(url, 'practice/echo')).status).toBe(200)
  await loadedAgain
  const heading = (): Promise<string | null> =>
    app.electron.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.webContents.executeJavaScript(
        'document.querySelector("h1")?.textContent ?? null',
      ),
    )
  await expect.poll(heading).toBe('Overview')
})

test('a fault that nobody caught is said once, and the gateway goes on', async ({ launch }) => {
  const app = await launch()
  const url = await app.url()
  await app.electron.evaluate(({ dialog }) => {
    const told: string[] = []
    Object.assign(globalThis, { told })
    dialog.showMessageBox = (async (...given: unknown[]) => {
      told.push(JSON.stringify(given))
      return new Promise(() => {})
    }) as typeof dialog.showMessageBox
    for (const name of ['first', 'second'])
      setImmediate(() => {
        throw new Error(`${name} fault`)
      })
    void Promise.reject(new Error('third fault'))
  })
  const told = (): Promise<string[]> => app.electron.evaluate(() => (globalThis as unknown as { told: string[] }).told)
  await expect.poll(async () => (await told()).length).toBe(1)
  expect((await told())[0]).toMatch(/Keep running.*Quit/)
  expect((await ask(url, 'practice/echo')).status).toBe(200)
  expect(await told()).toHaveLength(1)
})
