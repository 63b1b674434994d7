// Combos the fake core starts with, and what it would say of their order. Development only.
import type { ComboExplanation, ComboView } from '../../core/contract/combo-views'

const now = Date.now()
const ago = (seconds: number): number => now - seconds * 1000

type Step = ComboView['steps'][number]
export const step = (fields: Partial<Step>): Step => ({
  model: null,
  combo: null,
  weight: 1,
  connection: null,
  allowedConnections: null,
  prompt: null,
  fallbackOnlyOnQuotaExhaustion: false,
  ...fields,
})

export const combo = (fields: Partial<ComboView> & Pick<ComboView, 'id' | 'name'>): ComboView => ({
  strategy: 'priority',
  config: {},
  steps: [],
  usedBy: [],
  warnings: [],
  createdAt: ago(86_400),
  updatedAt: ago(3600),
  ...fields,
})

export const combos = (): ComboView[] => [
  combo({
    id: 'b1',
    name: 'coding',
    config: { maxRetries: 2, connectionAwareExpansion: true },
    steps: [
      step({ model: 'openai/gpt-5.1', connection: 'c1' }),
      step({ model: 'anthropic/claude-sonnet-5' }),
      step({ model: 'openrouter/qwen/qwen3-coder-480b', fallbackOnlyOnQuotaExhaustion: true }),
    ],
    warnings: [{ step: 1, message: 'Anthropic has no connection that can be used.' }],
  }),
  combo({
    id: 'b2',
    name: 'cheap',
    strategy: 'weighted',
    usedBy: ['everything'],
    steps: [
      step({ model: 'openai/gpt-5.1-mini', weight: 3 }),
      step({ model: 'lab/llama-4-scout', weight: 1 }),
      step({ model: 'openrouter/*-mini', weight: 0.5, allowedConnections: ['c4', 'c5'] }),
    ],
  }),
  combo({
    id: 'b3',
    name: 'spread',
    strategy: 'headroom',
    config: { connectionAwareExpansion: true },
    steps: [step({ model: 'openai/gpt-5.1' }), step({ model: 'openrouter/qwen/qwen3-coder-480b' })],
  }),
  combo({
    id: 'b4',
    name: 'everything',
    strategy: 'auto',
    config: { weights: { quota: 0.4, latencyInv: 0.6 } },
    steps: [step({ combo: 'cheap' }), step({ model: 'lab/llama-4-scout' })],
  }),
  combo({
    id: 'b5',
    name: 'review-and-write',
    strategy: 'pipeline',
    steps: [
      step({ model: 'anthropic/claude-sonnet-5', prompt: 'Make a plan. Write no code.' }),
      step({ model: 'gpt-3', prompt: 'Write the code.' }),
    ],
    warnings: [
      { step: null, message: 'None of its steps can be used now.' },
      { step: 0, message: 'Anthropic has no connection that can be used.' },
      { step: 1, message: 'No provider lists "gpt-3".' },
    ],
  }),
]

const left = (model: string): ComboExplanation['excluded'][number] | null => {
  if (model.startsWith('anthropic/'))
    return {
      ...{
        provider: 'anthropic',
        model: model.slice(10),
        connection: 'claude team',
        gate: 'terminal',
        reason: 'auth_error',
        via: [],
      },
      ...{ why: 'The key was refused (401) at 09:12. Enter a new one.', until: null },
    }
  return model.startsWith('openrouter/')
    ? {
        ...{ provider: 'openrouter', model: model.slice(11), connection: 'main', gate: 'cooldown', via: [] },
        ...{
          reason: 'rate_limit_exceeded',
          why: 'main rests after too many requests (429)',
          until: Date.now() + 47_000,
        },
      }
    : null
}

const PARTS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  headroom: { headroom: 0.62 },
  auto: { quota: 0.62, health: 1, costInv: 0.4, latencyInv: 0.8, taskFit: 0.5, stability: 0.9 },
}

export function explanation({ strategy, steps }: ComboView): ComboExplanation {
  const models = steps.flatMap(({ model, weight }) => (model === null ? [] : [{ model, weight }]))
  const excluded = models.flatMap(({ model }) => left(model) ?? [])
  const ordered = models
    .filter(({ model }) => left(model) === null)
    .map(({ model, weight }, place) => {
      const [provider = '', ...rest] = model.split('/')
      const parts = strategy === 'weighted' ? { weight } : (PARTS[strategy] ?? {})
      const score = strategy === 'headroom' || strategy === 'auto' ? 0.62 - place / 10 : null
      const connection = strategy === 'headroom' ? 'work' : null
      const stays =
        strategy === 'headroom' && place === 0
          ? { why: 'One conversation stays with it, which it answered last.', until: Date.now() + 540_000 }
          : null
      return { provider, model: rest.join('/'), connection, score, parts, reserve: false, via: [], stays }
    })
  return { ordered, excluded, dropped: [] }
}
