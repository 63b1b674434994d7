// The world all strategies are put into: ten providers of the catalogue, forty connections, and what goes wrong in one
// day.

export interface ModelSpec {
  readonly model: string
  /** US dollars for a million tokens. */
  readonly inputPrice: number
  readonly outputPrice: number
  readonly contextWindow: number
  /** Until the first content, on a quiet hour. */
  readonly firstMs: number
  /** For each token of the answer. */
  readonly tokenMs: number
}

/** Hours of the day. */
interface Span {
  readonly from: number
  readonly to: number
}

export type Trouble = Span &
  (
    | { readonly kind: 'unavailable' | 'unreachable' | 'hanging' | 'overloaded' }
    | { readonly kind: 'model-down' | 'model-gone'; readonly model: string }
    /** `connection`: its place among those of the provider. */
    | { readonly kind: 'key-dead' | 'no-money'; readonly connection: number }
    | { readonly kind: 'slow'; readonly factor: number }
  )

export interface ProviderSpec {
  readonly id: string
  readonly connections: number
  readonly models: readonly ModelSpec[]
  /** Of each connection. */
  readonly requestsPerMinute: number
  /** Share of requests that fail for no reason. */
  readonly flakiness: number
  /** How many times slower it is at its worst hour, and when that is. */
  readonly peak: { readonly factor: number; readonly at: number }
  /** Spread of latencies, as of the logarithm. */
  readonly noise: number
  /** Tokens that fit into five hours and a week; null: no allowances. */
  readonly quota: { readonly fiveHours: number; readonly week: number } | null
  readonly troubles: readonly Trouble[]
}

const model = (
  name: string,
  [inputPrice, outputPrice]: readonly [number, number],
  contextWindow: number,
  [firstMs, tokenMs]: readonly [number, number],
): ModelSpec => ({ model: name, inputPrice, outputPrice, contextWindow, firstMs, tokenMs })

const minutes = (from: number, length: number): Span => ({ from, to: from + length / 60 })

/** In the order of the combo's list: accounts first, then keys, as most people would. */
export const PROVIDERS: readonly ProviderSpec[] = [
  {
    id: 'claude',
    connections: 4,
    models: [model('claude-sonnet-4-5', [3, 15], 200_000, [900, 14])],
    ...{ requestsPerMinute: 15, flakiness: 0.003, noise: 0.35, peak: { factor: 1.8, at: 16 } },
    quota: { fiveHours: 1_500_000, week: 6_000_000 },
    troubles: [{ kind: 'slow', factor: 3, ...minutes(15, 90) }],
  },
  {
    id: 'codex',
    connections: 4,
    models: [model('gpt-5-codex', [1.25, 10], 272_000, [1_300, 12])],
    ...{ requestsPerMinute: 15, flakiness: 0.004, noise: 0.4, peak: { factor: 1.6, at: 17 } },
    quota: { fiveHours: 1_200_000, week: 5_000_000 },
    troubles: [{ kind: 'unavailable', ...minutes(6.5, 15) }],
  },
  {
    id: 'anthropic',
    connections: 4,
    models: [model('claude-sonnet-4-5', [3, 15], 200_000, [850, 13])],
    ...{ requestsPerMinute: 20, flakiness: 0.003, noise: 0.3, peak: { factor: 1.7, at: 16 } },
    quota: null,
    troubles: [{ kind: 'overloaded', ...minutes(16.5, 20) }],
  },
  {
    id: 'openai',
    connections: 6,
    models: [model('gpt-5', [1.25, 10], 400_000, [1_100, 11]), model('gpt-5-mini', [0.25, 2], 400_000, [600, 7])],
    ...{ requestsPerMinute: 30, flakiness: 0.002, noise: 0.3, peak: { factor: 1.5, at: 18 } },
    quota: null,
    troubles: [
      { kind: 'unavailable', ...minutes(9.2, 30) },
      { kind: 'key-dead', connection: 2, from: 10, to: 24 },
      { kind: 'slow', factor: 2.5, ...minutes(19, 120) },
    ],
  },
  {
    id: 'gemini',
    connections: 5,
    models: [
      model('gemini-3-pro', [2, 12], 1_048_576, [1_200, 9]),
      model('gemini-3-flash', [0.3, 2.5], 1_048_576, [450, 5]),
    ],
    ...{ requestsPerMinute: 10, flakiness: 0.006, noise: 0.45, peak: { factor: 2, at: 14 } },
    quota: null,
    troubles: [{ kind: 'model-down', model: 'gemini-3-flash', ...minutes(11, 60) }],
  },
  {
    id: 'groq',
    connections: 4,
    models: [model('llama-3.3-70b-versatile', [0.59, 0.79], 131_072, [220, 3])],
    ...{ requestsPerMinute: 20, flakiness: 0.004, noise: 0.35, peak: { factor: 1.3, at: 14 } },
    quota: null,
    troubles: [{ kind: 'unreachable', ...minutes(14, 12) }],
  },
  {
    id: 'mistral',
    connections: 3,
    models: [model('mistral-large-latest', [0.5, 1.5], 131_072, [500, 8])],
    ...{ requestsPerMinute: 20, flakiness: 0.004, noise: 0.3, peak: { factor: 1.4, at: 12 } },
    quota: null,
    troubles: [{ kind: 'hanging', ...minutes(20, 20) }],
  },
  {
    id: 'deepseek',
    connections: 3,
    models: [model('deepseek-chat', [0.28, 0.42], 131_072, [1_400, 18])],
    ...{ requestsPerMinute: 60, flakiness: 0.04, noise: 0.6, peak: { factor: 2.5, at: 7 } },
    quota: null,
    troubles: [{ kind: 'no-money', connection: 1, from: 13, to: 24 }],
  },
  {
    id: 'openrouter',
    connections: 4,
    models: [model('qwen/qwen3-coder', [0.22, 1], 262_144, [800, 9])],
    ...{ requestsPerMinute: 20, flakiness: 0.015, noise: 0.5, peak: { factor: 1.8, at: 17 } },
    quota: null,
    troubles: [{ kind: 'model-gone', model: 'qwen/qwen3-coder', ...minutes(3, 45) }],
  },
  {
    id: 'xai',
    connections: 3,
    models: [model('grok-4', [3, 15], 256_000, [1_500, 13])],
    ...{ requestsPerMinute: 20, flakiness: 0.01, noise: 0.4, peak: { factor: 1.5, at: 19 } },
    quota: null,
    troubles: [
      { kind: 'unavailable', ...minutes(22, 8) },
      { kind: 'key-dead', connection: 0, from: 5, to: 12 },
    ],
  },
]

/** The person's own network is gone: nobody can be reached. */
export const OFFLINE: Span = minutes(17.75, 3)

export const isDuring = ({ from, to }: Span, hour: number): boolean => hour >= from && hour < to
