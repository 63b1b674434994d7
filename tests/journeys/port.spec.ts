import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ask, expect, READY_CONFIG, test } from '../support/launch-app'

let holder: Server
test.beforeEach(async () => {
  holder = createServer((_request, response) => response.writeHead(404).end('something else'))
  holder.listen(0, '127.0.0.1')
  await once(holder, 'listening')
})
test.afterEach(() => {
  holder.close()
  holder.closeAllConnections()
})

const heldPort = (): number => (holder.address() as AddressInfo).port
// The port is a stored setting here: one that the environment sets could not be changed in the window.
const onHeldPort = () => ({
  config: { ...READY_CONFIG, settings: { wizardDone: true, listenPort: heldPort() } },
  env: { BREAKWATER_PORT: '' },
})

test('a port that another program holds is named, and the offered one is taken on a click', async ({ launch }) => {
  const app = await launch(onHeldPort())
  const { page } = app
  await expect(page.getByText(`Port ${heldPort()} is in use`).first()).toBeVisible()
  await expect(page.getByText(`Another program holds port ${heldPort()}.`).first()).toBeVisible()
  await page.getByRole('button', { name: /^Use port \d+$/ }).click()
  await expect(page.getByText(`Port ${heldPort()} is in use`)).toHaveCount(0)
  const url = await app.url()
  expect(url).not.toContain(`:${heldPort()}`)
  expect((await ask(url, 'practice/echo')).status).toBe(200)
  // The other program was left alone.
  expect(await (await fetch(`http://127.0.0.1:${heldPort()}/`)).text()).toBe('something else')
})

test('a port that becomes free is had by trying again', async ({ launch }) => {
  const options = onHeldPort()
  const port = heldPort()
  const app = await launch(options)
  await expect(app.page.getByText(`Port ${port} is in use`).first()).toBeVisible()
  const closed = once(holder, 'close')
  holder.close()
  holder.closeAllConnections()
  await closed
  await app.page.getByRole('button', { name: 'Try again' }).click()
  expect(await app.url()).toBe(`http://127.0.0.1:${port}`)
})
