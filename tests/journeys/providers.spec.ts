import type { Page } from '@playwright/test'
import type { BreakwaterApi } from '../../core/contract/ipc'
import { type FakeOAuthServer, startFakeOAuthServer } from '../support/fake-oauth-server'
import { ask, expect, type TestApp, test } from '../support/launch-app'
import { startLocalServer } from '../support/local-server'
import { type SmallUpstream, startSmallUpstream } from '../support/small-upstream'

const openConnections = (page: Page): Promise<void> =>
  page.getByRole('navigation', { name: 'Pages' }).getByRole('button', { name: 'Connections' }).click()

async function chooseProvider(page: Page, search: string, label: string): Promise<void> {
  await openConnections(page)
  await page.getByRole('button', { name: 'Add connection' }).first().click()
  const field = page.getByRole('combobox', { name: 'Provider' })
  await expect(field).toBeFocused()
  await field.fill(search)
  await expect(page.getByRole('option').first()).toContainText(label)
  await field.press('Enter')
  await expect(page.getByRole('region', { name: 'Provider' })).toContainText(label)
}

const keepInFile = (page: Page): Promise<void> => page.getByRole('button', { name: 'Keep keys in a file' }).click()

async function connectionsOf(page: Page, provider: string) {
  const answer = await page.evaluate(() =>
    (globalThis as unknown as { breakwater: BreakwaterApi }).breakwater.call('providers:list'),
  )
  if (!answer.ok) throw new Error(answer.error.message)
  return answer.value.find(({ id }) => id === provider)?.connections ?? []
}

test('a provider is found by another of its names, and what its address needs is asked for', async ({ launch }) => {
  const { page } = await launch()
  await chooseProvider(page, 'azure-openai', 'Azure OpenAI')
  await keepInFile(page)
  await page.getByLabel(/^Key/).fill('azure-key-0123456789')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Enter the resource name.')).toBeVisible()
  // What only the core knows is said at the field, too.
  const resource = page.getByLabel('Resource name')
  await resource.fill('not a host name')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText(/Does not look like one/)).toBeVisible()
  await expect(resource).toHaveAttribute('aria-invalid', 'true')
  await resource.fill('my-resource')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Saved connection main.').first()).toBeVisible()
  expect(await connectionsOf(page, 'azure')).toMatchObject([{ name: 'main', options: { resource: 'my-resource' } }])
})

test('a model server on this machine is found, connected and asked', async ({ launch }) => {
  const server = await startLocalServer(['tiny-1', 'tiny-2'])
  const app = await launch()
  const { page } = app
  await openConnections(page)
  await page.getByRole('button', { name: 'Add connection' }).first().click()
  const found = page.locator('.found__row').filter({ hasText: server.place })
  await expect(found).toContainText('Ollama is running here')
  await found.getByRole('button', { name: 'Connect Ollama' }).click()
  await expect(page.getByRole('region', { name: 'Ollama', exact: true }).getByText('Healthy').first()).toBeVisible()
  expect((await ask(await app.url(), 'ollama/tiny-1')).text).toContain('from this machine')
  await server.stop()
})

test.describe('an account', () => {
  let oauth: FakeOAuthServer
  let upstream: SmallUpstream
  test.beforeEach(async () => {
    oauth = await startFakeOAuthServer()
    upstream = await startSmallUpstream()
  })
  test.afterEach(async () => {
    await oauth.stop()
    await upstream.stop()
  })

  /** Pages that the app opens reach the test and no browser. */
  async function catchPages(app: TestApp): Promise<() => Promise<string>> {
    await app.electron.evaluate(({ shell }) => {
      shell.openExternal = async (url: string) => void Object.assign(globalThis, { openedPage: url })
    })
    const opened = (): Promise<string> =>
      app.electron.evaluate(() => {
        const { openedPage = '' } = globalThis as unknown as { openedPage?: string }
        Object.assign(globalThis, { openedPage: '' })
        return openedPage
      })
    return async () => {
      let url = ''
      await expect
        .poll(async () => {
          url = await opened()
          return url
        })
        .not.toBe('')
      return url
    }
  }

  async function fillClient(page: Page): Promise<void> {
    await page.getByLabel('Base URL').fill(upstream.baseUrl)
    await page.getByLabel('Sign-in page').fill(oauth.authorizeUrl)
    await page.getByLabel('Address for tokens').fill(oauth.tokenUrl)
    await page.getByLabel('Client ID').fill('my-client')
  }

  test('is signed in to with the browser, used, and signed in to again', async ({ launch }) => {
    const app = await launch()
    const { page } = app
    const nextPage = await catchPages(app)
    await chooseProvider(page, 'copilot', 'GitHub Copilot')
    await keepInFile(page)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect(page.getByText('Enter the client ID you were given.')).toBeVisible()
    await fillClient(page)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect(page.getByText('Waiting for the browser')).toBeVisible()

    // The person says no, and the form is there again as it was.
    await oauth.visit(await nextPage(), false)
    await expect(page.getByText('Not signed in')).toBeVisible()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    expect(await oauth.visit(await nextPage())).toBe(200)

    const login = page.getByRole('region', { name: 'Sign-in' })
    await expect(login.getByText('Signed in')).toBeVisible()
    await expect(login).toContainText(/ends in \d+ min/)
    const answered = await ask(await app.url(), 'github-copilot/small-1')
    expect(answered.text).toMatch(/answered for access-token-\d/)
    await expect(page.locator('body')).not.toContainText(/access-token-\d/)

    await login.getByRole('button', { name: 'Renew now' }).click()
    await expect(page.getByText('The sign-in is renewed.')).toBeVisible()
    await login.getByRole('button', { name: 'Sign in again' }).click()
    await oauth.visit(await nextPage())
    await expect(page.getByText('Signed in to GitHub Copilot.').last()).toBeVisible()
    expect(await connectionsOf(page, 'github-copilot')).toHaveLength(1)
  })

  test('is signed in to with a code, and the wait can be ended', async ({ launch }) => {
    const { page } = await launch()
    await chooseProvider(page, 'copilot', 'GitHub Copilot')
    await keepInFile(page)
    await page.getByLabel('Sign in with a code').check()
    await page.getByLabel('Base URL').fill(upstream.baseUrl)
    await page.getByLabel('Address for codes').fill(oauth.deviceUrl)
    await page.getByLabel('Address for tokens').fill(oauth.tokenUrl)
    await page.getByLabel('Client ID').fill('my-client')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect(page.getByText('WDJB-MJHT')).toBeVisible()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await expect(page.getByLabel('Client ID')).toHaveValue('my-client')
    oauth.device = 'confirmed'
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect(page.getByRole('region', { name: 'Sign-in' }).getByText('Signed in')).toBeVisible()
  })
})
