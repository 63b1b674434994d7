// A core in the browser, for looking at the window without the app: `vite dev`, then /?scenario=…&theme=…&vault=…
// Never in the production bundle: only imported where import.meta.env.DEV is true.
import type {
  AnyPushData,
  AnyPushName,
  BreakwaterApi,
  CallInput,
  CallName,
  CallOutput,
  IpcAnswer,
} from '../../core/contract/ipc'
import { isSettingKey, SETTINGS } from '../../core/contract/settings'
import type {
  ClientKeyView,
  ConnectionView,
  GatewayStatus,
  ProviderView,
  RequestView,
  VaultView,
} from '../../core/contract/views'
import { fakeComboCalls } from './fake-combo-calls'
import { listeners, status as makeStatus, keys as someKeys, settings as someSettings, vaults } from './fake-data'
import { fakeHealthCalls } from './fake-health-calls'
import { fakeModelCalls } from './fake-model-calls'
import {
  bareProviders,
  busyProviders,
  foundServers,
  connection as makeConnection,
  provider as makeProvider,
} from './fake-providers'
import { fakeSignIns } from './fake-sign-ins'
import { makeBuckets, makeHistory, makeRequest } from './fake-traffic'
import { Refused } from './refused'

type Handlers = { readonly [N in CallName]: (input: CallInput<N>) => CallOutput<N> | Promise<CallOutput<N>> }
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

export function installFakeApi(): void {
  const query = new URLSearchParams(window.location.search)
  const scenario = query.get('scenario') ?? 'busy'
  if (scenario === 'no-bridge') return
  const empty = scenario === 'empty' || scenario === 'first-run'
  const vault: VaultView = vaults[(query.get('vault') as VaultView['kind'] | null) ?? 'os']

  let gateway: GatewayStatus = makeStatus(listeners[scenario] ?? listeners.listening ?? { kind: 'starting' }, vault)
  let providers: ProviderView[] = empty ? bareProviders() : busyProviders()
  let keys: ClientKeyView[] = scenario === 'first-run' ? someKeys().slice(0, 1) : someKeys()
  let log: RequestView[] = empty ? [] : makeHistory(3000)
  let settings = someSettings({
    wizardDone: { value: scenario !== 'first-run' },
    theme: { value: query.get('theme') ?? 'system', source: 'stored', stored: 'system' },
    ...(empty
      ? {}
      : {
          listenPort: { value: 4517, source: 'environment', stored: 4600 },
          logLevel: { value: 'debug', source: 'flag', warning: null },
          historyDays: { value: 14, source: 'stored', stored: 14 },
          bodyLimitMb: { warning: 'BREAKWATER_BODY_LIMIT_MB=lots: must be a whole number from 1 to 512' },
        }),
  })
  const removed = new Map<string, ConnectionView>()
  if (gateway.listener.kind === 'starting') gateway = { ...gateway, overall: 'starting' }
  else if (gateway.listener.kind !== 'listening')
    gateway = { ...gateway, overall: 'down', overallWhy: 'The gateway cannot be reached.' }
  else if (scenario === 'paused')
    gateway = { ...gateway, overall: 'paused', paused: true, overallWhy: 'Paused by you.' }
  else if (!empty)
    gateway = {
      ...gateway,
      overall: 'strained',
      overallWhy: 'anthropic has no key that works, and one connection of openrouter rests. Everything else answers.',
      running: 3,
      today: { requests: 1284, failed: 9, failedOver: 41 },
    }

  const listenersOf = new Map<string, Set<(data: unknown) => void>>()
  const push = <N extends AnyPushName>(name: N, data: AnyPushData<N>): void => {
    for (const listener of listenersOf.get(name) ?? []) listener(data)
  }
  const setProviders = (next: ProviderView[]): void => {
    providers = next
    push(
      'providers:changed',
      providers.filter(({ connections, builtIn }) => connections.length > 0 || !builtIn),
    )
  }
  const editConnection = (id: string, change: (c: ConnectionView) => ConnectionView | null): ConnectionView => {
    const found = providers.flatMap(({ connections }) => connections).find((c) => c.id === id)
    if (found === undefined) throw new Refused('This connection does not exist any more.')
    const next = change(found)
    setProviders(
      providers.map((p) => ({
        ...p,
        connections: p.connections.flatMap((c) => (c.id === id ? (next === null ? [] : [next]) : [c])),
      })),
    )
    return next ?? found
  }
  const mask = (key: string | undefined): string | null =>
    key === undefined || key === '' ? null : `${key.slice(0, 3)}…${key.slice(-4)}`

  const signedIn = (input: CallInput<'oauth:begin'>, login: ConnectionView['login']): ConnectionView => {
    if (input.connectionId !== undefined)
      return editConnection(input.connectionId, (c) => ({ ...c, login, state: 'healthy', why: '' }))
    const made = makeConnection({
      id: `c${Date.now()}`,
      provider: input.provider,
      name: input.name ?? 'account',
      keyMask: null,
      login,
    })
    setProviders(providers.map((p) => (p.id === made.provider ? { ...p, connections: [...p.connections, made] } : p)))
    return made
  }

  const handlers: Handlers = {
    ...fakeModelCalls({
      empty,
      count: Number(query.get('models') ?? 340),
      keys: () => keys,
      push: (data) => push('models:changed', data),
    }),
    ...fakeComboCalls(empty, (combos) => push('combos:changed', combos)),
    ...fakeSignIns({ connect: signedIn, find: (id) => editConnection(id, (c) => c) }),
    ...fakeHealthCalls(() => providers, editConnection),
    'gateway:status': () => gateway,
    'gateway:retry': async () => {
      await pause(900)
      return gateway
    },
    'gateway:pause': ({ paused }) => {
      gateway = { ...gateway, paused, overall: paused ? 'paused' : 'healthy', overallWhy: '' }
      return gateway
    },
    'settings:list': () => {
      if (scenario === 'database' || scenario === 'folder') throw new Refused('The database is not open.')
      return settings
    },
    'settings:change': ({ key, value }) => {
      const field = isSettingKey(key) ? SETTINGS[key] : null
      if (
        field?.kind === 'int' &&
        (typeof value !== 'number' || value < field.min || value > field.max) &&
        value !== null
      )
        throw new Refused(`${key}: must be a whole number from ${field.min} to ${field.max}`, key)
      settings = settings.map((s) =>
        s.key !== key
          ? s
          : value === null
            ? { ...s, value: (field?.fallback ?? '') as string, source: 'default', stored: null }
            : { ...s, value, source: 'stored', stored: value },
      )
      if (key === 'listenPort' && typeof value === 'number') {
        gateway = {
          ...gateway,
          overall: 'healthy',
          overallWhy: '',
          listener: { kind: 'listening', url: `http://127.0.0.1:${value}`, port: value, since: Date.now() },
        }
        push('gateway:changed', gateway)
      }
      return settings
    },
    'vault:choose': ({ kind }) => vaults[kind],
    'providers:list': () => providers,
    'providers:add': ({ label, dialect, baseUrl, id }) => {
      const made = makeProvider({
        id: id ?? label.toLowerCase().replace(/[^a-z0-9]+/g, '-'),
        ...{ label, dialect, baseUrl },
        group: 'own',
        builtIn: false,
        needsKey: false,
        keyHint: '',
        docsUrl: null,
      })
      setProviders([...providers, made])
      return made
    },
    'providers:discover': async () => {
      await pause(400)
      return foundServers()
    },
    'providers:remove': ({ id }) => {
      setProviders(providers.filter((p) => p.id !== id))
      return null
    },
    'connections:add': ({ provider, name, apiKey, baseUrl, options, priority }) => {
      if (name === 'taken') throw new Refused('name: There is a connection of this name already.', 'name')
      if (options?.resource === 'bad')
        throw new Refused(
          'options.resource: does not look like one. The first part of the address.',
          'options.resource',
        )
      const made = makeConnection({
        id: `c${Date.now()}`,
        ...{ provider, name },
        baseUrl: baseUrl ?? null,
        options: options ?? {},
        keyMask: mask(apiKey),
        priority: priority ?? 9,
        state: 'off',
        why: 'Not used yet.',
        lastUsedAt: null,
        createdAt: Date.now(),
      })
      setProviders(providers.map((p) => (p.id === provider ? { ...p, connections: [...p.connections, made] } : p)))
      return made
    },
    'connections:update': ({ id, name, apiKey, baseUrl, options, priority, enabled }) =>
      editConnection(id, (c) => ({
        ...c,
        options: options ?? c.options,
        name: name ?? c.name,
        keyMask: apiKey === undefined ? c.keyMask : mask(apiKey),
        baseUrl: baseUrl === undefined ? c.baseUrl : baseUrl,
        priority: priority ?? c.priority,
        enabled: enabled ?? c.enabled,
        state: (enabled ?? c.enabled) ? (c.state === 'off' ? 'healthy' : c.state) : 'off',
        why: enabled === false ? 'Switched off.' : enabled === true ? '' : c.why,
      })),
    'connections:remove': ({ id }) => {
      removed.set(
        id,
        editConnection(id, () => null),
      )
      return null
    },
    'connections:restore': ({ id }) => {
      const back = removed.get(id)
      if (back === undefined) throw new Refused('It cannot be brought back any more.')
      setProviders(providers.map((p) => (p.id === back.provider ? { ...p, connections: [...p.connections, back] } : p)))
      return back
    },
    'connections:test': async (input) => {
      await pause(1200)
      const bad = 'id' in input ? input.id === 'c3' : input.apiKey === 'bad'
      return bad
        ? {
            ok: false,
            status: 401,
            ms: 214,
            reason: 'auth_error',
            message: 'The provider refused the key (401, invalid x-api-key). Enter a new one.',
            models: [],
          }
        : {
            ok: true,
            status: 200,
            ms: 412,
            reason: null,
            message: 'It answered in 412 ms with 38 models.',
            models: Array.from({ length: 38 }, (_, i) => `model-${i + 1}`),
          }
    },
    'keys:list': () => keys,
    'keys:create': ({ name, scopes = [] }) => {
      const made: ClientKeyView = {
        id: `k${Date.now()}`,
        name,
        mask: 'bw-…e5d1',
        scopes,
        createdAt: Date.now(),
        lastUsedAt: null,
        copyable: true,
      }
      keys = [...keys, made]
      return made
    },
    'keys:remove': ({ id }) => {
      keys = keys.filter((k) => k.id !== id)
      return null
    },
    'log:list': async ({ limit = 100, before, search, outcome }) => {
      await pause(scenario === 'slow' ? 4000 : 60)
      const text = search?.toLowerCase()
      return log
        .filter((r) => before === undefined || r.at < before.at)
        .filter((r) => outcome === undefined || r.outcome === outcome)
        .filter((r) => text === undefined || [r.id, r.model, r.tool].some((t) => t.toLowerCase().includes(text)))
        .slice(0, limit)
    },
    'metrics:recent': () => (empty ? [] : makeBuckets()),
    'tools:snippets': ({ model }) => [
      {
        tool: 'claude-code',
        label: 'Claude Code',
        where: '~/.claude/settings.json',
        note: 'Put the lines into the file’s "env".',
        text: JSON.stringify(
          {
            env: {
              ANTHROPIC_BASE_URL: 'http://127.0.0.1:4517',
              ANTHROPIC_AUTH_TOKEN: 'bw-…c41e',
              ANTHROPIC_MODEL: model,
            },
          },
          null,
          2,
        ),
      },
      {
        tool: 'aider',
        label: 'aider',
        where: '~/.aider.conf.yml',
        note: '',
        text: `openai-api-base: http://127.0.0.1:4517/v1\nopenai-api-key: bw-…c41e\nmodel: openai/${model}`,
      },
      {
        tool: 'curl',
        label: 'curl',
        where: 'shell',
        note: 'A first request by hand.',
        text: `curl http://127.0.0.1:4517/v1/chat/completions \\\n  -H "Authorization: Bearer bw-…c41e" -H "Content-Type: application/json" \\\n  -d '{"model":"${model}","messages":[{"role":"user","content":"Say hello"}]}'`,
      },
    ],
    'try:send': ({ model, prompt }) => {
      const tryId = `t${Date.now()}`
      void stream(tryId, model, prompt)
      return { tryId }
    },
    'clipboard:copy': () => ({ copied: true, why: '' }),
    'app:open-external': () => null,
    'app:open-data-folder': () => null,
    'app:surroundings': () => ({ trayVisible: true, platform: 'linux', electron: '45.5.0', developmentRuntime: true }),
    'window:close': () => null,
    'app:quit': () => null,
  }

  const stream = async (tryId: string, model: string, prompt: string): Promise<void> => {
    await pause(400)
    const request = makeRequest(Date.now(), { model, tool: 'breakwater-window' })
    for (const word of prompt.split(' ')) {
      push('try:chunk', { tryId, text: `${word} `, done: false, error: null, requestId: request.id })
      await pause(60)
    }
    log = [request, ...log]
    push('log:appended', [request])
    push('try:chunk', { tryId, text: '', done: true, error: null, requestId: request.id })
  }

  const api: BreakwaterApi = {
    async call<N extends CallName>(name: N, ...input: unknown[]): Promise<IpcAnswer<CallOutput<N>>> {
      if (scenario === 'failing') throw new Error('the process is gone')
      if (scenario === 'slow') await pause(6000)
      try {
        return { ok: true, value: await handlers[name](input[0] as never) }
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error)
        return { ok: false, error: { code: 'refused', message, field: error instanceof Refused ? error.field : null } }
      }
    },
    on(name, listener) {
      const set = listenersOf.get(name) ?? new Set()
      set.add(listener as (data: unknown) => void)
      listenersOf.set(name, set)
      return () => set.delete(listener as (data: unknown) => void)
    },
  }
  window.breakwater = api
  if (query.has('ask')) setTimeout(() => push('window:close-asked', null), 300)
  if (query.has('hint')) setTimeout(() => push('window:tray-hint', null), 300)
  if (!empty && query.has('live'))
    setInterval(() => {
      const request = makeRequest(Date.now())
      log = [request, ...log]
      push('log:appended', [request])
    }, 1500)
}
