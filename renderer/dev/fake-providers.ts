// Providers and connections the fake core starts with. Development only.
import type { QuotaWindowView } from '../../core/contract/quota-views'
import type { ConnectionView, FoundServer, ProviderGroup, ProviderView } from '../../core/contract/views'

const now = Date.now()
const ago = (seconds: number): number => now - seconds * 1000

export const connection = (
  fields: Partial<ConnectionView> & Pick<ConnectionView, 'id' | 'provider' | 'name'>,
): ConnectionView => ({
  baseUrl: null,
  options: {},
  keyMask: 'sk-…4f2a',
  priority: 1,
  enabled: true,
  state: 'healthy',
  why: '',
  since: null,
  until: null,
  locked: false,
  login: null,
  proxy: null,
  settings: {},
  lastUsedAt: ago(20),
  inFlight: 0,
  quota: null,
  createdAt: ago(86_400 * 12),
  ...fields,
})

const quotaWindow = (fields: Partial<QuotaWindowView> & Pick<QuotaWindowView, 'span'>): QuotaWindowView => ({
  counts: null,
  model: null,
  usedPercent: null,
  resetAt: null,
  from: 'headers',
  readAt: ago(14),
  level: 'ok',
  ...fields,
})

export const provider = (fields: Partial<ProviderView> & Pick<ProviderView, 'id' | 'label'>): ProviderView => {
  const dialect = fields.dialect ?? 'openai-chat'
  return {
    aliases: [],
    class: 'apikey',
    group: 'inference',
    dialect,
    dialects: [dialect],
    baseUrl: `https://api.${fields.id}.example/v1`,
    options: [],
    modelsListable: true,
    freeTier: null,
    note: null,
    source: { url: `https://docs.${fields.id}.example`, tried: false },
    builtIn: true,
    needsKey: true,
    keyHint: 'sk-…',
    docsUrl: 'https://example.com/keys',
    signIn: null,
    state: 'off',
    why: 'no connection yet',
    since: null,
    until: null,
    connections: [],
    ...fields,
  }
}

const practice = (): ProviderView =>
  provider({
    id: 'practice',
    label: 'Practice',
    class: 'local',
    baseUrl: '',
    needsKey: false,
    keyHint: '',
    docsUrl: null,
    state: 'healthy',
    connections: [
      connection({ id: 'p1', provider: 'practice', name: 'first', keyMask: null, lastUsedAt: ago(4000) }),
      connection({ id: 'p2', provider: 'practice', name: 'second', keyMask: null, priority: 2, lastUsedAt: null }),
    ],
  })

/** "id|label|group|aliases|free": enough rows for the list to be searched. */
const ROWS = `
mistral|Mistral AI|lab||Free: a plan for trying things out, with low limits.
google|Google AI Studio (Gemini)|lab|gemini, google-ai-studio|Free: some models, with limits a day.
xai|xAI (Grok)|lab|grok|
cohere|Cohere|lab||
bedrock|Amazon Bedrock|cloud|aws|
vertex|Google Vertex AI|cloud|vertex-ai|
groq|Groq|inference||Free: every model, with limits a day.
cerebras|Cerebras|inference||Free: a number of tokens a day.
together|Together AI|inference||
fireworks|Fireworks AI|inference||
deepinfra|DeepInfra|inference||
requesty|Requesty|aggregator||
vercel|Vercel AI Gateway|aggregator|ai-gateway|
deepseek|DeepSeek|china||
zai|Z.ai (GLM)|china|glm, zhipu|Free: some smaller models.
moonshot|Moonshot AI (Kimi)|china|kimi|
siliconflow|SiliconFlow|china||Free: some smaller models.`

const listed = (): ProviderView[] =>
  ROWS.trim()
    .split('\n')
    .map((row) => {
      const [id = '', label = '', group = 'inference', aliases = '', freeTier = ''] = row.split('|')
      return provider({
        ...{ id, label },
        group: group as ProviderGroup,
        aliases: aliases === '' ? [] : aliases.split(', '),
        freeTier: freeTier === '' ? null : freeTier.replace('Free: ', ''),
      })
    })

const azure = (): ProviderView =>
  provider({
    id: 'azure',
    label: 'Azure OpenAI',
    group: 'cloud',
    aliases: ['azure-openai'],
    dialects: ['openai-chat', 'openai-responses'],
    baseUrl: 'https://{resource}.openai.azure.com/openai/v1',
    options: [
      {
        key: 'resource',
        label: 'Resource name',
        help: 'The first part of https://NAME.openai.azure.com.',
        default: null,
        required: true,
      },
      {
        key: 'apiVersion',
        label: 'API version',
        help: 'A date, often with "-preview" behind it: 2024-10-21.',
        default: '2024-10-21',
        required: false,
      },
    ],
  })

const subscription = (): ProviderView =>
  provider({
    id: 'claude',
    label: 'Claude subscription',
    class: 'oauth',
    group: 'lab',
    dialect: 'anthropic',
    aliases: ['claude-code', 'anthropic-oauth'],
    keyHint: 'an access token',
    signIn: { authorizeUrl: null, deviceUrl: null, tokenUrl: null, clientId: null },
    modelsListable: false,
    note: 'Anthropic documents subscriptions for its own programs only: ask whether your plan allows this use.',
  })

export const foundServers = (): FoundServer[] => [
  { provider: 'ollama', baseUrl: 'http://127.0.0.1:11434/v1', models: ['llama4', 'qwen3:8b'], already: false },
]

export const bareProviders = (): ProviderView[] => [
  provider({ id: 'openai', label: 'OpenAI', group: 'lab', baseUrl: 'https://api.openai.com/v1' }),
  provider({
    id: 'anthropic',
    label: 'Anthropic',
    group: 'lab',
    dialect: 'anthropic',
    baseUrl: 'https://api.anthropic.com/v1',
    keyHint: 'sk-ant-…',
  }),
  provider({
    id: 'openrouter',
    label: 'OpenRouter',
    group: 'aggregator',
    freeTier: 'models that end in ":free", with limits a day.',
    baseUrl: 'https://openrouter.ai/api/v1',
    keyHint: 'sk-or-…',
  }),
  provider({
    id: 'ollama',
    label: 'Ollama',
    group: 'local',
    class: 'local',
    needsKey: false,
    keyHint: 'not needed on this machine',
    baseUrl: 'http://127.0.0.1:11434/v1',
  }),
  ...listed(),
  azure(),
  subscription(),
  practice(),
]

export const busyProviders = (): ProviderView[] => {
  const rest = new Date(now + 47_000).toLocaleTimeString('en-GB')
  const filled: Record<string, Partial<ProviderView>> = {
    openai: {
      state: 'healthy',
      connections: [
        connection({
          ...{ id: 'c1', provider: 'openai', name: 'work', inFlight: 2, lastUsedAt: ago(2) },
          quota: {
            windows: [
              quotaWindow({ span: '5h', usedPercent: 86, resetAt: now + 5_400_000, level: 'low' }),
              quotaWindow({ span: '7d', usedPercent: 31, resetAt: now + 4 * 86_400_000 }),
              quotaWindow({
                span: 'minute',
                counts: 'tokens',
                model: 'gpt-5.1',
                usedPercent: 12,
                resetAt: now + 42_000,
              }),
            ],
            ...{ money: null, refused: false, page: null },
          },
        }),
        connection({
          id: 'c2',
          provider: 'openai',
          name: 'home',
          keyMask: 'sk-…91bc',
          priority: 2,
          lastUsedAt: ago(86_400 * 2),
        }),
      ],
    },
    anthropic: {
      state: 'needs-you',
      dialect: 'anthropic',
      why: 'The only key was refused.',
      connections: [
        connection({
          id: 'c3',
          provider: 'anthropic',
          name: 'claude team',
          keyMask: 'sk-ant-…77d0',
          state: 'needs-you',
          why: 'The key was refused (401) at 09:12. Enter a new one.',
          lastUsedAt: ago(5400),
        }),
      ],
    },
    claude: {
      state: 'needs-you',
      why: 'account: Sign in again: the provider refused the refresh token.',
      connections: [
        connection({
          id: 'c8',
          provider: 'claude',
          name: 'account',
          keyMask: null,
          state: 'needs-you',
          why: 'Sign in again: the provider refused the refresh token (invalid_grant).',
          login: {
            state: 'needs-sign-in',
            expiresAt: ago(600),
            why: 'Sign in again: the provider refused the refresh token (invalid_grant).',
            again: ['code'],
          },
          lastUsedAt: ago(700),
        }),
      ],
    },
    openrouter: {
      state: 'strained',
      why: '1 of 3 connections rests; the others answer.',
      connections: [
        connection({
          id: 'c4',
          provider: 'openrouter',
          name: 'main',
          keyMask: 'sk-or-…a0c1',
          state: 'resting',
          why: `Too many requests (429). Rests until ${rest}.`,
        }),
        connection({
          id: 'c5',
          provider: 'openrouter',
          quota: {
            windows: [
              quotaWindow({
                ...{ span: 'monthly', counts: 'dollars', from: 'provider', readAt: ago(130) },
                ...{ usedPercent: 100, resetAt: now + 2 * 86_400_000, level: 'spent' },
              }),
            ],
            ...{ money: null, refused: false },
            page: { readAt: ago(130), failure: { why: 'https://openrouter.ai answered 503', at: ago(40) } },
          },
          name: 'spare with a rather long name for a key',
          keyMask: 'sk-or-…ff02',
          priority: 2,
          inFlight: 1,
        }),
        connection({
          id: 'c6',
          provider: 'openrouter',
          name: 'old',
          keyMask: 'sk-or-…0003',
          priority: 3,
          enabled: false,
          state: 'off',
          why: 'Switched off.',
          lastUsedAt: null,
        }),
      ],
    },
  }
  return [
    ...bareProviders().map((each) => ({ ...each, ...filled[each.id] })),
    provider({
      id: 'lab',
      label: 'Lab server',
      group: 'own',
      builtIn: false,
      needsKey: false,
      docsUrl: null,
      baseUrl: 'http://10.0.0.12:8000/v1',
      state: 'healthy',
      connections: [connection({ id: 'c7', provider: 'lab', name: 'rack 2', keyMask: null })],
    }),
    provider({
      id: 'empty-endpoint',
      label: 'Empty endpoint',
      group: 'own',
      builtIn: false,
      baseUrl: 'https://llm.example.org/v1',
    }),
  ]
}
