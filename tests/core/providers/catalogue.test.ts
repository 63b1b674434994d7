// What must hold for every row of the catalogue, and for the providers that the failure rules name.
import { describe, expect, it } from 'vitest'
import type { Dialect } from '../../../core/contract/kinds'
import { ProviderView } from '../../../core/contract/views'
import { providerView } from '../../../core/management/views'
import { normalizeBaseUrl } from '../../../core/providers/base-url'
import { builtInIds, builtInRow, CATALOGUE, customRow, PRACTICE_ID } from '../../../core/providers/catalogue'
import { checkOptions, fillOptions } from '../../../core/providers/options'
import { mainDialect, type ProviderRow } from '../../../core/providers/provider-row'
import { Activity } from '../../../core/resilience/activity'
import { sampleOptions } from './sample-options'

const rows = CATALOGUE.map((row) => [row.id, row] as const)
const bases = (row: ProviderRow): [Dialect, string][] =>
  (Object.entries(row.endpoints) as [Dialect, string][]).filter(([, base]) => base !== '')
const named = (id: string): ProviderRow => {
  const row = builtInRow(id)
  if (row === undefined) throw new Error(`no provider ${id}`)
  return row
}
const placeholders = (text: string): string[] => [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '')
const textsOf = (row: ProviderRow): string[] => [
  ...bases(row).map(([, base]) => base),
  ...Object.values(row.paths),
  row.query,
  ...row.headers.map(([, value]) => value),
  row.modelsPath ?? '',
  row.keyCheckPath ?? '',
]

describe('the catalogue', () => {
  it('knows at least fifty providers besides practice', () => {
    expect(CATALOGUE.filter(({ id }) => id !== PRACTICE_ID).length).toBeGreaterThanOrEqual(50)
  })

  it('gives each name once: no id is an alias, and no alias belongs to two', () => {
    const names = CATALOGUE.flatMap(({ id, aliases }) => [id, ...aliases])
    expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([])
    for (const name of names) expect(name).toMatch(/^[a-z0-9][a-z0-9-]{0,39}$/)
  })

  it('gives each label once', () => {
    const labels = CATALOGUE.map(({ label }) => label)
    expect(new Set(labels).size).toBe(labels.length)
  })

  it('begins with the providers that most people look for', () => {
    expect(CATALOGUE.slice(0, 3).map(({ id }) => id)).toEqual(['openai', 'anthropic', 'gemini'])
  })
})

describe.each(rows)('the row of %s', (_id, row) => {
  it('has addresses that are whole once its options are given', () => {
    for (const [, base] of bases(row)) {
      const filled = fillOptions(row, base, sampleOptions(row))
      const url = new URL(filled)
      expect(filled).not.toMatch(/[{}]/)
      expect(url.href.replace(/\/$/, '')).toBe(filled)
      expect([url.search, url.hash, url.username]).toEqual(['', '', ''])
      if (row.localPort === null) expect(url.protocol).toBe('https:')
      else expect(url.origin).toBe(`http://127.0.0.1:${row.localPort}`)
    }
  })

  it('asks for the options that its texts name, and for no others', () => {
    const used = new Set(textsOf(row).flatMap(placeholders))
    used.delete('model')
    expect([...used].sort()).toEqual(row.options.map(({ key }) => key).sort())
    expect(checkOptions(row, sampleOptions(row))).toEqual(sampleOptions(row))
  })

  it('has option patterns for the whole value, with a fitting default', () => {
    for (const { pattern, default: usual } of row.options) {
      expect(pattern.source).toMatch(/^\^.*\$$/)
      expect(pattern.flags).toBe('')
      if (usual !== null) expect(usual).toMatch(pattern)
      for (const bad of ['', ' ', '/', 'a/b', 'a?b', 'a#b', 'a@b', 'a:b', 'a%b', '..', '.', 'a\n', 'ä']) {
        expect(pattern.test(bad), bad).toBe(false)
      }
    }
  })

  it('would be the same if a person entered its address by hand', () => {
    const base = row.endpoints[mainDialect(row)] ?? ''
    if (base === '' || base.includes('{')) return
    expect(normalizeBaseUrl(base, mainDialect(row))).toBe(base)
  })

  it('lists and checks at an https address or at its own', () => {
    for (const path of [row.modelsPath, row.keyCheckPath]) {
      if (path === null || path.startsWith('/')) continue
      expect(new URL(fillOptions(row, path, sampleOptions(row))).protocol).toBe('https:')
    }
    if (row.publicModels) expect(row.modelsPath).not.toBeNull()
  })

  it('names only dialects it speaks, for paths and for single models', () => {
    const spoken = Object.keys(row.endpoints)
    expect(spoken).not.toEqual([])
    for (const dialect of Object.keys(row.paths)) expect(spoken).toContain(dialect)
    for (const { dialects } of row.modelDialects) for (const dialect of dialects) expect(spoken).toContain(dialect)
  })

  it('says where its facts come from, on pages a browser may open', () => {
    for (const link of [row.docsUrl, row.id === PRACTICE_ID ? null : row.source.url]) {
      if (link !== null) expect(new URL(link).protocol).toBe('https:')
    }
  })

  it('is shown with its group, dialects and options', () => {
    const view = ProviderView.parse(providerView({ row, connections: [] }, new Activity(() => {})))
    expect(view).toMatchObject({ id: row.id, group: row.group, dialect: mainDialect(row) })
    expect(view.dialects[0]).toBe(view.dialect)
    expect(view.options.map(({ key }) => key)).toEqual(row.options.map(({ key }) => key))
  })
})

describe('a provider that the failure rules name', () => {
  const NAMES =
    'openai anthropic gemini codex cx claude antigravity agy gemini-cloudcode github-copilot github glm zhipu zai ' +
    'opencode opencode-zen opencode-go opencode-cli agentrouter minimax cloudflare-ai openrouter groq cerebras nvidia ' +
    'xai mistral deepseek moonshot kimi dashscope qwen azure bedrock vertex perplexity ollama ollama-cloud lmstudio ' +
    'together huggingface modelscope new-api claude-relay'

  it.each(NAMES.split(' '))('%s is in the catalogue', (name) => {
    expect(builtInRow(name)).toBeDefined()
  })

  it('is the same by its other names', () => {
    expect(named('zhipu')).toBe(named('glm'))
    expect(named('gemini-cloudcode')).toBe(named('antigravity'))
    expect(named('google')).toBe(named('gemini'))
    expect(named('opencode')).toBe(named('opencode-zen'))
    expect(named('cx')).toBe(named('codex'))
  })

  it('keeps limits per model where it does', () => {
    for (const id of ['antigravity', 'codex', 'gemini', 'github-copilot', 'openrouter', 'nvidia', 'opencode-zen'])
      expect(named(id).perModelQuota, id).toBe(true)
    for (const id of ['openai', 'anthropic', 'claude']) expect(named(id).perModelQuota, id).toBe(false)
  })

  it('of Codex has two families of models, and every model belongs to one', () => {
    const familyOf = (model: string) =>
      named('codex').quotaFamilies.find(({ models }) => models.test(model))?.family ?? null
    expect(familyOf('gpt-5.3-codex-spark')).toBe('spark')
    expect(familyOf('gpt-5.3-codex')).toBe('codex')
    expect(familyOf('gpt-5')).toBe('codex')
  })

  it('may be read in full, or have the scope of its rules acted upon, only where the row allows it', () => {
    const ids = (wanted: (row: ProviderRow) => boolean) => CATALOGUE.filter(wanted).map(({ id }) => id)
    expect(ids((row) => row.fullTextRules)).toEqual(['agentrouter'])
    expect(ids((row) => row.honorsRuleScope)).toEqual(['opencode-zen', 'opencode-go', 'agentrouter'])
    for (const id of ['opencode-zen', 'opencode-go']) expect(named(id).egressLimited).toBe(true)
  })

  it('has its own midnight where its quotas end by it', () => {
    expect(named('gemini').quotaTimeZone).toBe('America/Los_Angeles')
    expect(named('glm').quotaTimeZone).toBe('Asia/Shanghai')
    for (const { quotaTimeZone } of CATALOGUE) {
      if (quotaTimeZone !== null) expect(() => new Intl.DateTimeFormat('en', { timeZone: quotaTimeZone })).not.toThrow()
    }
  })

  it('takes the newer name of the limit of output tokens only where it wants it', () => {
    const ids = CATALOGUE.filter((row) => row.maxTokensField === 'max_completion_tokens').map(({ id }) => id)
    expect(ids).toEqual(['openai', 'azure', 'azure-deployments', 'azure-foundry'])
  })
})

describe('a subscription', () => {
  it('has no sign-in of its own: what its maker does not document is not built in', () => {
    const accounts = CATALOGUE.filter((row) => row.class === 'oauth')
    expect(accounts.map(({ id }) => id)).toEqual(['claude', 'codex', 'antigravity', 'github-copilot'])
    for (const { oauth } of accounts) {
      expect(oauth).toEqual({ authorizeUrl: null, deviceUrl: null, tokenUrl: null, clientId: null, scopes: [] })
    }
  })
})

describe('a provider of the user’s own', () => {
  it.each(['openai-chat', 'openai-responses', 'anthropic', 'gemini'] as const)('may speak %s', (dialect) => {
    const row = customRow({ id: 'a', label: 'A', class: 'apikey', dialect, baseUrl: 'http://b:1', perModelQuota: true })
    expect(row).toMatchObject({ group: 'own', builtIn: false, endpoints: { [dialect]: 'http://b:1' }, options: [] })
    expect(builtInIds.has('a')).toBe(false)
  })
})
