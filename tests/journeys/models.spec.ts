import { ask, expect, type TestApp, test } from '../support/launch-app'
import { type SmallUpstream, startSmallUpstream } from '../support/small-upstream'

let upstream: SmallUpstream
test.beforeEach(async () => {
  upstream = await startSmallUpstream()
})
test.afterEach(async () => {
  await upstream.stop()
})

/** With a connection that lists one model. */
const launched = (launch: (options: object) => Promise<TestApp>): Promise<TestApp> =>
  launch({
    config: {
      version: 1,
      settings: { wizardDone: true },
      clientKeys: [{ name: 'main', key: 'bw-0123456789abcdef0123456789abcdef', scopes: ['manage'] }],
      providers: [{ id: 'small', label: 'Small', class: 'apikey', dialect: 'openai-chat', baseUrl: upstream.baseUrl }],
      connections: [{ provider: 'small', name: 'work' }],
    },
  })

test('a name of one’s own leads a request to the model, and says when it cannot', async ({ launch }) => {
  const app = await launched(launch)
  const { page } = app
  const url = await app.url()
  expect((await ask(url, 'claude-sonnet-5')).status).toBe(404)

  await page.getByRole('navigation', { name: 'Pages' }).getByRole('button', { name: 'Models' }).click()
  await page.getByRole('tab', { name: 'Names' }).click()
  await page.getByRole('button', { name: 'Add name' }).first().click()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Enter the name that a tool asks for.')).toBeVisible()
  await page.getByLabel('Name', { exact: true }).fill('claude-*')
  await page.getByLabel('Leads to').fill('small/small-1')
  await page.getByRole('button', { name: 'Save' }).click()
  const row = page.getByRole('row').filter({ hasText: 'claude-*' })
  await expect(row).toContainText('Works')
  expect(await ask(url, 'claude-sonnet-5')).toMatchObject({
    status: 200,
    text: expect.stringContaining('answered for'),
  })

  // A circle is refused at the field.
  await page.getByRole('button', { name: 'Add name' }).first().click()
  await page.getByLabel('Name', { exact: true }).fill('one')
  await page.getByLabel('Leads to').fill('one')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByLabel('Leads to')).toHaveAttribute('aria-invalid', 'true')
  await page.getByRole('button', { name: 'Close panel' }).click()

  await row.getByRole('button').click()
  await page.getByLabel('Leads to').fill('nobody-has-this')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(row).toContainText('Broken')
  await page.getByRole('button', { name: 'Delete' }).click()
  await expect(row).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(row).toContainText('Broken')
})

test('what is known of a model can be changed, hidden, added and taken back', async ({ launch }) => {
  const app = await launched(launch)
  const { page } = app
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('button', { name: 'Models' }).click()
  await page.getByRole('button', { name: 'Fetch the list of Small' }).click()
  const row = page.getByRole('row').filter({ hasText: 'small-1' })
  await row.click()
  await page.getByLabel('Context window').fill('128k')
  await page.getByLabel('Input', { exact: true }).fill('a lot')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('US dollars for a million tokens, such as 0.25.')).toBeVisible()
  await page.getByLabel('Input', { exact: true }).fill('0.25')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(row).toContainText('128k')
  await expect(row).toContainText('$0.25')
  await page.getByRole('switch', { name: 'Show this model to tools' }).click()
  await expect(row).toContainText('Hidden')
  await page.getByRole('button', { name: 'Undo my edits' }).click()
  await expect(row).not.toContainText('128k')

  await page.getByRole('button', { name: 'Add model' }).click()
  await page.getByLabel('Model', { exact: true }).fill('small-1')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText(/is there already/)).toBeVisible()
  await page.getByLabel('Model', { exact: true }).fill('small-2')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('row').filter({ hasText: 'small-2' })).toContainText('Added')
})
