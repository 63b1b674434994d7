// A combo that asks a second target when the first is slow to begin, over real sockets: who answers, what becomes of the
// other, and what is written down about both.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { RequestView } from '../../core/contract/views'
import { error, gate, hang, head, json, parts, stream, text } from '../support/fake-answers'
import type { Script } from '../support/fake-script'
import { CLIENT_KEY } from '../support/gateway-process'
import { begin, openStream } from '../support/http-client'
import { byKey, type Pools, startPools } from '../support/pools'

const hedged = (name: string, models: readonly string[], config: object = {}): object => ({
  ...{ name, strategy: 'priority', steps: models.map((model) => ({ model })) },
  config: { hedging: true, hedgeDelayMs: 50, maxRetries: 0, ...config },
})
const two = (name: string): object => hedged(name, [`one/${name}-1`, `two/${name}-2`])

let pools: Pools
beforeAll(async () => {
  pools = await startPools({
    pools: [byKey('one', 1), byKey('two', 1), byKey('three', 1)],
    resilience: { comboCooldownWait: { enabled: false } },
    combos: [
      ...['whole', 'streamed', 'first', 'early', 'both', 'away', 'left-alone'].map(two),
      hedged('patient', ['one/patient-1', 'two/patient-2'], { hedgeDelayMs: 60_000 }),
      hedged('tongues', ['one/tongues-1', 'claudish/tongues-2']),
      hedged('third', ['one/third-1', 'two/third-2', 'three/third-3']),
      { name: 'alone', strategy: 'priority', steps: [{ model: 'one/alone-1' }, { model: 'two/alone-2' }] },
    ],
  })
})
afterAll(() => pools.stop())
beforeEach(() => pools.forget())

const says = (content: string): Script =>
  json({
    ...{ id: 'c1', object: 'chat.completion', created: 1, model: 'm' },
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 10, completion_tokens: 3, total_tokens: 13 },
  })
const never: Script = { steps: [hang] }
const set = (model: string, ...scripts: Script[]): Promise<void> => pools.upstream.answer('*', model, ...scripts)
const told = ({ attempts }: RequestView): string[] =>
  attempts.map(({ model, outcome, next }) => `${model} ${outcome}: ${next}`)
const GIVEN_UP = 'given up: another target was faster'
const isBrokenOff = async (model: string): Promise<boolean> =>
  (await pools.upstream.closed((await pools.upstream.arrival(model)).id)).aborted
const chat = parts['openai-chat']
const asked = (model: string, more: object = {}) => ({
  ...{ method: 'POST', headers: { authorization: `Bearer ${CLIENT_KEY}` } },
  body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hi' }], ...more }),
})

describe('when the first target is slow to begin', () => {
  test('the second answers, the first is broken off, and nothing is held against it', async () => {
    await set('whole-1', never)
    await set('whole-2', says('From two'))
    const answer = await pools.chat('whole')
    expect(answer.status, answer.text).toBe(200)
    expect(answer.text).toContain('From two')
    expect(answer.headers).toMatchObject({ 'x-breakwater-target': 'two/whole-2', 'x-breakwater-attempts': '2' })
    expect(await isBrokenOff('whole-1')).toBe(true)
    const entry = await pools.logged('whole')
    expect(entry).toMatchObject({ outcome: 'ok', status: 200, target: 'two/whole-2', outputTokens: 3, code: null })
    expect(told(entry)).toEqual([`whole-1 aborted: ${GIVEN_UP}`, 'whole-2 ok: answered'])
    expect(await pools.rest('one')).toMatchObject({ status: 'healthy', gate: null })
    expect((await pools.breaker('one'))?.failureCount ?? 0).toBe(0)
    await pools.running(0)
  })

  test('of two streams the client gets the one with content first, whole, and no byte of the other', async () => {
    await set('streamed-1', stream(text(chat.preamble), gate('late'), text(chat.content('from one') + chat.ending)))
    await set('streamed-2', stream(text(chat.preamble + chat.content('from two')), gate('rest'), text(chat.ending)))
    const answer = await openStream(`${pools.gateway.url}/v1/chat/completions`, asked('streamed', { stream: true }))
    await answer.until('from two')
    pools.upstream.open('late')
    expect(await isBrokenOff('streamed-1')).toBe(true)
    pools.upstream.open('rest')
    expect(await answer.rest()).toBe(chat.preamble + chat.content('from two') + chat.ending)
  })

  test('it may answer all the same, and the second is broken off', async () => {
    await set('first-1', { ...says('From one'), steps: [gate('first'), ...says('From one').steps] })
    await set('first-2', never)
    const answer = pools.chat('first')
    await pools.upstream.arrival('first-2')
    pools.upstream.open('first')
    expect((await answer).text).toContain('From one')
    expect(await isBrokenOff('first-2')).toBe(true)
    expect(told(await pools.logged('first'))).toEqual(['first-1 ok: answered', `first-2 aborted: ${GIVEN_UP}`])
  })

  test.each([false, true])('the second may speak another dialect than the client (stream: %s)', async (isStream) => {
    const claude = parts.anthropic
    await set('tongues-1', never)
    await set(
      'tongues-2',
      isStream
        ? stream(text(claude.preamble + claude.content('From Claude') + claude.ending))
        : json({
            ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'm', stop_reason: 'end_turn' },
            content: [{ type: 'text', text: 'From Claude' }],
            usage: { input_tokens: 1, output_tokens: 1 },
          }),
    )
    const answer = await pools.chat('tongues', { stream: isStream })
    expect(answer.text).toContain('From Claude')
    expect(answer.text).toContain(isStream ? 'data: [DONE]' : '"chat.completion"')
  })
})

describe('when one of the two fails', () => {
  test('the other goes on and answers', async () => {
    await set('early-1', { ...error(500), steps: [gate('early'), ...error(500).steps] })
    await set('early-2', { ...says('From two'), steps: [gate('later'), ...says('From two').steps] })
    const answer = pools.chat('early')
    await pools.upstream.arrival('early-2')
    pools.upstream.open('early')
    expect((await pools.upstream.closed((await pools.upstream.arrival('early-1')).id)).aborted).toBe(false)
    pools.upstream.open('later')
    expect((await answer).text).toContain('From two')
    expect((await pools.logged('early')).attempts.map(({ outcome }) => outcome)).toEqual(['failed', 'ok'])
    expect(await pools.rest('one')).toMatchObject({ gate: { reason: 'server_error' } })
  })

  test('and the other too, the next one is asked', async () => {
    await set('third-1', { ...error(500), steps: [gate('third'), ...error(500).steps] })
    await set('third-2', { ...error(503), steps: [gate('third'), ...error(503).steps] })
    await set('third-3', says('From three'))
    const answer = pools.chat('third')
    await pools.upstream.arrival('third-2')
    pools.upstream.open('third')
    expect((await answer).text).toContain('From three')
  })

  test('and nobody is left, the client is told when somebody returns, and what each has said', async () => {
    await set('both-1', { ...error(500), steps: [gate('both'), ...error(500).steps] })
    await set('both-2', error(429))
    const answer = pools.chat('both')
    await pools.upstream.arrival('both-2')
    pools.upstream.open('both')
    const told = (await answer).json()
    expect(told).toMatchObject({
      error: {
        code: 'all_targets_cooling_down',
        diagnostics: { attemptOrder: [{ reason: 'rate_limit_exceeded' }, { reason: 'server_error' }] },
      },
    })
    expect(await pools.logged('both')).toMatchObject({ outcome: 'failed', status: 503 })
  })
})

test('the client’s leaving ends both calls', async () => {
  await set('away-1', never)
  await set('away-2', never)
  const request = begin(`${pools.gateway.url}/v1/chat/completions`, asked('away'))
  request.on('error', () => {})
  await Promise.all([pools.upstream.arrival('away-1'), pools.upstream.arrival('away-2')])
  request.destroy()
  expect(await Promise.all(['away-1', 'away-2'].map(isBrokenOff))).toEqual([true, true])
  expect(await pools.logged('away')).toMatchObject({ outcome: 'aborted', status: 499, code: 'client_disconnected' })
  await pools.running(0)
})

describe('nobody besides is asked', () => {
  test('before the time is over', async () => {
    await set('patient-1', { ...says('From one'), steps: [gate('patient'), ...says('From one').steps] })
    const answer = pools.chat('patient')
    await pools.upstream.arrival('patient-1')
    pools.upstream.open('patient')
    expect((await answer).text).toContain('From one')
    expect(await pools.upstream.seen('patient-2')).toEqual([])
  })

  test('once a whole answer has begun', async () => {
    // The pause is longer than the combo waits for a beginning.
    await set('left-alone-1', { ...says('x'), steps: [head, { kind: 'pause', ms: 200 }, ...says('From one').steps] })
    expect((await pools.chat('left-alone')).text).toContain('From one')
    expect(await pools.upstream.seen('left-alone-2')).toEqual([])
  })

  test('where the combo does not want it', async () => {
    await set('alone-1', { ...says('x'), steps: [{ kind: 'pause', ms: 200 }, ...says('From one').steps] })
    expect((await pools.chat('alone')).text).toContain('From one')
    expect(await pools.upstream.seen('alone-2')).toEqual([])
  })
})
