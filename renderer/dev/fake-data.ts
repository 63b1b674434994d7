// What the fake core starts with. Development only.
import { SETTINGS } from '../../core/contract/settings'
import type { ClientKeyView, GatewayStatus, ListenerState, SettingView, VaultView } from '../../core/contract/views'

const now = Date.now()
const ago = (seconds: number): number => now - seconds * 1000

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
