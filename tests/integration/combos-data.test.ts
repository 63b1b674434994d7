// Combos as data, through the whole gateway: imported, exported, edited over REST, listed, kept over restarts.
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { error } from '../support/fake-answers'
import { type FakeUpstream, startFakeUpstream } from '../support/fake-upstream'
import { pairConfig, question } from '../support/gateway-pair'
import {
  CLIENT_KEY,
  type GatewayProcess,
  MANAGE_KEY,
  runGateway,
  startGateway,
  temporaryFolder,
} from '../support/gateway-process'
import { type Answer, send } from '../support/http-client'

let dataDir: string
let upstream: FakeUpstream
const running: GatewayProcess[] = []
beforeAll(async () => {
  upstream = await startFakeUpstream()
})
afterAll(() => upstream.stop())
beforeEach(() => {
  dataDir = temporaryFolder()
})
afterEach(async () => {
  for (const gateway of running.splice(0)) await gateway.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

const COMBOS = [
  {
    ...{ name: 'coding', strategy: 'weighted', config: { stickyWeightedLimit: 5 } },
    steps: [{ model: 'fake/m1', weight: 3, connection: 'a' }, { combo: 'spare' }],
  },
  { name: 'spare', strategy: 'priority', steps: [{ model: 'claudish/m2' }, { model: 'nobody/x' }] },
]

const withCombos = (combos: readonly object[] = COMBOS): object => ({ ...pairConfig(upstream.baseUrl), combos })

async function start(config?: object): Promise<GatewayProcess> {
  const gateway = await startGateway({ dataDir, ...(config === undefined ? {} : { config }) })
  running.push(gateway)
  return gateway
}

interface ComboJson {
  readonly id: string
  readonly name: string
  readonly steps: readonly { readonly connection: string | null }[]
  readonly warnings: readonly { readonly step: number | null; readonly message: string }[]
}

const managed = (gateway: GatewayProcess, method: string, path: string, body?: unknown): Promise<Answer> =>
  send(gateway.url + path, {
    method,
    headers: { authorization: `Bearer ${MANAGE_KEY}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
const json = async <T>(...call: Parameters<typeof managed>): Promise<T> => {
  const answer = await managed(...call)
  expect(answer.status, answer.text).toBeLessThan(300)
  return answer.json<T>()
}
const combosOf = async (gateway: GatewayProcess): Promise<readonly ComboJson[]> =>
  (await json<{ combos: ComboJson[] }>(gateway, 'GET', '/api/combos')).combos
const client = (gateway: GatewayProcess, path: string): Promise<Answer> =>
  send(gateway.url + path, { headers: { authorization: `Bearer ${CLIENT_KEY}` } })
const ask = (gateway: GatewayProcess, model: string): Promise<Answer> =>
  send(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${CLIENT_KEY}` },
    body: JSON.stringify(question(model)),
  })

async function exported(): Promise<{ combos?: unknown }> {
  const file = join(dataDir, 'exported.json')
  const { code, stderr } = await runGateway({ dataDir, args: ['--export', file] })
  expect(code, stderr).toBe(0)
  return JSON.parse(readFileSync(file, 'utf8')) as { combos?: unknown }
}

describe('a file with combos', () => {
  test('is taken over, and written as it came', async () => {
    const gateway = await start(withCombos())
    const combos = await combosOf(gateway)
    expect(combos.map(({ name }) => name)).toEqual(['coding', 'spare'])
    const { connections } = await json<{ connections: { id: string; name: string }[] }>(
      ...([gateway, 'GET', '/api/providers?provider=fake'] as const),
    )
    expect(combos[0]?.steps[0]?.connection).toBe(connections.find(({ name }) => name === 'a')?.id)
    expect(combos[1]?.warnings).toEqual([
      { step: 1, message: expect.stringContaining('No provider is named "nobody"') },
    ])
    await gateway.stop()
    expect((await exported()).combos).toEqual(COMBOS)
  })

  test.each<[string, object]>([
    ['combos[0].steps[1].weight', { name: 'x', steps: [{ model: 'fake/m1' }, { model: 'fake/m1', weight: -1 }] }],
    [
      'combos[0].config.minPanel',
      { name: 'x', strategy: 'fusion', config: { minPanel: 1 }, steps: [{ model: 'a/b' }] },
    ],
    ['combos[0].name', { name: 'fake', steps: [{ model: 'fake/m1' }] }],
    ['combos[0].steps', { name: 'x', steps: [{ combo: 'x' }] }],
  ])('with a fault at %s is refused whole', async (path, combo) => {
    const config = { ...withCombos([combo, ...COMBOS]), settings: { historyDays: 7 } }
    const { code, events } = await runGateway({ dataDir, config, args: ['--port', '0'] })
    expect(code).toBe(2)
    expect(String(events[0]?.message)).toMatch(
      new RegExp(`^${path.replace(/[.[\]]/g, '\\$&')}: .*Nothing was taken over.$`),
    )
    expect(await exported()).toEqual({ version: 1, settings: {}, providers: [], connections: [] })
  })

  test('is taken over and written while the gateway runs, too', async () => {
    const gateway = await start(withCombos([]))
    await json(gateway, 'POST', '/api/import', {
      version: 1,
      combos: [{ name: 'late', steps: [{ model: 'fake/m1' }] }],
    })
    expect((await combosOf(gateway)).map(({ name }) => name)).toEqual(['late'])
    expect((await json<{ combos: unknown }>(gateway, 'GET', '/api/export')).combos).toEqual([
      { name: 'late', strategy: 'priority', steps: [{ model: 'fake/m1' }] },
    ])
    expect((await ask(gateway, 'late')).status).toBe(200)
  })
})

test('a combo is made, changed, copied, ordered, removed and brought back over REST, and outlives a restart', async () => {
  const first = await start(withCombos([]))
  const made = await json<ComboJson>(first, 'POST', '/api/combos', {
    ...{ name: 'team', strategy: 'usage' },
    steps: [{ model: 'fake/m1', connection: 'b' }],
  })
  expect(made).toMatchObject({ name: 'team', strategy: 'least-used', warnings: [] })
  expect(await json(first, 'GET', '/api/combos/team')).toEqual(made)
  expect(
    await json(first, 'PATCH', `/api/combos/${made.id}`, { name: 'crew', config: { maxRetries: 0 } }),
  ).toMatchObject({
    ...{ id: made.id, name: 'crew', strategy: 'least-used', config: { maxRetries: 0 } },
    steps: made.steps,
  })
  expect(await json(first, 'POST', '/api/combos/crew/duplicate')).toMatchObject({ name: 'crew-copy' })
  const outer = await json<ComboJson>(first, 'POST', '/api/combos', { name: 'outer', steps: [{ model: 'combo/crew' }] })
  const inUse = await managed(first, 'DELETE', '/api/combos/crew')
  expect(inUse.status).toBe(409)
  expect(inUse.json()).toMatchObject({ error: { code: 'combo_in_use', message: expect.stringContaining('"outer"') } })
  await json(first, 'POST', '/api/combos/reorder', { ids: ['outer', 'crew-copy', 'crew'] })
  await json(first, 'DELETE', '/api/combos/outer')
  expect((await combosOf(first)).map(({ name }) => name)).toEqual(['crew-copy', 'crew'])
  expect(await json(first, 'POST', `/api/combos/${outer.id}/restore`)).toEqual(outer)
  await json(first, 'DELETE', '/api/combos/crew-copy')
  const before = await combosOf(first)
  expect(before.map(({ name }) => name)).toEqual(['outer', 'crew'])
  await first.end()

  const second = await start()
  expect(await combosOf(second)).toEqual(before)
  const gone = await json<{ combos: ComboJson[] }>(second, 'GET', '/api/combos')
  expect(gone.combos).toHaveLength(2)
})

test('what was removed cannot be brought back after a restart', async () => {
  const first = await start(withCombos())
  const { id } = await json<ComboJson>(first, 'GET', '/api/combos/coding')
  await json(first, 'DELETE', '/api/combos/coding')
  await first.end()
  const second = await start()
  expect((await managed(second, 'POST', `/api/combos/${id}/restore`)).status).toBe(404)
})

test.each<[string, object, string, string]>([
  ['a value', { name: 'x', strategy: 'fusion', config: { minPanel: 1 } }, 'config.minPanel', 'must be a whole number'],
  [
    'a step',
    { name: 'x', steps: [{ model: 'a/b' }, { model: 'a/b' }, { model: 'a/b', weight: -1 }] },
    'steps[2].weight',
    '',
  ],
  ['a circle', { name: 'x', steps: [{ combo: 'x' }] }, 'steps', 'lead in a circle'],
  ['a name', { name: 'practice' }, 'name', '"practice" is a provider'],
])('a fault of %s is told by its path', async (_what, given, field, words) => {
  const gateway = await start(withCombos([]))
  const answer = await managed(gateway, 'POST', '/api/combos', { steps: [{ model: 'fake/m1' }], ...given })
  expect(answer.status).toBe(400)
  const { details } = answer.json<{ error: { details: { field: string; message: string }[] } }>().error
  expect(details).toEqual([{ field, message: expect.stringContaining(words) }])
})

test('a combo stands in every list of models, and goes from them when it is removed', async () => {
  const gateway = await start(withCombos())
  const listed = async (): Promise<string[][]> => {
    const [openai, gemini] = [await client(gateway, '/v1/models'), await client(gateway, '/v1beta/models')]
    return [
      openai.json<{ data: { id: string }[] }>().data.map(({ id }) => id),
      gemini.json<{ models: { name: string }[] }>().models.map(({ name }) => name.replace('models/', '')),
    ]
  }
  for (const names of await listed()) expect(names.slice(0, 2)).toEqual(['coding', 'spare'])
  expect((await client(gateway, '/v1/models/coding')).json()).toMatchObject({ id: 'coding', owned_by: 'combo' })
  await json(gateway, 'DELETE', '/api/combos/coding')
  for (const names of await listed()) expect(names[0]).toBe('spare')
  expect((await client(gateway, '/v1/models/coding')).status).toBe(404)
})

test('a combo that leads nowhere says what to do', async () => {
  const gateway = await start({
    ...withCombos([
      { name: 'lost', steps: [{ model: 'nobody/x' }, { model: 'zzz*' }] },
      { name: 'practising', steps: [{ model: 'practice/*' }] },
    ]),
    connections: [],
  })
  const told = async (model: string): Promise<{ message: string; code: string; recovery_hint?: object }> => {
    const answer = await ask(gateway, model)
    expect(answer.status).toBe(404)
    return answer.json<{ error: { message: string; code: string } }>().error
  }
  expect(await told('lost')).toMatchObject({
    code: 'no_executable_targets',
    message:
      'The combo "lost" has no step that leads to a model: "nobody/x", "zzz*". Change its steps, or connect the provider they need.',
    recovery_hint: { action: 'switch-combo', next_step: 'Ask for another combo or model.' },
  })
  expect((await ask(gateway, 'lost')).headers['x-omniroute-recovery-action']).toBe('switch-combo')
  expect((await told('auto')).message).toContain('Add a connection; practice models')
  expect((await told('auto/none')).message).toContain('The names of auto are auto, auto/fast')
  const { warnings } = await json<ComboJson>(gateway, 'GET', '/api/combos/practising')
  expect(warnings.map(({ message }) => message)).toContain(
    'No listed model is called like "practice/*". Models of Practice are used only where they are named.',
  )
})

test('names and patterns of the user’s lead to combos', async () => {
  const gateway = await start(withCombos())
  const made = await json<object>(gateway, 'POST', '/api/aliases', { pattern: 'claude-*', target: 'spare' })
  expect(made).toMatchObject({ resolvesTo: 'spare', broken: null })
  const answer = await ask(gateway, 'claude-sonnet-9')
  expect(answer.status, answer.text).toBe(200)
  expect(answer.headers['x-breakwater-target']).toContain('claudish/m2')
})

test('a live test asks what the steps lead to, and tells of each', async () => {
  const gateway = await start(
    withCombos([{ name: 'mixed', steps: [{ model: 'fake/fine' }, { model: 'fake/broken' }, { model: 'nobody/x' }] }]),
  )
  await upstream.answer('*', 'broken', error(400))
  const result = await json<{ ok: boolean; message: string; steps: object[] }>(
    gateway,
    'POST',
    '/api/combos/mixed/test',
  )
  expect(result).toMatchObject({ ok: true, message: '1 of 3 steps answered.' })
  expect(result.steps).toMatchObject([
    { name: 'fake/fine', ok: true, targets: [{ status: 200, connectionName: 'a', requestId: expect.any(String) }] },
    { name: 'fake/broken', ok: false, targets: [{ status: 400 }] },
    { name: 'nobody/x', ok: false, targets: [] },
  ])
})

describe('what a name of auto chooses among', () => {
  interface Candidate {
    readonly provider: string
    readonly model: string
    readonly place: number | null
    readonly score: number | null
    readonly breaker: string
    readonly excluded: { readonly gate: string; readonly until: string | null } | null
    readonly connections: readonly { readonly name: string; readonly excluded: { readonly gate: string } | null }[]
  }
  const candidates = (gateway: GatewayProcess, channel: string, key = CLIENT_KEY): Promise<Answer> =>
    send(`${gateway.url}/v1/auto-combo/${channel}/candidates`, { headers: { authorization: `Bearer ${key}` } })

  test('is told to any client: places and scores, and what keeps whom out until when', async () => {
    const gateway = await start(withCombos())
    for (const provider of ['fake', 'claudish']) await json(gateway, 'POST', '/api/models', { provider, model: 'm9' })
    await upstream.answer('*', 'm9', error(500))
    await ask(gateway, 'fake/m9')
    for (const channel of ['auto', 'fast', 'coding:cheap', 'auto%2Fchaos']) {
      const answer = await candidates(gateway, channel)
      expect(answer.status, answer.text).toBe(200)
      const { name, data } = answer.json<{ name: string; data: Candidate[] }>()
      expect(name).toBe(channel === 'auto' ? 'auto' : `auto/${channel.replace('auto%2F', '')}`)
      // Others may have been listed meanwhile.
      const [able, out] = ['claudish', 'fake'].map((id) =>
        data.find(({ provider, model }) => provider === id && model === 'm9'),
      )
      expect(able).toMatchObject({ breaker: 'CLOSED', excluded: null })
      expect(able?.place).toBeGreaterThan(0)
      expect(able?.score).toBeGreaterThan(0)
      expect(out).toMatchObject({ provider: 'fake', place: null, excluded: { gate: 'lockout' } })
      expect(Date.parse(out?.excluded?.until ?? '')).toBeGreaterThan(Date.now())
      expect(out?.connections).toMatchObject(['a', 'b'].map((name) => ({ name, excluded: { gate: 'lockout' } })))
    }
  })

  test('is nothing under a name that is none, and needs a key', async () => {
    const gateway = await start(withCombos())
    const unknown = await candidates(gateway, 'nobody')
    expect(unknown.status).toBe(404)
    expect(unknown.text).toContain('GET /api/combos/auto')
    expect((await candidates(gateway, 'auto', 'wrong')).status).toBe(401)
  })
})
