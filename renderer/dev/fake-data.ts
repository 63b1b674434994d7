// What the fake core starts with. Development only.
import { SETTINGS } from '../../core/contract/settings'
import type {
  ClientKeyView,
  ConnectionView,
  GatewayStatus,
  ListenerState,
  ProviderView,
  SettingView,
  VaultView,
} from '../../core/contract/views'

const now = Date.now()
const ago = (seconds: number): number => now - seconds * 1000

const connection = (
  fields: Partial<ConnectionView> & Pick<ConnectionView, 'id' | 'provider' | 'name'>,
): ConnectionView => ({
  baseUrl: null,
  keyMask: 'sk-…4f2a',
  priority: 1,
  enabled: true,
  state: 'healthy',
  why: '',
  locked: false,
  lastUsedAt: ago(20),
  inFlight: 0,
  createdAt: ago(86_400 * 12),
  ...fields,
})

const provider = (fields: Partial<ProviderView> & Pick<ProviderView, 'id' | 'label'>): ProviderView => ({
  class: 'apikey',
  dialect: 'openai-chat',
  baseUrl: `https://api.${fields.id}.example/v1`,
  builtIn: true,
  needsKey: true,
  keyHint: 'sk-…',
  docsUrl: 'https://example.com/keys',
  state: 'off',
  why: '',
  connections: [],
  ...fields,
})

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

export const bareProviders = (): ProviderView[] => [
  provider({ id: 'openai', label: 'OpenAI', baseUrl: 'https://api.openai.com/v1' }),
  provider({
    id: 'anthropic',
    label: 'Anthropic',
    dialect: 'anthropic',
    baseUrl: 'https://api.anthropic.com/v1',
    keyHint: 'sk-ant-…',
  }),
  provider({ id: 'openrouter', label: 'OpenRouter', baseUrl: 'https://openrouter.ai/api/v1', keyHint: 'sk-or-…' }),
  provider({
    id: 'ollama',
    label: 'Ollama',
    class: 'local',
    needsKey: false,
    keyHint: 'not needed on this machine',
    baseUrl: 'http://127.0.0.1:11434/v1',
  }),
  practice(),
]

export const busyProviders = (): ProviderView[] => {
  const rest = new Date(now + 47_000).toLocaleTimeString('en-GB')
  const filled: Record<string, Partial<ProviderView>> = {
    openai: {
      state: 'healthy',
      connections: [
        connection({ id: 'c1', provider: 'openai', name: 'work', inFlight: 2, lastUsedAt: ago(2) }),
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
      builtIn: false,
      needsKey: false,
      docsUrl: null,
      baseUrl: 'http://10.0.0.12:8000/v1',
      state: 'healthy',
      connections: [connection({ id: 'c7', provider: 'lab', name: 'rack 2', keyMask: null })],
    }),
    provider({ id: 'empty-endpoint', label: 'Empty endpoint', builtIn: false, baseUrl: 'https://llm.example.org/v1' }),
  ]
}

export const keys = (): ClientKeyView[] => [
  { id: 'k1', name: 'main', mask: 'bw-…c41e', scopes: [], createdAt: ago(600), lastUsedAt: ago(12), copyable: true },
  {
    id: 'k2',
    name: 'Claude Code',
    mask: 'bw-…09af',
    scopes: [],
    createdAt: ago(86_400 * 9),
    lastUsedAt: ago(400),
    copyable: false,
  },
  {
    id: 'k3',
    name: 'deploy script',
    mask: 'bw-…77b2',
    scopes: ['manage'],
    createdAt: ago(86_400 * 30),
    lastUsedAt: null,
    copyable: false,
  },
]

export const settings = (changes: Record<string, Partial<SettingView>>): SettingView[] =>
  Object.entries(SETTINGS).map(([key, field]) => {
    const value: SettingView['value'] = Array.isArray(field.fallback) ? [...field.fallback] : (field.fallback as string)
    return { key, value, source: 'default', stored: null, warning: null, ...changes[key] }
  })

export const vaults: Readonly<Record<VaultView['kind'], VaultView>> = {
  os: { kind: 'os', message: 'Keys are encrypted by the system’s key store.', choices: [] },
  file: {
    kind: 'file',
    message: 'Keys are sealed with a key file that only your user may read. This system offers no key store.',
    choices: ['file', 'memory'],
  },
  memory: {
    kind: 'memory',
    message: 'Keys are kept in memory only and are gone when Breakwater quits.',
    choices: ['file', 'memory'],
  },
  none: {
    kind: 'none',
    message:
      'This system offers no key store (no secret service was found), so nothing protects keys at rest by itself.',
    choices: ['file', 'memory'],
  },
}

const DB = '/home/ada/.config/breakwater/breakwater.db'
export const listeners: Readonly<Record<string, ListenerState>> = {
  starting: { kind: 'starting' },
  listening: { kind: 'listening', url: 'http://127.0.0.1:4517', port: 4517, since: ago(6000) },
  'port-in-use': { kind: 'port-in-use', port: 4517, holder: 'other', freePort: 4518 },
  'breakwater-in-use': { kind: 'port-in-use', port: 4517, holder: 'breakwater', freePort: 4518 },
  'port-forbidden': { kind: 'port-forbidden', port: 80, freePort: 4517 },
  'listen-failed': {
    kind: 'listen-failed',
    port: 4517,
    message: 'The address is not available on this machine (EADDRNOTAVAIL).',
  },
  database: {
    kind: 'database-refused',
    file: DB,
    message: 'It was written by a newer Breakwater (format 9, this one knows 4).',
    wayOut: 'Install the newer version again, or move the file away to start afresh.',
  },
  folder: { kind: 'data-folder-in-use', folder: '/home/ada/.config/breakwater', pid: 4711 },
  stopped: { kind: 'stopped' },
}

export const status = (listener: ListenerState, vault: VaultView): GatewayStatus => ({
  instanceId: '5b0f6c9e-3d0a-4e3f-9d57-0f6a6c2b7a11',
  version: '0.1.0',
  startedAt: ago(6000),
  dataDir: '/home/ada/.config/breakwater',
  listener,
  overall: 'healthy',
  overallWhy: '',
  paused: false,
  vault,
  running: 0,
  today: { requests: 0, failed: 0, failedOver: 0 },
  eventLoopDelayP99Ms: 2.1,
})
