// Views as the core gives them, for tests of what the shell makes of them.
import type { ConnectionView, GatewayStatus, ProviderView } from '../../core/contract/views'
import type { Logger } from '../../core/host'

export const aStatus = (part: Partial<GatewayStatus> = {}): GatewayStatus => ({
  instanceId: 'one',
  version: '0.1.0',
  startedAt: 0,
  dataDir: '/data',
  listener: { kind: 'listening', url: 'http://127.0.0.1:4517', port: 4517, since: 0 },
  overall: 'healthy',
  overallWhy: '',
  paused: false,
  vault: { kind: 'os', message: '', choices: [] },
  running: 0,
  today: { requests: 0, failed: 0, failedOver: 0 },
  eventLoopDelayP99Ms: 0,
  ...part,
})

export const aProvider = (part: Partial<ProviderView> = {}): ProviderView => ({
  id: 'openai',
  aliases: [],
  label: 'OpenAI',
  class: 'apikey',
  group: 'lab',
  dialect: 'openai-chat',
  dialects: ['openai-chat', 'openai-responses'],
  baseUrl: 'https://api.openai.com/v1',
  options: [],
  modelsListable: true,
  freeTier: null,
  note: null,
  source: { url: 'https://platform.openai.com/docs/api-reference', tried: false },
  builtIn: true,
  needsKey: true,
  keyHint: 'sk-…',
  docsUrl: 'https://platform.openai.com/api-keys',
  signIn: null,
  state: 'healthy',
  why: '',
  since: null,
  until: null,
  connections: [],
  ...part,
})

export const aConnection = (part: Partial<ConnectionView> = {}): ConnectionView => ({
  id: 'c1',
  provider: 'openai',
  name: 'work',
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
  proxy: null,
  settings: {},
  login: null,
  lastUsedAt: null,
  inFlight: 0,
  quota: null,
  createdAt: 0,
  ...part,
})

export interface KeptLog extends Logger {
  readonly lines: string[]
}

export function keptLog(): KeptLog {
  const lines: string[] = []
  const keep = (fields: object, message: string): void => void lines.push(`${message} ${JSON.stringify(fields)}`)
  return { lines, debug: keep, info: keep, warn: keep, error: keep, setLevel: () => {}, addSecret: () => {} }
}
