import type { Page } from '@playwright/test'
import { ask, expect, test } from '../support/launch-app'
import { type SmallUpstream, startSmallUpstream } from '../support/small-upstream'

let upstream: SmallUpstream
test.beforeEach(async () => {
  upstream = await startSmallUpstream()
})
test.afterEach(async () => {
  await upstream.stop()
})

async function addEndpoint(page: Page, key: string): Promise<void> {
  await page.getByRole('button', { name: 'Connections', exact: true }).click()
  await page.getByRole('button', { name: 'Add connection' }).first().click()
  await page.getByRole('combobox', { name: 'Provider' }).fill('custom chat')
  await page.getByRole('option', { name: /Custom endpoint, OpenAI Chat/ }).click()
  await page.getByLabel('Endpoint name').fill('Small')
  await page.getByLabel('Name', { exact: true }).fill('work')
  await page.getByLabel('Base URL').fill(upstream.baseUrl)
  await page.getByLabel(/^Key/).fill(key)
}

test('a connection is added, breaks, and is mended', async ({ launch }) => {
  const app = await launch()
  const { page } = app
  const url = await app.url()
  await addEndpoint(page, 'sk-first-0123456789')
  // This desktop has no key store, and says so before a key can be saved.
  await page.getByRole('button', { name: 'Keep keys in a file' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('region', { name: 'Small' }).getByText('Healthy').first()).toBeVisible()
  await page.getByRole('button', { name: 'Test', exact: true }).click()
  await expect(page.getByText('It answers')).toBeVisible()
  expect(await ask(url, 'small/small-1')).toMatchObject({
    status: 200,
    text: expect.stringContaining('answered for sk-first-0123456789'),
  })

  upstream.refused.add('sk-first-0123456789')
  await page.getByRole('button', { name: 'Test', exact: true }).click()
  await expect(page.getByText('It does not answer')).toBeVisible()
  const refused = await ask(url, 'small/small-1')
  expect(refused.status).toBeGreaterThanOrEqual(400)
  expect(refused.text).not.toContain('sk-first-0123456789')

  await page.getByLabel(/^Key/).fill('sk-second-0123456789')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Saved connection work.').first()).toBeVisible()
  await page.getByRole('button', { name: 'Test', exact: true }).click()
  await expect(page.getByText('It answers')).toBeVisible()
  expect((await ask(url, 'small/small-1')).text).toContain('answered for sk-second-0123456789')

  // A key never comes back to the page.
  await expect(page.locator('body')).not.toContainText('sk-second-0123456789')
  await page.getByRole('button', { name: 'Log', exact: true }).click()
  await expect(page.getByText('small/small-1').first()).toBeVisible()
})

test('a stored key is there after a restart, in a file by the person’s choice', async ({ launch }) => {
  const first = await launch()
  await addEndpoint(first.page, 'sk-kept-0123456789')
  await first.page.getByRole('button', { name: 'Keep keys in a file' }).click()
  await first.page.getByRole('button', { name: 'Save' }).click()
  await expect(first.page.getByText('Saved connection work.').first()).toBeVisible()
  expect(await first.quit()).toBe(0)

  const second = await launch({ dataDir: first.dataDir })
  expect((await ask(await second.url(), 'small/small-1')).text).toContain('answered for sk-kept-0123456789')
  expect((await second.status()).vault.kind).toBe('file')
})

test('a key cannot be saved before a choice where there is no key store', async ({ launch }) => {
  const { page } = await launch()
  await addEndpoint(page, 'sk-unsaved-0123456789')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText(/Choose (first )?how keys are kept/).first()).toBeVisible()
})
