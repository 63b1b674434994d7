// Every operation of the window and of REST, once: checked input → effect → output.
import type { OperationInput, OperationName, Operations } from '../contract/operations'
import { OPERATIONS } from '../contract/operations'
import type { GatewayStatus, ToolSnippet } from '../contract/views'
import { badInput, GatewayError } from '../errors'
import { comboOperations, type ExplainCombo } from './combos'
import { connectionOperations } from './connections'
import { explainOperations } from './explain'
import { healthOperations } from './health'
import { aliasOperations } from './model-aliases'
import { modelOperations } from './models'
import { oauthOperations } from './oauth'
import type { Parts } from './parts'
import { settingsOperations } from './settings'
import { toolSnippets } from './tool-snippets'
import type { TryTarget } from './try-request'

/** What needs no opened databases: the window must work when they are refused. */
export interface Always {
  readonly status: () => GatewayStatus
  readonly retry: () => Promise<GatewayStatus>
  readonly parts: () => Parts | null
  readonly url: () => string
  readonly trySend: (input: OperationInput<'try:send'>) => string
  /** Where the gateway itself is asked. */
  readonly tryTarget: () => TryTarget
  readonly explainCombo: ExplainCombo
}

export function createOperations(always: Always): Operations {
  const parts = (): Parts => {
    const opened = always.parts()
    if (opened === null)
      throw new GatewayError('not_ready', 503, 'The gateway could not open its data. The first page says why.')
    return opened
  }
  const connections = lazily(parts, connectionOperations)
  const models = lazily(parts, modelOperations)
  const aliases = lazily(parts, aliasOperations)
  const combos = lazily(parts, (opened) => comboOperations(opened, always.tryTarget, always.explainCombo))
  const oauth = lazily(parts, oauthOperations)
  const health = lazily(parts, healthOperations)
  const explain = lazily(parts, explainOperations)
  const settings = lazily(parts, settingsOperations)
  return {
    'gateway:status': async () => always.status(),
    'gateway:retry': async () => always.retry(),
    'gateway:pause': async ({ paused }) => {
      parts().settings.change('paused', paused)
      return always.status()
    },
    'settings:list': async () => parts().settings.list(),
    'settings:change': async ({ key, value }) => {
      const { settings } = parts()
      settings.change(key, value)
      return settings.list()
    },
    'vault:choose': async ({ kind }) => {
      const { vault, changed } = parts()
      await vault.choose(kind)
      changed('gateway:changed')
      return vault.view()
    },
    'keys:list': async () => parts().keys.list(),
    'keys:create': async ({ name, scopes }) => {
      const { keys, changed } = parts()
      const { view } = keys.create(name, scopes)
      changed('keys:changed')
      return view
    },
    'keys:remove': async (input) => {
      const { keys, changed } = parts()
      keys.remove(input)
      changed('keys:changed')
      return null
    },
    'log:list': async (query) => parts().requests.list(query),
    'metrics:recent': async ({ minutes }) => parts().metrics.recent(minutes),
    'models:list': (input) => models()['models:list'](input),
    'models:edit': (input) => models()['models:edit'](input),
    'models:add': (input) => models()['models:add'](input),
    'models:remove': (input) => models()['models:remove'](input),
    'models:refresh': (input) => models()['models:refresh'](input),
    'aliases:list': () => aliases()['aliases:list'](),
    'aliases:add': (input) => aliases()['aliases:add'](input),
    'aliases:update': (input) => aliases()['aliases:update'](input),
    'aliases:remove': (input) => aliases()['aliases:remove'](input),
    'combos:list': () => combos()['combos:list'](),
    'combos:get': (input) => combos()['combos:get'](input),
    'combos:create': (input) => combos()['combos:create'](input),
    'combos:update': (input) => combos()['combos:update'](input),
    'combos:reorder': (input) => combos()['combos:reorder'](input),
    'combos:duplicate': (input) => combos()['combos:duplicate'](input),
    'combos:remove': (input) => combos()['combos:remove'](input),
    'combos:restore': (input) => combos()['combos:restore'](input),
    'combos:test': (input) => combos()['combos:test'](input),
    'combos:auto': () => combos()['combos:auto'](),
    'combos:explain': (input) => combos()['combos:explain'](input),
    'tools:snippets': async ({ keyId, model }) => snippets(always, parts(), keyId, model, false),
    'try:send': async (input) => {
      parts()
      return { tryId: always.trySend(input) }
    },
    'providers:list': () => connections()['providers:list'](),
    'providers:add': (input) => connections()['providers:add'](input),
    'providers:remove': (input) => connections()['providers:remove'](input),
    'providers:discover': () => connections()['providers:discover'](),
    'connections:add': (input) => connections()['connections:add'](input),
    'connections:update': async (input) => {
      const view = await connections()['connections:update'](input)
      if (input.apiKey === undefined || input.apiKey.trim() === '') return view
      // A key that is entered is meant to be used.
      await parts().logins.remove(input.id)
      return connections()['connections:update']({ id: input.id })
    },
    'connections:remove': (input) => connections()['connections:remove'](input),
    'connections:restore': (input) => connections()['connections:restore'](input),
    'connections:test': async (input) => {
      // With a token that is good, if the connection has a sign-in.
      if ('id' in input) await parts().logins.freshAccess(input.id)
      return connections()['connections:test'](input)
    },
    'health:breakers': () => health()['health:breakers'](),
    'health:reset-breakers': (input) => health()['health:reset-breakers'](input),
    'health:cooldowns': (input) => health()['health:cooldowns'](input),
    'health:clear-cooldowns': (input) => health()['health:clear-cooldowns'](input),
    'health:lockouts': () => health()['health:lockouts'](),
    'health:clear-lockouts': (input) => health()['health:clear-lockouts'](input),
    'health:states': (input) => health()['health:states'](input),
    'connections:reset': (input) => health()['connections:reset'](input),
    'resilience:list': () => health()['resilience:list'](),
    'resilience:change': (input) => health()['resilience:change'](input),
    'resilience:patch': (input) => health()['resilience:patch'](input),
    'failures:explain': (input) => explain()['failures:explain'](input),
    'rules:show': () => settings()['rules:show'](),
    'settings:patch': (input) => settings()['settings:patch'](input),
    'oauth:begin': (input) => oauth()['oauth:begin'](input),
    'oauth:state': (input) => oauth()['oauth:state'](input),
    'oauth:cancel': (input) => oauth()['oauth:cancel'](input),
    'oauth:refresh': (input) => oauth()['oauth:refresh'](input),
  }
}

/** With the real key only for the clipboard; the window gets a mask. */
export function snippets(
  { url }: Pick<Always, 'url'>,
  { keys }: Parts,
  keyId: string | undefined,
  model: string,
  withKey: boolean,
): ToolSnippet[] {
  const all = keys.list()
  const view =
    keyId === undefined ? (all.find(({ copyable }) => copyable) ?? all[0]) : all.find(({ id }) => id === keyId)
  const plain = view === undefined ? null : keys.plainOf(view.id)
  const key = withKey && plain !== null ? plain : (view?.mask ?? '<client key>')
  return toolSnippets({ url: url(), key, model })
}

function lazily<T>(parts: () => Parts, make: (parts: Parts) => T): () => T {
  const made = new WeakMap<Parts, T & object>()
  return () => {
    const now = parts()
    const known = made.get(now)
    if (known !== undefined) return known
    const fresh = make(now) as T & object
    made.set(now, fresh)
    return fresh
  }
}

/** For callers that hold unchecked input: IPC, REST. @throws GatewayError 400 that names the field */
export function checkInput<N extends OperationName>(name: N, raw: unknown): OperationInput<N> {
  const parsed = OPERATIONS[name].input.safeParse(raw)
  if (parsed.success) return parsed.data as OperationInput<N>
  const issue = parsed.error.issues[0]
  throw badInput(issue?.path.join('.') ?? '', issue?.message ?? 'is not valid')
}
