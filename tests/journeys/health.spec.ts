import type { Page } from '@playwright/test'
import type { BreakwaterApi, CallInput } from '../../core/contract/ipc'
import type { Script } from '../support/fake-script'
import { type FakeUpstream, startFakeUpstream } from '../support/fake-upstream'
import { ask, expect, type TestApp, test } from '../support/launch-app'

let upstream: FakeUpstream
test.beforeEach(async () => {
  upstream = await startFakeUpstream()
})
test.afterEach(async () => {
  await upstream.stop()
})

const KEY = 'sk-work-0123456789'

/** An error as OpenAI writes it. */
const refusal = (status: number, error: object, headers: Record<string, string> = {}): Script => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  steps: [{ kind: 'text', text: JSON.stringify({ error }) }],
})
const limited = refusal(429, { message: 'Rate limit reached', type: 'requests' }, { 'retry-after': '900' })
const answered: Script = {
  headers: { 'content-type': 'application/json' },
  steps: [
    {
      kind: 'text',
      text: JSON.stringify({
        ...{ id: 'c', object: 'chat.completion', created: 1, model: 'm' },
        choices: [{ index: 0, message: { role: 'assistant', content: 'here I am' }, finish_reason: 'stop' }],
      }),
    },
  ],
}

const goTo = (page: Page, name: string): Promise<void> =>
  page.getByRole('navigation', { name: 'Pages' }).getByRole('button', { name, exact: true }).click()

async function withConnection(app: TestApp): Promise<string> {
  const url = await app.url()
  const input: CallInput<'connections:add'> = {
    ...{ provider: 'openai', name: 'work', apiKey: KEY },
    baseUrl: upstream.baseUrl,
  }
  const added = await app.page.evaluate(async (connection) => {
    const api = (globalThis as unknown as { breakwater: BreakwaterApi }).breakwater
    const chosen = await api.call('vault:choose', { kind: 'file' })
    return chosen.ok ? api.call('connections:add', connection) : chosen
  }, input)
  if (!added.ok) throw new Error(added.error.message)
  return url
}

const openai = (page: Page) => page.getByRole('region', { name: 'OpenAI', exact: true })

test('a limited connection rests with a countdown until it is cleared', async ({ launch }) => {
  const app = await launch()
  const { page } = app
  const url = await withConnection(app)
  await upstream.answer(KEY, 'm', limited, answered)
  expect((await ask(url, 'openai/m')).status).toBe(429)

  await goTo(page, 'Health')
  const row = openai(page).getByRole('row').filter({ hasText: 'work' })
  await expect(row).toContainText('Resting')
  await expect(row).toContainText('Time: it is used again by itself.')
  const left = row.getByText(/^in 14 min \d+ s$/)
  await expect(left).toBeVisible()
  const before = await left.textContent()
  await expect.poll(() => left.textContent()).not.toBe(before)
  await expect(page.getByRole('button', { name: /^Gateway: Down/ })).toBeVisible()

  await page.getByRole('tab', { name: /Cooldowns/ }).click()
  await expect(page.getByRole('tab', { name: /Cooldowns/ })).toContainText('1 out')
  await page.getByRole('checkbox', { name: 'Select all that can be cleared' }).check()
  await page.getByRole('button', { name: 'Clear 1 selected' }).click()
  await expect(page.getByText('1 connection is in use again.')).toBeVisible()
  await expect(page.getByText('Nothing rests, and nothing needs you.')).toBeVisible()
  await page.getByRole('tab', { name: 'Providers' }).click()
  await expect(row).toContainText('Healthy')
  expect(await ask(url, 'openai/m')).toMatchObject({ status: 200, text: expect.stringContaining('here I am') })
})

test('an account without credit needs a person, is not cleared with the others, and ends with a new key', async ({
  launch,
}) => {
  const app = await launch()
  const { page } = app
  const url = await withConnection(app)
  await upstream.answer(KEY, 'm', refusal(402, { message: 'Insufficient balance', code: 'insufficient_balance' }))
  expect((await ask(url, 'openai/m')).status).toBeGreaterThanOrEqual(400)

  await goTo(page, 'Health')
  await page.getByRole('tab', { name: /Cooldowns/ }).click()
  const row = page.getByRole('row').filter({ hasText: 'work' })
  await expect(row).toContainText('Needs you')
  await expect(row).toContainText('buy credit and reset it')
  await expect(row.getByRole('checkbox')).toBeDisabled()
  await expect(page.getByRole('button', { name: 'Clear all' })).toBeDisabled()

  await row.getByRole('button', { name: 'Open work' }).click()
  const held = page.getByRole('region', { name: 'What is held against it' })
  await expect(held).toContainText('No credit left (402)')
  await expect(held).toContainText('not by itself')
  await expect(held).toContainText('Clears the finding about its account.')
  await page.getByLabel(/^Key/).fill('sk-other-0123456789')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(held).toHaveCount(0)
  await goTo(page, 'Health')
  await page.getByRole('tab', { name: 'Providers' }).click()
  await expect(openai(page).getByRole('row').filter({ hasText: 'work' })).toContainText('Healthy')
  expect((await ask(url, 'openai/m')).status).toBe(200)
})

test('a refused key is tried again by itself, and a reset ends the wait', async ({ launch }) => {
  const app = await launch()
  const { page } = app
  const url = await withConnection(app)
  await upstream.answer(KEY, 'm', refusal(401, { message: 'Incorrect API key provided' }), answered)
  // Our key was refused, not the client's.
  expect((await ask(url, 'openai/m')).status).toBe(503)
  await goTo(page, 'Connections')
  await page.getByRole('button', { name: 'work', exact: true }).click()
  const held = page.getByRole('region', { name: 'What is held against it' })
  await expect(held).toContainText('Key refused (401)')
  await expect(held).toContainText('The same key is tried again then.')
  await held.getByRole('button', { name: 'Reset' }).click()
  await expect(page.getByText('Nothing is held against work any more.')).toBeVisible()
  await expect(held).toHaveCount(0)
  expect((await ask(url, 'openai/m')).status).toBe(200)
})

test('a pasted error is explained, by a rule of one’s own too', async ({ launch }) => {
  const { page } = await launch()
  await goTo(page, 'Health')
  await page.getByRole('tab', { name: 'Paste an error' }).click()
  await page.getByRole('button', { name: 'Explain' }).click()
  await expect(page.getByText('Choose the provider that the error came from.')).toBeVisible()
  await page.getByRole('button', { name: 'A rate limit with a wait' }).click()
  const result = page.getByRole('region', { name: 'What it means' })
  await expect(result).toContainText('Too many requests')
  await expect(result).toContainText('The connection rests for 20 s.')
  await expect(result).toContainText('goes on with the next connection')

  await page.getByLabel('Body').fill('HTTP/1.1 500 Oops\r\nretry-after: 7\r\n\r\n{"error":"the hamster stopped"}')
  await expect(page.getByLabel('Status')).toHaveValue('500')
  await expect(page.getByLabel(/^Headers/)).toHaveValue('retry-after: 7')
  await page.getByRole('button', { name: 'Explain' }).click()
  await expect(result).toContainText('Provider error')

  await goTo(page, 'Settings')
  await page.getByRole('tab', { name: 'Error rules' }).click()
  await page.getByRole('button', { name: 'Add rule' }).first().click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Enter a part of the error’s text.')).toBeVisible()
  await page.getByLabel('Provider', { exact: true }).selectOption('openai')
  await page.getByLabel('Status', { exact: true }).fill('500')
  await page.getByLabel('Text in the error').fill('hamster')
  await page.getByLabel('It means', { exact: true }).selectOption('Quota used up')
  await page.getByLabel('Rests for, in seconds').fill('90')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByRole('region', { name: 'OpenAI' })).toContainText('hamster')

  await goTo(page, 'Health')
  await page.getByLabel('Provider', { exact: true }).selectOption('openai')
  await page.getByLabel('Status', { exact: true }).fill('500')
  await page.getByLabel('Body').fill('{"error":"the hamster stopped"}')
  await page.getByRole('button', { name: 'Explain' }).click()
  await expect(result).toContainText('The connection rests for 1 min 30 s.')
  await expect(result).toContainText('one of your own error rules')
})

test('a resilience setting is refused where it contradicts another, and felt at once where it does not', async ({
  launch,
}) => {
  const { page } = await launch()
  await goTo(page, 'Settings')
  await page.getByRole('tab', { name: 'Resilience' }).click()
  const setting = page.locator('[data-setting="providerBreaker.apikey.degradationThreshold"]')
  await setting.getByRole('textbox').fill('12')
  await setting.getByRole('textbox').press('Enter')
  await expect(setting).toContainText('Must be less than "Open after, key providers" (12).')
  await setting.getByRole('textbox').fill('3')
  await setting.getByRole('textbox').press('Enter')
  await expect(setting).toContainText('Changed here')
  await setting.getByRole('button', { name: /^Reset Strained after/ }).click()
  await expect(setting.getByRole('textbox')).toHaveValue('7')
})

test('limits of one connection are entered, refused at their field, and kept', async ({ launch }) => {
  const app = await launch()
  const { page } = app
  await withConnection(app)
  await goTo(page, 'Connections')
  await page.getByRole('button', { name: 'work', exact: true }).click()
  await page.getByText('Proxy, rests and limits').click()
  const caps = page.getByLabel('Requests at once, by model')
  await caps.fill('glm-5')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText(/Line 1: write model=cap/)).toBeVisible()
  await caps.fill('glm-5=2')
  await page.getByLabel('Requests a minute').fill('99999999')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText(/whole number from 0 to 1000000/)).toBeVisible()
  await page.getByLabel('Requests a minute').fill('60')
  await page.getByLabel('Proxy', { exact: true }).fill('http://ada:secret-word@127.0.0.1:9')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Saved connection work.').first()).toBeVisible()
  await expect(page.getByLabel('Proxy', { exact: true })).toHaveValue('http://127.0.0.1:9')
  await expect(caps).toHaveValue('glm-5=2')
  await expect(page.locator('body')).not.toContainText('secret-word')
})
