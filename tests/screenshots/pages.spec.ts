// Every page of the real app, light and dark, for the documentation; and what axe says about each of them.
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import type { BreakwaterApi, CallInput, CallName, CallOutput } from '../../core/contract/ipc'
import { startFakeOAuthServer } from '../support/fake-oauth-server'
import type { Script } from '../support/fake-script'
import { startFakeUpstream } from '../support/fake-upstream'
import { ask, expect, type TestApp, test } from '../support/launch-app'
import { startLocalServer } from '../support/local-server'
import { type SmallUpstream, startSmallUpstream } from '../support/small-upstream'

const FOLDER = resolve(import.meta.dirname, '../../docs/screenshots')
const THEMES = ['light', 'dark'] as const
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
/** Enough for the charts to have something to show. */
const TRAFFIC_MS = 50_000
const QUICK = [
  'openai/small-1',
  'practice/down',
  'openai/small-1',
  'practice/echo',
  'lab/small-1',
  'practice/rate-limited',
]
const SLOW = ['practice/slow', 'practice/echo', 'practice/outage', 'lab/small-1']

const KNOWN_MODELS = [
  ...['gpt-4.1', 'gpt-4.1-mini', 'gpt-4o', 'gpt-4o-mini', 'gpt-5', 'gpt-5-mini', 'gpt-5-nano', 'o3', 'o4-mini'],
  ...['text-embedding-3-large', 'text-embedding-3-small', 'whisper-1'],
]

let upstream: SmallUpstream
test.beforeEach(async () => {
  mkdirSync(FOLDER, { recursive: true })
  upstream = await startSmallUpstream()
})
test.afterEach(async () => {
  await upstream.stop()
})

async function call<N extends CallName>(page: Page, name: N, input?: CallInput<N>): Promise<CallOutput<N>> {
  const answer = await page.evaluate(
    ([asked, value]) => {
      const api = (globalThis as unknown as { breakwater: BreakwaterApi }).breakwater
      const untyped = api.call as (name: string, input?: unknown) => ReturnType<BreakwaterApi['call']>
      return untyped(asked, value)
    },
    [name, input] as const,
  )
  if (!answer.ok) throw new Error(`${name}: ${answer.error.message}`)
  return answer.value as CallOutput<N>
}

/** One page in both themes, looked at by axe and kept as a picture. */
async function show(page: Page, name: string): Promise<void> {
  for (const theme of THEMES) {
    await call(page, 'settings:change', { key: 'theme', value: theme })
    await expect(page.locator('html')).toHaveAttribute('data-theme', theme)
    await page.mouse.move(2, 2)
    await page.waitForTimeout(400)
    // Electron opens no second page, which axe would use for its summary.
    const { violations } = await new AxeBuilder({ page }).withTags(RULES).setLegacyMode(true).analyze()
    expect(violations.map(({ id, nodes }) => `${name}, ${theme}: ${id}: ${nodes[0]?.html}`)).toEqual([])
    await page.screenshot({ path: join(FOLDER, `${name}-${theme}.png`), animations: 'disabled' })
  }
}

async function addConnections(page: Page): Promise<void> {
  const { vault } = await call(page, 'gateway:status')
  if (vault.kind === 'none') await call(page, 'vault:choose', { kind: 'file' })
  const at = { baseUrl: upstream.baseUrl }
  await call(page, 'connections:add', { provider: 'openai', name: 'work', apiKey: 'sk-work-0123456789abcdef', ...at })
  await call(page, 'connections:add', { provider: 'openai', name: 'home', apiKey: 'sk-home-0123456789abcdef', ...at })
  const lab = await call(page, 'providers:add', { label: 'Lab', dialect: 'openai-chat', ...at })
  await call(page, 'connections:add', { provider: lab.id, name: 'rack 2' })
  const old = await call(page, 'connections:add', {
    provider: 'anthropic',
    name: 'old',
    apiKey: 'sk-ant-old-0123456789',
  })
  await call(page, 'connections:update', { id: old.id, enabled: false })
}

/** Headers of an account with five hours and a week. */
function subscription(five: string, week: string): Readonly<Record<string, string>> {
  const seconds = Math.floor(Date.now() / 1000)
  return {
    'anthropic-ratelimit-unified-status': 'allowed',
    'anthropic-ratelimit-unified-5h-utilization': five,
    'anthropic-ratelimit-unified-5h-reset': String(seconds + 2_700),
    'anthropic-ratelimit-unified-7d-utilization': week,
    'anthropic-ratelimit-unified-7d-reset': String(seconds + 4 * 86_400),
  }
}

/** Accounts whose providers tell what is left: by the headers of an answer, and by a page of their own. */
async function addAllowances(page: Page, url: string): Promise<void> {
  const at = { baseUrl: upstream.baseUrl }
  const free = 'sk-free-0123456789abcdef'
  upstream.told.set(free, {
    'x-ratelimit-limit-requests': '14400',
    'x-ratelimit-remaining-requests': '2100',
    'x-ratelimit-reset-requests': '8h12m',
    'x-ratelimit-limit-tokens': '18000',
    'x-ratelimit-remaining-tokens': '11500',
    'x-ratelimit-reset-tokens': '42s',
  })
  const team = 'sk-team-0123456789abcdef'
  upstream.told.set(team, subscription('0.62', '0.24'))
  upstream.pages.set('/key', { data: { limit: 40, limit_remaining: 6.2, limit_reset: 'monthly' } })
  upstream.pages.set('/users/me/balance', { data: { available_balance: 49.58 } })
  await call(page, 'connections:add', { provider: 'groq', name: 'free', apiKey: free, ...at })
  await call(page, 'connections:add', { provider: 'new-api', name: 'team', apiKey: team, ...at })
  await call(page, 'connections:add', { provider: 'openrouter', name: 'main', apiKey: 'sk-or-0123456789', ...at })
  await call(page, 'connections:add', { provider: 'moonshot', name: 'paid', apiKey: 'sk-kimi-0123456789', ...at })
  await ask(url, 'groq/small-1')
  await ask(url, 'new-api/small-1')
}

/** Requests of several models until told to stop. */
function keepAsking(url: string): { stop: () => Promise<void> } {
  let asking = true
  const one = async (models: readonly string[], pauseMs: number): Promise<void> => {
    for (let turn = 0; asking; turn += 1) {
      await ask(url, models[turn % models.length] ?? 'practice/echo').catch(() => {})
      await new Promise((next) => setTimeout(next, pauseMs))
    }
  }
  const all = [one(QUICK, 900), one(SLOW, 400), one(SLOW, 1300)]
  return {
    stop: async () => {
      asking = false
      await Promise.all(all)
    },
  }
}

const goTo = (page: Page, name: string): Promise<void> =>
  page.getByRole('navigation', { name: 'Pages' }).getByRole('button', { name, exact: true }).click()

test('the pages', async ({ launch }) => {
  const app: TestApp = await launch()
  const { page } = app
  const url = await app.url()
  await addConnections(page)
  const began = Date.now()
  const traffic = keepAsking(url)

  await goTo(page, 'Connections')
  await addAllowances(page, url)
  await expect(page.getByText('$49.58')).toBeVisible()
  await show(page, 'connections')
  await page.getByRole('button', { name: 'work', exact: true }).click()
  await page.getByRole('button', { name: 'Test', exact: true }).click()
  await expect(page.getByText('It answers')).toBeVisible()
  await show(page, 'connection')
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'free', exact: true }).click()
  await expect(page.getByRole('region', { name: 'What is left' })).toBeVisible()
  await show(page, 'connection-quotas')
  await page.keyboard.press('Escape')

  await goTo(page, 'Keys')
  await show(page, 'keys')
  await goTo(page, 'Settings')
  await show(page, 'settings')

  await goTo(page, 'Log')
  await expect(page.getByRole('row').nth(12)).toBeVisible()
  await show(page, 'log')
  await page.getByRole('row').filter({ hasText: 'practice/down' }).first().click()
  await expect(page.getByRole('list', { name: 'Attempts' }).getByRole('listitem')).toHaveCount(2)
  await show(page, 'request')
  await page.keyboard.press('Escape')

  await goTo(page, 'Overview')
  await page.waitForTimeout(Math.max(0, began + TRAFFIC_MS - Date.now()))
  await show(page, 'overview')
  await traffic.stop()
})

test('choosing a provider and signing in', async ({ launch }) => {
  const server = await startLocalServer(['llama4:8b', 'qwen3:4b'])
  const oauth = await startFakeOAuthServer()
  const { page } = await launch()
  await addConnections(page)
  const choose = async (search: string): Promise<void> => {
    await goTo(page, 'Connections')
    await page.getByRole('button', { name: 'Add connection' }).first().click()
    await page.getByRole('combobox', { name: 'Provider' }).fill(search)
  }
  await choose('')
  await expect(page.getByText('is running here').first()).toBeVisible()
  await show(page, 'provider-list')
  await page.getByRole('combobox', { name: 'Provider' }).fill('glm')
  await show(page, 'provider-search')

  await page.getByRole('combobox', { name: 'Provider' }).fill('azure')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Enter the resource name.')).toBeVisible()
  await show(page, 'add-connection')
  await page.getByRole('button', { name: 'Close panel' }).click()

  await choose('copilot')
  await page.keyboard.press('Enter')
  await show(page, 'sign-in')
  await page.getByLabel('Sign in with a code').check()
  await page.getByLabel('Base URL').fill(upstream.baseUrl)
  await page.getByLabel('Address for codes').fill(oauth.deviceUrl)
  await page.getByLabel('Address for tokens').fill(oauth.tokenUrl)
  await page.getByLabel('Client ID').fill('my-client')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByText('WDJB-MJHT')).toBeVisible()
  await show(page, 'sign-in-code')
  oauth.device = 'confirmed'
  await expect(page.getByRole('region', { name: 'Sign-in' }).getByText('Signed in')).toBeVisible()
  await expect(page.getByText('Signed in to GitHub Copilot.')).toHaveCount(0, { timeout: 15_000 })
  await show(page, 'account')
  await oauth.stop()
  await server.stop()
})

test('models and names', async ({ launch }) => {
  const lister = await startSmallUpstream(KNOWN_MODELS)
  const local = await startSmallUpstream(['llama-4-scout', 'qwen3-coder-30b'])
  const { page } = await launch()
  await call(page, 'vault:choose', { kind: 'file' })
  const key = { apiKey: 'sk-work-0123456789abcdef' }
  await call(page, 'connections:add', { provider: 'openai', name: 'work', ...key, baseUrl: lister.baseUrl })
  const lab = await call(page, 'providers:add', { label: 'Lab', dialect: 'openai-chat', baseUrl: local.baseUrl })
  await call(page, 'connections:add', { provider: lab.id, name: 'rack 2' })
  upstream.refused.add('sk-old-0123456789abcdef')
  const refused = { apiKey: 'sk-old-0123456789abcdef', baseUrl: upstream.baseUrl }
  await call(page, 'connections:add', { provider: 'deepseek', name: 'old', ...refused })
  await call(page, 'models:refresh', {})
  await call(page, 'models:edit', { provider: 'lab', model: 'llama-4-scout', facts: { contextWindow: 131_072 } })
  await call(page, 'models:edit', { provider: 'openai', model: 'whisper-1', hidden: true })
  await call(page, 'models:add', { provider: 'lab', model: 'a-model-of-ours', facts: { contextWindow: 32_768 } })
  await call(page, 'aliases:add', { pattern: 'claude-*', target: 'openai/gpt-4.1' })
  const [first] = await call(page, 'keys:list')
  await call(page, 'aliases:add', { pattern: 'fast', target: 'lab/qwen3-coder-30b', clientKeyId: first?.id ?? null })
  await call(page, 'aliases:add', { pattern: 'old-favourite', target: 'gpt-3' })

  await goTo(page, 'Models')
  await expect(page.getByRole('row').filter({ hasText: 'gpt-4o-mini' })).toBeVisible()
  await show(page, 'models')
  await page.getByRole('row').filter({ hasText: 'llama-4-scout' }).click()
  await show(page, 'model')
  await page.getByRole('button', { name: 'Close panel' }).click()
  await page.getByRole('tab', { name: /Names/ }).click()
  await show(page, 'names')
  await page.getByRole('row').filter({ hasText: 'old-favourite' }).getByRole('button').click()
  await show(page, 'name')
  await lister.stop()
  await local.stop()
})

/** An error as OpenAI writes it. */
const refusal = (status: number, error: object, headers: Record<string, string> = {}): Script => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  steps: [{ kind: 'text', text: JSON.stringify({ error }) }],
})

test('health', async ({ launch }) => {
  const fake = await startFakeUpstream()
  const app = await launch()
  const { page } = app
  const url = await app.url()
  await call(page, 'vault:choose', { kind: 'file' })
  const add = (provider: string, name: string, more: object = {}) =>
    call(page, 'connections:add', { provider, name, apiKey: `sk-${name}-0123456789`, baseUrl: fake.baseUrl, ...more })
  await add('openai', 'work')
  const home = await add('openai', 'home', {
    proxy: 'http://ada:secret@127.0.0.1:3128',
    settings: { maxConcurrent: 4, rateLimitOverrides: { rpm: 60, modelConcurrency: { 'gpt-5': 2 } } },
  })
  await call(page, 'connections:update', { id: home.id, proxy: null })
  await add('deepseek', 'main')
  await add('groq', 'free')
  await add('openrouter', 'main')
  await call(page, 'resilience:change', { key: 'waitForCooldown.enabled', value: false })
  const limited = refusal(429, { message: 'Rate limit reached' }, { 'retry-after': '900' })
  await fake.answer('sk-work-0123456789', 'gpt-5', limited)
  const down = refusal(503, { message: 'The service is down' })
  for (const model of ['llama-4', 'llama-5']) await fake.answer('sk-free-0123456789', model, down)
  await fake.answer('sk-main-0123456789', 'deepseek-chat', refusal(402, { message: 'Insufficient balance' }))
  await fake.answer('sk-main-0123456789', 'some/model', limited)
  await ask(url, 'openai/gpt-5')
  await ask(url, 'deepseek/deepseek-chat')
  await ask(url, 'openrouter/some/model')
  await call(page, 'resilience:change', { key: 'connectionCooldown.apikey.maxBackoffSteps', value: 0 })
  await call(page, 'resilience:change', { key: 'connectionCooldown.apikey.baseCooldownMs', value: 0 })
  await call(page, 'resilience:change', { key: 'providerBreaker.apikey.degradationThreshold', value: 1 })
  await call(page, 'resilience:change', { key: 'providerBreaker.apikey.failureThreshold', value: 2 })
  await ask(url, 'groq/llama-4')
  // What fails within five seconds on one connection is one fault of the provider.
  await page.waitForTimeout(5_500)
  await ask(url, 'groq/llama-5')

  await goTo(page, 'Health')
  await expect(page.getByRole('region', { name: 'Groq' })).toContainText('OPEN')
  await page
    .getByRole('region', { name: 'Groq' })
    .getByText(/change/)
    .click()
  await show(page, 'health')
  await page.getByRole('tab', { name: /Cooldowns/ }).click()
  await page.getByRole('checkbox', { name: 'Select work' }).check()
  await show(page, 'cooldowns')
  await page.getByRole('tab', { name: 'Paste an error' }).click()
  await page.getByRole('button', { name: 'A rate limit with a wait' }).click()
  await expect(page.getByText('The connection rests for 20 s.')).toBeVisible()
  await show(page, 'paste-an-error')

  await goTo(page, 'Overview')
  await show(page, 'overview-out')
  await goTo(page, 'Connections')
  await page.getByRole('button', { name: 'work', exact: true }).click()
  await expect(page.getByRole('region', { name: 'What is held against it' })).toBeVisible()
  await show(page, 'connection-resting')
  await page.getByRole('button', { name: 'home', exact: true }).click()
  await page.getByLabel('Requests at once, by model').scrollIntoViewIfNeeded()
  await show(page, 'connection-limits')
  await page.getByRole('button', { name: 'Close panel' }).click()

  await goTo(page, 'Settings')
  await page.getByRole('tab', { name: 'Resilience' }).click()
  const degraded = page.locator('[data-setting="providerBreaker.oauth.degradationThreshold"]').getByRole('textbox')
  await degraded.fill('8')
  await degraded.press('Enter')
  await expect(page.getByText('Must be less than "Open after, sign-in providers" (8).')).toBeVisible()
  await show(page, 'settings-resilience')
  await page.getByRole('tab', { name: 'Model lockout' }).click()
  await show(page, 'settings-model-lockout')
  await call(page, 'settings:patch', {
    changes: {
      customBannedSignals: ['this account was closed by its owner'],
      providerErrorRules: {
        openai: [
          { status: 429, match: 'weekly cap', scope: 'connection', reason: 'quota_exhausted' },
          { status: 503, match: 'warming up', scope: 'model', reason: 'model_capacity', cooldownMs: 45_000 },
        ],
      },
    },
  })
  await page.getByRole('tab', { name: 'Error rules' }).click()
  await page.getByRole('button', { name: 'weekly cap', exact: true }).click()
  await show(page, 'settings-error-rules')
  await fake.stop()
})

test('combos', async ({ launch }) => {
  const app: TestApp = await launch()
  const { page } = app
  await goTo(page, 'Combos')
  await expect(page.getByText('One name for several models')).toBeVisible()
  await show(page, 'combos-empty')

  await addConnections(page)
  await call(page, 'models:refresh', {})
  const providers = await call(page, 'providers:list')
  const work = providers.flatMap(({ connections }) => connections).find(({ name }) => name === 'work')
  const first = { model: 'openai/small-1', connection: work?.id ?? null }
  const late = { model: 'lab/small-1', fallbackOnlyOnQuotaExhaustion: true }
  await call(page, 'combos:create', { name: 'coding', steps: [first, { model: 'anthropic/claude-sonnet-5' }, late] })
  const shares = [{ model: 'openai/small-1', weight: 3 }, { model: 'lab/small-1' }]
  await call(page, 'combos:create', { name: 'cheap', strategy: 'weighted', steps: shares })
  const practice = [{ model: 'practice/outage' }, { model: 'practice/echo' }]
  await call(page, 'combos:create', { name: 'safe', steps: practice })
  const members = [{ combo: 'cheap' }, { model: 'practice/echo' }, { model: 'practice/slow' }]
  await call(page, 'combos:create', {
    name: 'everything',
    strategy: 'auto',
    config: { connectionAwareExpansion: true },
    steps: members,
  })
  await expect(page.getByRole('row').filter({ hasText: 'everything' })).toBeVisible()
  await show(page, 'combos')
  await page.getByText('Names that need no combo').click()
  await expect(page.getByRole('row').filter({ hasText: 'auto/cheap' }).getByRole('code').last()).toBeVisible()
  await show(page, 'combos-auto')
  await page.getByText('Names that need no combo').click()

  await page.getByRole('button', { name: 'coding', exact: true }).click()
  await expect(page.getByRole('list', { name: 'Who is asked, in this order' })).toBeVisible()
  await show(page, 'combo')
  await page.getByRole('button', { name: 'safe', exact: true }).click()
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(page.getByText(/practice\/echo answered/)).toBeVisible()
  await page.getByRole('button', { name: 'Test every step' }).click()
  await expect(page.getByRole('button', { name: 'Test every step' })).toBeEnabled({ timeout: 30_000 })
  await page.getByRole('button', { name: 'Test every step' }).scrollIntoViewIfNeeded()
  await show(page, 'combo-tried')
  await page.getByRole('button', { name: 'everything', exact: true }).click()
  await expect(page.getByRole('list', { name: 'Who is asked, in this order' })).toBeVisible()
  await page.getByRole('button', { name: /^Strategy/ }).click()
  await show(page, 'combo-strategies')
  await page.keyboard.press('Escape')
  const orderNow = page.getByRole('heading', { name: 'Order right now' })
  await orderNow.evaluate((heading) => heading.scrollIntoView())
  await show(page, 'combo-order')

  for (const [name, five, week] of [
    ['team', '0.62', '0.24'],
    ['spare', '0.91', '0.6'],
  ] as const) {
    const apiKey = `sk-${name}-0123456789abcdef`
    upstream.told.set(apiKey, subscription(five, week))
    const made = await call(page, 'connections:add', { provider: 'new-api', name, apiKey, baseUrl: upstream.baseUrl })
    const steps = [{ model: 'new-api/small-1', connection: made.id }]
    await call(page, 'combos:create', { name: `by-${name}`, steps })
    await ask(await app.url(), `by-${name}`)
  }
  await call(page, 'combos:create', {
    name: 'plans',
    strategy: 'reset-aware',
    config: { connectionAwareExpansion: true },
    steps: [{ model: 'new-api/small-1' }],
  })
  await page.getByRole('button', { name: 'plans', exact: true }).click()
  await expect(page.getByText('91 % used')).toBeVisible()
  await orderNow.evaluate((heading) => heading.scrollIntoView())
  await show(page, 'combo-quotas')
})

test('the first run', async ({ launch }) => {
  const app = await launch({ config: null })
  const { page } = app
  await app.url()
  await expect(page.getByRole('region', { name: 'Key' })).toContainText('bw-')
  await show(page, 'first-run-address')
  await page.getByRole('button', { name: 'Next' }).click()
  await show(page, 'first-run-connection')
  await page.getByRole('radio', { name: /My own account/ }).check()
  await expect(page.getByText(/is running here|No model server/).first()).toBeVisible()
  await show(page, 'first-run-provider')
  await page.getByRole('radio', { name: /Practice/ }).check()
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByRole('button', { name: 'Test', exact: true }).click()
  await expect(page.getByText('It answers')).toBeVisible()
  await show(page, 'first-run-test')
  await page.getByRole('button', { name: 'Next' }).click()
  await expect(page.getByRole('tab').first()).toBeVisible()
  await show(page, 'first-run-tool')
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByLabel('Model').fill('practice/down')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'In the log' })).toBeVisible()
  await show(page, 'first-run-send')
})

test('a gateway that cannot listen', async ({ launch }) => {
  const taken = new URL(upstream.baseUrl).port
  const { page } = await launch({ env: { BREAKWATER_PORT: taken } })
  await expect(page.getByText(`Port ${taken} is in use`).first()).toBeVisible()
  await show(page, 'port-in-use')
})
