import { expect, test } from '../support/launch-app'

test('first run to first answer, with no account', async ({ launch }) => {
  const app = await launch({ config: null })
  const { page } = app
  await expect(page.getByRole('heading', { name: 'Address and key' })).toBeVisible()
  const url = await app.url()
  await expect(page.getByRole('region', { name: 'Address' })).toContainText(url)

  await page.getByRole('button', { name: 'Copy address' }).click()
  await expect.poll(() => app.electron.evaluate(async ({ clipboard }) => await clipboard.readText())).toBe(url)
  await page.getByRole('button', { name: 'Copy key' }).click()
  await expect
    .poll(() => app.electron.evaluate(async ({ clipboard }) => await clipboard.readText()))
    .toMatch(/^bw-[\w-]{20,}$/)
  await page.getByRole('button', { name: 'Next' }).click()

  await expect(page.getByRole('heading', { name: 'Add a connection' })).toBeVisible()
  await page.getByRole('radio', { name: /Practice/ }).check()
  await page.getByRole('button', { name: 'Next' }).click()

  await expect(page.getByRole('heading', { name: 'Test it live' })).toBeVisible()
  await page.getByRole('button', { name: 'Test', exact: true }).click()
  await expect(page.getByText('It answers')).toBeVisible()
  await page.getByRole('button', { name: 'Next' }).click()

  await expect(page.getByRole('heading', { name: 'Set up your tool' })).toBeVisible()
  await page.getByRole('button', { name: 'Copy', exact: true }).click()
  const copied = (): Promise<string> => app.electron.evaluate(async ({ clipboard }) => await clipboard.readText())
  await expect.poll(copied).toContain(url)
  // The window shows a mask; what was copied has the whole key.
  expect(await copied()).toMatch(/bw-[\w-]{20,}/)
  await expect(page.locator('body')).not.toContainText(/bw-[\w-]{20,}/)
  await page.getByRole('button', { name: 'Next' }).click()

  await page.getByLabel('Prompt').fill('one two three')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  const answer = page.getByRole('region', { name: 'Answer' })
  await expect(answer).toContainText('one two three')
  await expect(answer.getByRole('heading', { name: 'In the log' })).toBeVisible()
  await page.getByRole('button', { name: 'Finish' }).click()

  await expect(page.getByRole('heading', { name: 'Overview', level: 1 })).toBeVisible()
  await page.getByRole('button', { name: 'Log', exact: true }).click()
  await expect(page.getByText('practice/echo').first()).toBeVisible()
})

test('set-up that was left does not come back by itself', async ({ launch }) => {
  const first = await launch({ config: null })
  await first.page.getByRole('button', { name: 'Leave set-up' }).click()
  await expect(first.page.getByRole('heading', { name: 'Overview', level: 1 })).toBeVisible()
  expect(await first.quit()).toBe(0)

  const second = await launch({ dataDir: first.dataDir })
  await expect(second.page.getByRole('heading', { name: 'Overview', level: 1 })).toBeVisible()
})
