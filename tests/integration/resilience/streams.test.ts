// Errors that come inside a 200, before and after the point of no return, and calls that prove nothing about anyone
// (docs/resilience.md, "The point of no return", "What counts against a provider").
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { chatDelta, claudeEvent, cut, error, gate, hang, parts, raw, stream, text } from '../../support/fake-answers'
import { question } from '../../support/gateway-pair'
import { CLIENT_KEY } from '../../support/gateway-process'
import { begin, type OpenStream, openStream } from '../../support/http-client'
import { byKey, eventually, held, keyOf, type Pools, startPools } from '../../support/pools'

let pools: Pools
beforeAll(async () => {
  pools = await startPools({
    pools: [
      byKey('plain', 2),
      { provider: 'messages', size: 2, own: { class: 'apikey', dialect: 'anthropic', perModelQuota: false } },
    ],
    settings: { idleTimeoutMs: 600 },
    resilience: {
      connectionCooldown: { apikey: { baseCooldownMs: 60_000 } },
      providerBreaker: { apikey: { failureThreshold: 2, degradationThreshold: 1, resetTimeoutMs: 60_000 } },
    },
  })
})
afterAll(() => pools.stop())
beforeEach(() => pools.forget())

const { preamble, content, ending, endMark } = parts['openai-chat']
const ANSWER = parts.anthropic.preamble + parts.anthropic.content('later') + parts.anthropic.ending
const keys = async (model: string): Promise<string[]> => (await pools.upstream.seen(model)).map(({ key }) => key)
const streamed = (model: string): Promise<OpenStream> =>
  openStream(`${pools.gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${CLIENT_KEY}` },
    body: JSON.stringify(question(`plain/${model}`, { stream: true })),
  })
const inside = (code: number | string, message = 'inside'): string =>
  `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', choices: [], error: { code, message } })}\n\n`
const failures = async (provider = 'plain'): Promise<number | undefined> =>
  (await pools.breaker(provider))?.failureCount

describe('an error inside a 200, before any content', () => {
  test.each<[number | string, string, number]>([
    [502, 'server_error', 1],
    [429, 'rate_limit_exceeded', 0],
    ['rate_limit_exceeded', 'rate_limit_exceeded', 0],
    [401, 'auth_error', 0],
  ])('%s counts as the status it stands for, and the next key answers', async (code, reason, counted) => {
    const model = `before-${code}`
    await pools.upstream.answer(keyOf('plain', 1), model, raw(preamble, inside(code)))
    // The second one hangs after its first words, so that its success has not yet been counted.
    await pools.upstream.answer(
      keyOf('plain', 2),
      model,
      stream(text(preamble + content('from 2')), gate(model), text(ending)),
    )
    const answer = await streamed(model)
    await answer.until('from 2')
    expect(await failures()).toBe(counted)
    expect(await pools.rest('plain')).toMatchObject({ status: 'cooling_down', lastErrorType: reason })
    pools.upstream.open(model)
    expect(await answer.rest()).toBe(preamble + content('from 2') + ending)
    expect(await keys(model)).toEqual([keyOf('plain', 1), keyOf('plain', 2)])
  })

  test('of the last key it becomes a real status', async () => {
    await pools.upstream.answer('*', 'both inside', raw(preamble, inside(429, 'slow down')))
    const answer = await pools.chat('plain/both inside', { stream: true })
    expect(answer.status).toBe(429)
    expect(answer.json().error.message).toContain('slow down')
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
  })
})

describe('after content', () => {
  async function broken(model: string, ...steps: Parameters<typeof stream>): Promise<string> {
    await pools.upstream.answer('*', model, stream(text(preamble + content('first words')), gate(model), ...steps))
    const answer = await streamed(model)
    expect(answer.status).toBe(200)
    await answer.until('first words')
    pools.upstream.open(model)
    const whole = await answer.rest().catch(() => answer.soFar())
    expect(whole.startsWith(preamble + content('first words'))).toBe(true)
    expect(whole).not.toContain(endMark)
    expect(await keys(model)).toEqual([keyOf('plain', 1)])
    return whole.slice((preamble + content('first words')).length)
  }
  /** The one event that follows the content. */
  const errorOf = (rest: string): { readonly code?: unknown; readonly message?: unknown } => {
    const events = rest.match(/^data: .*$/gm) ?? []
    expect(events).toHaveLength(1)
    return JSON.parse(String(events[0]).slice('data: '.length)).error
  }

  test.each<[number, string, number]>([
    [502, 'server_error', 1],
    [429, 'rate_limit_exceeded', 0],
  ])('an error %d is told once and ends the stream; it counts like any other', async (code, reason, counted) => {
    const rest = await broken(`after-${code}`, text(inside(code, 'later')), text(content('never')), text(ending))
    expect(errorOf(rest).message).toBe('later')
    expect(rest).not.toContain('never')
    await eventually(
      () => pools.rest('plain'),
      ({ status }) => status === 'cooling_down',
    )
    expect((await pools.rest('plain')).lastErrorType).toBe(reason)
    expect(await failures()).toBe(counted)
    const entry = await pools.logged(`plain/after-${code}`)
    expect(entry).toMatchObject({ outcome: 'truncated', status: 200 })
    expect(entry.attempts).toHaveLength(1)
  })

  test('a broken connection ends it, rests the key and counts against the provider', async () => {
    const rest = await broken('cut', cut)
    expect(errorOf(rest).message).toContain('broke')
    await eventually(
      () => pools.rest('plain'),
      ({ lastErrorType }) => lastErrorType === 'network_error',
    )
    expect(await failures()).toBe(1)
    expect((await pools.logged('plain/cut')).outcome).toBe('truncated')
  })

  test('silence ends it as a timeout', async () => {
    const rest = await broken('silent', hang)
    expect(errorOf(rest).message).toContain('silent')
    await eventually(
      () => pools.rest('plain'),
      ({ lastErrorType }) => lastErrorType === 'timeout',
    )
    expect(await failures()).toBe(1)
  })

  test('after the end mark is none: the answer is whole, at once, though the connection stays open', async () => {
    const model = 'kept-open'
    await pools.upstream.answer('*', model, stream(text(preamble + content('word') + ending), hang))
    const answer = await streamed(model)
    expect(await answer.rest()).toBe(preamble + content('word') + ending)
    expect((await pools.logged(`plain/${model}`)).outcome).toBe('ok')
    expect(await failures()).toBe(0)
  })

  test('the log says what was found inside', async () => {
    await broken('after-logged', text(inside(429, 'later')))
    const { attempts } = await pools.logged('plain/after-logged')
    expect(attempts[0]).toMatchObject({ outcome: 'failed', reason: 'rate_limit_exceeded' })
  })
})

describe('a client that leaves', () => {
  test.each(['before the first byte', 'in the middle'])('%s counts against nobody', async (when) => {
    const model = `left ${when}`
    const script = when === 'in the middle' ? stream(text(preamble + content('word')), hang) : { steps: [hang] }
    await pools.upstream.answer('*', model, script)
    const request = begin(`${pools.gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${CLIENT_KEY}` },
      body: JSON.stringify(question(`plain/${model}`, { stream: true })),
    })
    request.on('error', () => {})
    const { id } = await pools.upstream.arrival(model)
    request.destroy()
    expect(await pools.upstream.closed(id)).toMatchObject({ aborted: true })
    expect(await pools.logged(`plain/${model}`)).toMatchObject({ outcome: 'aborted', code: 'client_disconnected' })
    expect(await keys(model)).toEqual([keyOf('plain', 1)])
    expect(await failures()).toBe(0)
    expect((await pools.rests('plain')).map(({ status }) => status)).toEqual(['healthy', 'healthy'])
  })
})

describe('what feeds nothing', () => {
  const count = (model: string) =>
    pools.send('/v1/messages/count_tokens', {
      method: 'POST',
      body: JSON.stringify({ model: `messages/${model}`, messages: [{ role: 'user', content: 'Hi' }] }),
    })
  const untouched = async (): Promise<void> => {
    expect((await pools.rests('messages')).map(({ status, lastErrorType }) => [status, lastErrorType])).toEqual([
      ['healthy', null],
      ['healthy', null],
    ])
    expect((await failures('messages')) ?? 0).toBe(0)
    expect(await pools.locks()).toEqual([])
  }

  test.each([401, 402, 403, 404, 429, 500, 503, 529])('a count of tokens that fails with %d', async (status) => {
    await pools.upstream.answer('*', `count-${status}`, error(status))
    const answer = await count(`count-${status}`)
    expect(answer.status).toBe(200)
    expect(answer.headers['x-breakwater-estimate']).toBe('true')
    await untouched()
  })

  test('a count of tokens that succeeds takes nothing back', async () => {
    const fault = claudeEvent('error', { error: { type: 'api_error', message: 'broke' } })
    await pools.upstream.answer(keyOf('messages', 1), 'fails', raw(parts.anthropic.preamble, fault))
    await pools.upstream.answer(keyOf('messages', 2), 'fails', held('answers later', raw(ANSWER)))
    const asked = openStream(`${pools.gateway.url}/v1/messages`, {
      method: 'POST',
      headers: { authorization: `Bearer ${CLIENT_KEY}` },
      body: JSON.stringify(question('messages/fails', { stream: true })),
    })
    await eventually(
      () => keys('fails'),
      (found) => found.length === 2,
    )
    const before = await pools.breaker('messages')
    expect(before).toMatchObject({ state: 'DEGRADED', failureCount: 1 })
    expect((await count('fine')).json()).toHaveProperty('input_tokens')
    expect(await pools.breaker('messages')).toEqual({ ...before, retryAfterMs: 0 })
    expect((await pools.rest('messages')).status).toBe('cooling_down')
    pools.upstream.open('answers later')
    expect(await (await asked).rest()).toBe(ANSWER)
  })

  test('a list of models, and a person’s test that fails', async () => {
    await pools.upstream.answer(keyOf('messages', 1), '*', error(503))
    await pools.upstream.answer(keyOf('messages', 2), '*', error(401))
    for (const { id } of await pools.rests('messages'))
      await pools.manage(`/api/providers/${id}/test`, { method: 'POST' })
    await pools.manage('/api/models/refresh', { method: 'POST', body: JSON.stringify({ provider: 'messages' }) })
    await untouched()
    for (const n of [1, 2]) await pools.upstream.answer(keyOf('messages', n), '*')
  })
})

test('a 200 without content is passed over with a light penalty only', async () => {
  await pools.upstream.answer(keyOf('plain', 1), 'empty', raw(chatDelta({ content: '' }), ending))
  await pools.upstream.answer(keyOf('plain', 2), 'empty', raw(preamble + content('from 2') + ending))
  expect(await (await streamed('empty')).rest()).toContain('from 2')
  expect((await pools.rest('plain')).gate).toBeNull()
  expect(await failures()).toBe(0)
  const { attempts } = await pools.logged('plain/empty')
  expect(attempts.map(({ reason }) => reason)).toEqual(['empty_answer', null])
})
