// Made-up models and names for the fake core. Development only.
import type { FactName } from '../../core/contract/model-facts'
import type { AliasView, ModelListState, ModelView } from '../../core/contract/model-views'

const now = Date.now()
const ago = (seconds: number): number => now - seconds * 1000

type Facts = ModelView['facts']
type Said = Partial<Record<FactName, number | boolean>>

export const NO_FACTS: Facts = {
  contextWindow: null,
  maxOutput: null,
  inputPrice: null,
  outputPrice: null,
  cacheReadPrice: null,
  cacheWritePrice: null,
  tools: null,
  images: null,
  reasoning: null,
}

const from = (source: 'user' | 'provider' | 'table', said: Said): Facts =>
  Object.fromEntries(Object.entries(said).map(([name, value]) => [name, { value, source, at: ago(5400) }])) as Facts

export function model(provider: string, name: string, fields: Partial<ModelView> = {}): ModelView {
  return {
    provider,
    model: name,
    id: `${provider}/${name}`,
    label: name,
    added: false,
    hidden: false,
    edited: false,
    embeds: false,
    ...fields,
    facts: { ...NO_FACTS, ...fields.facts },
  }
}

const big: Said = { contextWindow: 400_000, maxOutput: 128_000, tools: true, images: true, reasoning: true }

const named = (): ModelView[] => [
  model('openai', 'gpt-5.1', {
    label: 'GPT-5.1',
    facts: { ...NO_FACTS, ...from('table', { ...big, inputPrice: 1.25, outputPrice: 10, cacheReadPrice: 0.125 }) },
  }),
  model('openai', 'gpt-5.1-mini', {
    label: 'GPT-5.1 mini',
    edited: true,
    facts: {
      ...NO_FACTS,
      ...from('table', { ...big, inputPrice: 0.25, outputPrice: 2 }),
      ...from('user', { contextWindow: 200_000 }),
    },
  }),
  model('openai', 'text-embedding-3-large', {
    embeds: true,
    facts: { ...NO_FACTS, ...from('table', { inputPrice: 0.13 }) },
  }),
  model('openai', 'whisper-1', { hidden: true, edited: true }),
  model('anthropic', 'claude-sonnet-5', {
    label: 'Claude Sonnet 5',
    facts: { ...NO_FACTS, ...from('table', { ...big, contextWindow: 200_000, inputPrice: 3, outputPrice: 15 }) },
  }),
  model('lab', 'llama-4-scout', {
    added: true,
    edited: true,
    facts: { ...NO_FACTS, ...from('user', { contextWindow: 131_072, inputPrice: 0, outputPrice: 0 }) },
  }),
  model('openrouter', 'qwen/qwen3-coder-480b', {
    label: 'Qwen3 Coder 480B',
    facts: {
      ...NO_FACTS,
      ...from('provider', { contextWindow: 262_144, inputPrice: 0.3, outputPrice: 1.2, tools: true }),
    },
  }),
]

/** As many as a large aggregator lists. */
const many = (count: number): ModelView[] =>
  Array.from({ length: count }, (_, index) =>
    model('openrouter', `maker-${index % 40}/model-${index}`, {
      facts: {
        ...NO_FACTS,
        ...from('provider', {
          contextWindow: 8192 * (1 + (index % 16)),
          inputPrice: (index % 30) / 10,
          tools: index % 3 > 0,
        }),
      },
    }),
  )

export const models = (count: number): ModelView[] =>
  [...named(), ...many(count)].sort((a, b) => (a.id < b.id ? -1 : 1))

export const lists = (): ModelListState[] => [
  {
    provider: 'anthropic',
    address: 'https://api.anthropic.com/v1',
    fetchedAt: ago(86_400 * 3),
    count: 1,
    why: 'Not fetched: the provider refused the key (401).',
  },
  {
    provider: 'lab',
    address: 'http://10.0.0.12:8000/v1',
    fetchedAt: null,
    count: 0,
    why: 'Not fetched: nothing answers at 10.0.0.12:8000.',
  },
  { provider: 'openai', address: 'https://api.openai.com/v1', fetchedAt: ago(720), count: 4, why: '' },
  { provider: 'openrouter', address: 'https://openrouter.ai/api/v1', fetchedAt: ago(4300), count: 341, why: '' },
]

const alias = (fields: Partial<AliasView> & Pick<AliasView, 'id' | 'pattern' | 'target'>): AliasView => ({
  kind: /[*?]/.test(fields.pattern) ? 'pattern' : 'name',
  clientKeyId: null,
  clientKey: null,
  resolvesTo: fields.target,
  broken: null,
  createdAt: ago(86_400),
  ...fields,
})

export const aliases = (): AliasView[] => [
  alias({ id: 'a1', pattern: 'claude-*', target: 'openrouter/qwen/qwen3-coder-480b' }),
  alias({ id: 'a2', pattern: 'fast', target: 'openai/gpt-5.1-mini', clientKeyId: 'k2', clientKey: 'Claude Code' }),
  alias({
    id: 'a3',
    pattern: 'old',
    target: 'mistral/mistral-large',
    resolvesTo: null,
    broken: 'There is no provider "mistral" with a connection.',
  }),
]
