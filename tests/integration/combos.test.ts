// Combos over real sockets: who is asked, what a failure means inside one request, what is waited for, and what is said
// when nobody is left.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { error, gate, json, raw, stream, text } from '../support/fake-answers'
import { type GatewayPair, KEY_A, KEY_B, startPair } from '../support/gateway-pair'
import type { Answer } from '../support/http-client'

let pair: GatewayPair
beforeAll(async () => {
  pair = await startPair(
    {
      resilienceSettings: {
        waitForCooldown: { enabled: false },
        comboCooldownWait: { enabled: false },
        connectionCooldown: { apikey: { baseCooldownMs: 60_000 } },
      },
    },
    {
      more: (baseUrl) => ({
        providers: ['one', 'two', 'three'].map((id) => ({
          ...{ id, label: id, class: 'apikey', dialect: 'openai-chat', baseUrl },
          perModelQuota: false,
        })),
        connections: [
          { provider: 'one', name: 'a', apiKey: KEY_A },
          { provider: 'two', name: 'b', apiKey: KEY_B },
        ],
      }),
    },
  )
})
afterAll(() => pair.stop())
beforeEach(() => pair.forget())

let count = 0
/** A combo of its own for each test, so that no strategy remembers another one. */
async function combo(strategy: string, steps: readonly (string | object)[], config: object = {}): Promise<string> {
  const name = `c${++count}`
  const body = {
    name,
    strategy,
    config,
    steps: steps.map((step) => (typeof step === 'string' ? { model: step } : step)),
  }
  const made = await pair.manage('/api/combos', { method: 'POST', body: JSON.stringify(body) })
  expect(made.status, made.text).toBe(201)
  return name
}

const ask = (model: string, more: object = {}): Promise<Answer> =>
  pair.send('/v1/chat/completions', {
    method: 'POST',
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hi' }], ...more }),
  })

const targetOf = ({ headers }: Answer): unknown => headers['x-breakwater-target']

describe('fail-over', () => {
  test.each([500, 503, 529, 429, 401, 402, 403])(
    'after %d the next provider answers, and the answer says which',
    async (status) => {
      const name = await combo('priority', [`one/down-${status}`, `two/up-${status}`])
      await pair.upstream.answer(KEY_A, `down-${status}`, error(status))
      const answer = await ask(name)
      expect(answer.status, answer.text).toBe(200)
      expect(targetOf(answer)).toBe(`two/up-${status}`)
      expect(answer.headers['x-breakwater-attempts']).toBe('2')
    },
  )

  test('what rests is not asked again, and serves again when it returns', async () => {
    const name = await combo('priority', ['one/rests', 'two/rests'])
    await pair.upstream.answer(KEY_A, 'rests', error(500), { ...error(500), status: 200 })
    await ask(name)
    expect(targetOf(await ask(name))).toBe('two/rests')
    const seen = await pair.upstream.seen('rests')
    expect(seen.map(({ key }) => key)).toEqual([KEY_A, KEY_B, KEY_B])
  })

  test('streams do so too, before the first content', async () => {
    const name = await combo('priority', ['one/s-down', 'two/s-up'])
    await pair.upstream.answer(KEY_A, 's-down', error(502))
    const answer = await ask(name, { stream: true })
    expect(answer.text).toContain('[DONE]')
    expect(targetOf(answer)).toBe('two/s-up')
  })

  test('a request that is wrong in itself ends after one call', async () => {
    const name = await combo('priority', ['one/wrong', 'two/wrong'])
    await pair.upstream.answer(
      '*',
      'wrong',
      error(400, { error: { message: 'temperature must be a number', type: 'invalid_request_error' } }),
    )
    const answer = await ask(name)
    expect(answer.status).toBe(400)
    expect(await pair.upstream.seen('wrong')).toHaveLength(1)
  })

  test('a request too long for one model goes to another; for one and the same it ends', async () => {
    const overflow = error(400, {
      error: { message: 'maximum context length is 8192 tokens', code: 'context_length_exceeded' },
    })
    await pair.upstream.answer('*', 'short', overflow)
    expect(targetOf(await ask(await combo('priority', ['one/short', 'two/long'])))).toBe('two/long')
    const same = await combo('priority', ['one/short', { model: 'one/short' }])
    expect((await ask(same)).status).toBe(400)
  })

  test('a combo is used by every dialect', async () => {
    const name = await combo('priority', ['one/any', 'claudish/any'])
    const answer = await pair.send('/v1/messages', {
      method: 'POST',
      body: JSON.stringify({ model: name, max_tokens: 50, messages: [{ role: 'user', content: 'Hi' }] }),
    })
    expect(answer.json()).toMatchObject({ type: 'message', content: [{ type: 'text' }] })
    expect(answer.status).toBe(200)
  })

  test('a target whose dialect cannot carry the request is passed over; with no other, the refusal says why', async () => {
    const both = await combo('priority', ['claudish/two-of', 'two/two-of'])
    expect(targetOf(await ask(both, { n: 2 }))).toBe('two/two-of')
    const none = await ask(await combo('priority', ['claudish/two-of']), { n: 2 })
    expect(none.status, none.text).toBe(400)
    expect(none.json()).toMatchObject({ error: { param: 'n' } })
  })

  test('combo/<name> is the same combo, and it stands in the list of models', async () => {
    const name = await combo('priority', ['two/listed'])
    expect(targetOf(await ask(`combo/${name}`))).toBe('two/listed')
    const list = (await pair.send('/v1/models')).json<{ data: { id: string }[] }>()
    expect(list.data.map(({ id }) => id)).toContain(name)
  })

  test('a step may be held back until a quota is spent', async () => {
    const name = await combo('priority', ['one/plan', { model: 'two/paid', fallbackOnlyOnQuotaExhaustion: true }])
    await pair.upstream.answer(KEY_A, 'plan', error(500))
    expect((await ask(name)).status).not.toBe(200)
    await pair.forget()
    await pair.upstream.answer(
      KEY_A,
      'plan',
      error(429, { error: { message: 'You have reached your weekly usage limit.' } }),
    )
    expect(targetOf(await ask(name))).toBe('two/paid')
  })

  test('wherever it stands in the list', async () => {
    const name = await combo('priority', [{ model: 'two/paid', fallbackOnlyOnQuotaExhaustion: true }, 'one/plan-2'])
    await pair.upstream.answer(KEY_A, 'plan-2', error(402, { error: { message: 'Your credit balance is too low.' } }))
    expect(targetOf(await ask(name))).toBe('two/paid')
  })
})

describe('retries', () => {
  /** Fails once without a rest, then answers. */
  const onceEmpty = () => [
    raw('data: [DONE]\n\n'),
    stream(text('data: {"choices":[{"delta":{"content":"Hi"}}]}\n\ndata: [DONE]\n\n')),
  ]

  test('come after the other targets', async () => {
    const name = await combo('priority', ['one/again', 'two/again'], { maxRetries: 1, retryDelayMs: 0 })
    await pair.upstream.answer(KEY_A, 'again', ...onceEmpty())
    expect(targetOf(await ask(name, { stream: true }))).toBe('two/again')
  })

  test('come first where the combo wants that', async () => {
    const config = { maxRetries: 1, retryDelayMs: 0, failoverBeforeRetry: false }
    const name = await combo('priority', ['one/at-once', 'two/at-once'], config)
    await pair.upstream.answer(KEY_A, 'at-once', ...onceEmpty())
    const answer = await ask(name, { stream: true })
    expect(targetOf(answer)).toBe('one/at-once')
    expect(answer.headers['x-breakwater-attempts']).toBe('2')
  })
})

describe('when nobody is left', () => {
  test('only rate limits: 429 with the earliest return', async () => {
    const name = await combo('priority', ['one/l', 'two/l'])
    const limited = (seconds: number) => ({
      ...error(429),
      headers: { 'content-type': 'application/json', 'retry-after': String(seconds) },
    })
    await pair.upstream.answer(KEY_A, 'l', limited(40))
    await pair.upstream.answer(KEY_B, 'l', limited(20))
    await ask(name)
    const answer = await ask(name)
    expect(answer.status).toBe(429)
    expect(answer.json()).toMatchObject({ error: { type: 'rate_limit_error', code: 'rate_limit_error' } })
    const retryAfter = Number(answer.headers['retry-after'])
    expect(retryAfter).toBeGreaterThan(15)
    expect(retryAfter).toBeLessThanOrEqual(20)
  })

  test('other timers among them: 503 all_targets_cooling_down, with a way out', async () => {
    const name = await combo('priority', ['one/c', 'two/c'])
    await pair.upstream.answer('*', 'c', error(500))
    await ask(name)
    const answer = await ask(name)
    expect(answer.status).toBe(503)
    expect(answer.json()).toMatchObject({
      error: {
        code: 'all_targets_cooling_down',
        type: 'service_unavailable',
        diagnostics: { poolSize: 2, attempted: 0, terminalReason: 'all_targets_cooling_down' },
        recovery_hint: { action: 'wait' },
      },
    })
    expect(answer.headers).toMatchObject({ 'x-omniroute-combo-pool-size': '2', 'x-omniroute-combo-excluded': '2' })
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(30)
  })

  test('is said of what its own attempts have just put to rest, however few rounds the combo wants', async () => {
    for (const config of [{}, { maxRetries: 0 }]) {
      const model = `just-${Object.keys(config).length}`
      const name = await combo('priority', [`one/${model}`, `two/${model}`], config)
      await pair.upstream.answer(KEY_A, model, error(500))
      await pair.upstream.answer(KEY_B, model, {
        ...error(429),
        headers: { 'content-type': 'application/json', 'retry-after': '20' },
      })
      const answer = await ask(name)
      expect(answer.json(), answer.text).toMatchObject({
        error: { code: 'all_targets_cooling_down', diagnostics: { poolSize: 2, attempted: 2, excluded: [{}, {}] } },
      })
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(15)
      expect(Number(answer.headers['retry-after'])).toBeLessThanOrEqual(20)
      await pair.forget()
    }
  })

  test('weighted with every step out by timers: 503 all_targets_cooling_down, rate limits too', async () => {
    const name = await combo('weighted', ['one/w', 'two/w'])
    await pair.upstream.answer('*', 'w', {
      ...error(429),
      headers: { 'content-type': 'application/json', 'retry-after': '30' },
    })
    await ask(name)
    expect((await ask(name)).json()).toMatchObject({ error: { code: 'all_targets_cooling_down' } })
  })

  test.each([
    [
      'spent quotas',
      'spent-at-once',
      error(429, { error: { code: 'insufficient_quota', message: 'You exceeded your current quota' } }),
    ],
    ['refused keys', 'refused-at-once', error(401, { error: { message: 'Incorrect API key provided' } })],
  ])('only %s, found out by this request itself: the same, and what was tried', async (_what, model, script) => {
    await pair.upstream.answer('*', model, script)
    const answer = await ask(await combo('priority', [`one/${model}`, `two/${model}`]))
    expect([answer.status, answer.headers['retry-after']], answer.text).toEqual([503, undefined])
    const { error: told } = answer.json<{ error: { code: string; diagnostics: { attempted: number } } }>()
    expect([told.code, told.diagnostics.attempted > 0]).toEqual(['ALL_TARGETS_SKIPPED', true])
  })

  test('only spent quotas: 503 ALL_TARGETS_SKIPPED without a hint', async () => {
    const name = await combo('priority', ['one/q', 'two/q'])
    await pair.upstream.answer(
      '*',
      'q',
      error(429, { error: { message: 'You have reached your weekly usage limit.' } }),
    )
    await ask(name)
    const answer = await ask(name)
    expect(answer.status).toBe(503)
    expect(answer.json()).toMatchObject({ error: { code: 'ALL_TARGETS_SKIPPED' } })
    expect(answer.headers['retry-after']).toBeUndefined()
  })

  test('no timer involved: 404 no_executable_targets', async () => {
    const name = await combo('priority', ['three/nobody'])
    const answer = await ask(name)
    expect(answer.status).toBe(404)
    expect(answer.json()).toMatchObject({ error: { code: 'no_executable_targets' } })
  })
})

describe('waiting', () => {
  let patient: GatewayPair
  beforeAll(async () => {
    patient = await startPair({ resilienceSettings: { connectionCooldown: { apikey: { baseCooldownMs: 200 } } } })
    for (const [name, models, config] of [
      ['waits', ['fake/w'], {}],
      ['mixed', ['fake/mixed', 'claudish/refused'], {}],
      ['once', ['fake/once'], { maxRetries: 0 }],
    ] as const) {
      const body = { name, strategy: 'priority', config, steps: models.map((model) => ({ model })) }
      await patient.manage('/api/combos', { method: 'POST', body: JSON.stringify(body) })
    }
  })
  afterAll(() => patient.stop())

  const limited = { ...error(429), headers: { 'content-type': 'application/json', 'retry-after-ms': '150' } }
  const back = json({ choices: [{ message: { role: 'assistant', content: 'back' } }] })
  const waits = (model: string): Promise<Answer> =>
    patient.send('/v1/chat/completions', {
      method: 'POST',
      body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hi' }] }),
    })

  test('a short rest is waited out, and the same target answers', async () => {
    await patient.upstream.answer(KEY_A, 'w', limited, back)
    await patient.upstream.answer(KEY_B, 'w', limited)
    const answer = await waits('waits')
    expect(answer.status, answer.text).toBe(200)
    expect(answer.text).toContain('back')
  })

  test('so it is behind one that fails for good, and without further rounds', async () => {
    await patient.upstream.answer('*', 'refused', error(401))
    for (const name of ['mixed', 'once']) {
      await patient.upstream.answer(KEY_A, name, limited, back)
      await patient.upstream.answer(KEY_B, name, limited, back)
      const answer = await waits(name)
      expect(answer.status, answer.text).toBe(200)
      expect(answer.text).toContain('back')
    }
  })
})

describe('strategies', () => {
  test('round-robin takes turns', async () => {
    const name = await combo('round-robin', ['one/r', 'two/r'], { stickyRoundRobinLimit: 1 })
    const targets = []
    for (let i = 0; i < 4; i++) targets.push(targetOf(await ask(name)))
    expect(targets).toEqual(['one/r', 'two/r', 'one/r', 'two/r'])
  })

  test('weighted never draws a step of weight 0 while another has more', async () => {
    const name = await combo('weighted', [
      { model: 'one/z', weight: 0 },
      { model: 'two/z', weight: 1 },
    ])
    for (let i = 0; i < 5; i++) expect(targetOf(await ask(name))).toBe('two/z')
  })

  test('lkgp stays with what answered last', async () => {
    const name = await combo('lkgp', ['one/k', 'two/k'])
    await pair.upstream.answer(KEY_A, 'k', error(500))
    expect(targetOf(await ask(name))).toBe('two/k')
    await pair.forget()
    expect(targetOf(await ask(name))).toBe('two/k')
  })

  describe('in turns, one request at a time', () => {
    const fine = json({ id: 'x', object: 'chat.completion', choices: [{ message: { content: 'Fine' } }] })
    const slow = (name: string) => ({ ...fine, steps: [gate(name), ...fine.steps] })
    const one = { concurrencyPerModel: 1, queueDepth: 1, stickyRoundRobinLimit: 1_000 }

    test('what comes meanwhile goes to a target that is free', async () => {
      const name = await combo('round-robin', ['one/busy', 'two/busy'], one)
      await pair.upstream.answer(KEY_A, 'busy', slow('busy'))
      const first = ask(name)
      await pair.upstream.arrival('busy')
      expect(targetOf(await ask(name))).toBe('two/busy')
      pair.upstream.open('busy')
      expect(targetOf(await first)).toBe('one/busy')
    })

    test('where none is free it waits in line, and when the line is full it is told so', async () => {
      const name = await combo('round-robin', ['one/line'], one)
      await pair.upstream.answer('*', 'line', slow('line'), fine)
      const first = ask(name)
      await pair.upstream.arrival('line')
      const others = [ask(name), ask(name)]
      const refused = await Promise.race(others)
      expect(refused.status, refused.text).toBe(503)
      expect(refused.json()).toMatchObject({ error: { code: 'RATE_LIMIT_QUEUE_TIMEOUT', retry_after: 1 } })
      pair.upstream.open('line')
      expect((await first).status).toBe(200)
      expect((await Promise.all(others)).map(({ status }) => status).sort()).toEqual([200, 503])
      expect(await pair.upstream.seen('line')).toHaveLength(2)
    })

    test('who gets no place in time is told so', async () => {
      const config = { ...one, queueTimeoutMs: 50 }
      const name = await combo('round-robin', ['one/late'], config)
      await pair.upstream.answer('*', 'late', slow('late'))
      const first = ask(name)
      await pair.upstream.arrival('late')
      expect((await ask(name)).status).toBe(503)
      pair.upstream.open('late')
      await first
    })
  })

  describe('a conversation', () => {
    const say = async (combo: string, content: string): Promise<unknown> =>
      targetOf(await ask(combo, { messages: [{ role: 'user', content }] }))
    /** What an account answers that has used this share of its five hours. */
    const used = (share: number) => {
      const plain = json({ id: 'x', object: 'chat.completion', choices: [{ message: { content: 'Fine' } }] })
      const window = {
        'anthropic-ratelimit-unified-status': 'allowed',
        'anthropic-ratelimit-unified-5h-utilization': String(share),
      }
      return { ...plain, headers: { ...plain.headers, ...window } }
    }

    /** The first account fails once, so that the second one answers; then both could be asked. */
    async function movedOn(model: string, share: number, config: object): Promise<string> {
      const name = await combo('priority', [`one/${model}`, `two/${model}`], config)
      await pair.upstream.answer(KEY_A, model, error(500), used(0.1))
      await pair.upstream.answer(KEY_B, model, used(share))
      expect(await say(name, 'A long talk')).toBe(`two/${model}`)
      await pair.forget()
      return name
    }

    test('stays with the account that answered it', async () => {
      const name = await movedOn('kept', 0.5, {})
      expect(await say(name, 'A long talk')).toBe('two/kept')
      expect(await say(name, 'Another talk')).toBe('one/kept')
    })

    test('is explained: who it stays with, and until when', async () => {
      const name = await movedOn('told', 0.5, {})
      const explained = async (request: object): Promise<unknown> => {
        const body = JSON.stringify(request)
        const { ordered } = (await pair.manage(`/api/combos/${name}/explain`, { method: 'POST', body })).json<{
          ordered: { provider: string; stays: { why: string; until: number } | null }[]
        }>()
        for (const { stays } of ordered) if (stays !== null) expect(stays.until).toBeGreaterThan(Date.now() + 800_000)
        return ordered.map(({ provider, stays }) => [provider, stays?.why ?? null])
      }
      expect(await explained({ messages: [{ role: 'user', content: 'A long talk' }] })).toEqual([
        ['two', 'It answered this conversation last: its beginning is in the prompt cache.'],
        ['one', null],
      ])
      expect(await explained({ messages: [{ role: 'user', content: 'Another talk' }] })).toEqual([
        ['one', null],
        ['two', null],
      ])
      expect(await explained({})).toEqual([
        ['one', null],
        ['two', 'One conversation stays with it, which it answered last.'],
      ])
    })

    test('leaves an account of which little is left', async () => {
      expect(await say(await movedOn('spent', 0.9, {}), 'A long talk')).toBe('one/spent')
    })

    test('goes by the strategy alone where the combo wants that', async () => {
      const name = await movedOn('free', 0.5, { promptCacheAffinityEnabled: false })
      expect(await say(name, 'A long talk')).toBe('one/free')
    })

    test('of a cache-optimized combo always begins at the same account', async () => {
      const name = await combo('cache-optimized', ['one/cached', 'two/cached'])
      const talks = Array.from({ length: 12 }, (_, i) => `Talk number ${i}`)
      const first = await Promise.all(talks.map((talk) => say(name, talk)))
      expect(new Set(first).size).toBe(2)
      expect(await Promise.all(talks.map((talk) => say(name, talk)))).toEqual(first)
    })
  })

  test('a combo inside a combo is one member', async () => {
    const inner = await combo('priority', ['one/i-down', 'two/i-up'])
    const outer = await combo('priority', [{ combo: inner }])
    await pair.upstream.answer(KEY_A, 'i-down', error(500))
    expect(targetOf(await ask(outer))).toBe('two/i-up')
  })

  test('a pinned step uses its connection and no other', async () => {
    const { connections } = (await pair.manage('/api/providers?provider=fake')).json<{
      connections: { id: string; name: string }[]
    }>()
    const b = connections.find(({ name }) => name === 'b')
    const name = await combo('priority', [{ model: 'fake/pinned', connection: b?.id }])
    expect((await ask(name)).text).toContain(KEY_B)
  })
})

describe('what a client wishes of auto in headers', () => {
  const facts = { inputPrice: 100, outputPrice: 100, reasoning: true }
  const wish = (model: string, headers: Readonly<Record<string, string>>, more: object = {}): Promise<Answer> => {
    const messages = [{ role: 'user', content: 'Why does this fail? Please debug it.' }]
    return pair.send('/v1/chat/completions', {
      ...{ method: 'POST', headers, body: JSON.stringify({ model, messages, ...more }) },
    })
  }
  let name = ''
  beforeAll(async () => {
    const dear = { provider: 'one', model: 'dear', facts }
    const cheap = { provider: 'two', model: 'cheap', facts: { ...facts, inputPrice: 1, outputPrice: 1 } }
    for (const model of [dear, cheap]) {
      const made = await pair.manage('/api/models', { method: 'POST', body: JSON.stringify(model) })
      expect(made.status, made.text).toBe(201)
    }
    name = await combo('auto', ['one/dear', 'two/cheap'], { explorationRate: 0 })
  })

  test('a budget keeps the dear ones out; within none of it the cheapest is asked, or 402 is the answer', async () => {
    for (const budget of ['0.01', '0.0000001'])
      for (let i = 0; i < 5; i++) expect(targetOf(await wish(name, { 'x-omniroute-budget': budget }))).toBe('two/cheap')
    const strict = { 'x-omniroute-budget': '0.0000001', 'x-omniroute-budget-fallback': 'strict' }
    const refused = await wish(name, strict)
    expect(refused.status).toBe(402)
    expect(refused.text).toContain('Raise X-OmniRoute-Budget')
  })

  test('is explained like the request it came with', async () => {
    const explained = (headers: Readonly<Record<string, string>>): Promise<Answer> =>
      pair.manage(`/api/combos/${name}/explain`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ max_tokens: 1 }),
      })
    const { ordered, excluded } = (await explained({ 'x-omniroute-budget': '0.00005' })).json<{
      ordered: { model: string }[]
      excluded: { model: string; why: string }[]
    }>()
    expect(ordered.map(({ model }) => model)).toEqual(['cheap'])
    expect(excluded).toMatchObject([{ model: 'dear', why: expect.stringContaining('budget') }])
    const strict = { 'x-omniroute-budget': '0.0000001', 'x-omniroute-budget-fallback': 'strict' }
    expect((await explained(strict)).status).toBe(402)
  })

  test('a mode in place of the combo’s own preference; an unknown one is as none', async () => {
    expect(targetOf(await wish(name, { 'x-omniroute-mode': 'cheap' }))).toBe('two/cheap')
    expect((await wish(name, { 'x-omniroute-mode': 'nonsense' })).status).toBe(200)
  })

  test('how hard to think is said to a model that reasons, unless the client said it', async () => {
    const effort = { 'x-omniroute-effort': 'auto', 'x-omniroute-mode': 'cheap' }
    const sent = async (...asked: Parameters<typeof wish>): Promise<unknown> => {
      expect((await wish(...asked)).status).toBe(200)
      const seen = (await pair.upstream.seen('cheap')).at(-1)
      return JSON.parse(Buffer.from(seen?.body ?? []).toString()).reasoning_effort
    }
    expect(await sent(name, effort)).toBe('high')
    expect(await sent(name, effort, { reasoning_effort: 'low' })).toBe('low')
    expect(await sent(name, { 'x-omniroute-mode': 'cheap' })).toBeUndefined()
    expect(await sent(await combo('priority', ['two/cheap']), effort)).toBeUndefined()
  })
})

describe('asked to explain itself, a combo', () => {
  interface Explained {
    ordered: { provider: string; model: string; score: number | null; parts: object }[]
    excluded: { provider: string; gate: string; reason: string; why: string; until: number }[]
  }
  const explain = async (name: string): Promise<Explained> =>
    (await pair.manage(`/api/combos/${name}/explain`, { method: 'POST', body: '{}' })).json()

  test('says whom it would ask, and who is out, why and until when; nothing is sent', async () => {
    const name = await combo('priority', ['one/e', 'two/e', 'three/e'])
    await pair.upstream.answer(KEY_A, 'e', error(500))
    await ask(name)
    const { ordered, excluded } = await explain(name)
    expect(ordered.map(({ provider, model }) => `${provider}/${model}`)).toEqual(['two/e'])
    expect(excluded).toMatchObject([
      { provider: 'one', gate: 'cooldown', reason: 'server_error' },
      { provider: 'three', gate: 'connection' },
    ])
    expect(excluded[0]?.until).toBeGreaterThan(Date.now())
    expect(await pair.upstream.seen('e')).toHaveLength(2)
  })

  test('says in which combo inside it a target is, and which are reserves', async () => {
    const inner = await combo('priority', ['one/n', 'three/n'])
    const steps = [{ combo: inner }, { model: 'two/n', fallbackOnlyOnQuotaExhaustion: true }]
    const { ordered, excluded } = await explain(await combo('priority', steps))
    expect(ordered).toMatchObject([
      { provider: 'one', via: [inner], reserve: false },
      { provider: 'two', via: [], reserve: true },
    ])
    expect(excluded).toMatchObject([{ provider: 'three', via: [inner] }])
  })

  test('needs not be saved for that', async () => {
    const draft = {
      strategy: 'weighted',
      steps: [
        { model: 'one/w', weight: 0 },
        { model: 'two/w', weight: 3 },
      ],
    }
    const explained = (body: object) =>
      pair.manage('/api/combos/explain', { method: 'POST', body: JSON.stringify(body) })
    const { ordered } = (await explained(draft)).json<Explained>()
    expect(ordered.map(({ provider }) => provider)).toEqual(['two', 'one'])
    const lost = { steps: [{ model: 'two/w' }, { model: 'nobody/x' }, { combo: 'none' }, { model: 'zzz*' }] }
    expect((await explained(lost)).json()).toMatchObject({
      ordered: [{ provider: 'two' }],
      dropped: [
        { step: 1, name: 'nobody/x', why: expect.stringContaining('No provider is named "nobody".') },
        { step: 2, name: 'none', why: 'There is no combo of this name.' },
        { step: 3, name: 'zzz*', why: 'No listed model is called like it.' },
      ],
    })
    const refused = await explained({ ...draft, steps: [{ model: 'one/w', weight: -1 }] })
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('steps[0].weight')])
    expect((await pair.manage('/api/combos/preview')).status).toBe(404)
  })

  test('gives scores where its strategy has them, and changes nothing by being asked', async () => {
    const name = await combo('auto', ['one/x', 'two/x'])
    const first = await explain(name)
    expect(first.ordered.every(({ score }) => score !== null)).toBe(true)
    const turns = await combo('round-robin', ['one/t', 'two/t'], { stickyRoundRobinLimit: 1 })
    await explain(turns)
    await explain(turns)
    expect(targetOf(await ask(turns))).toBe('one/t')
  })
})
