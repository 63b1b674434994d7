import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { gate, hang, parts, stream, text } from '../support/fake-answers'
import { DIALECTS, type GatewayPair, question, ROUTES, startPair } from '../support/gateway-pair'
import { CLIENT_KEY } from '../support/gateway-process'
import { begin } from '../support/http-client'

let pair: GatewayPair
beforeAll(async () => {
  pair = await startPair()
})
afterAll(() => pair.stop())

describe.each(DIALECTS)('%s', (dialect) => {
  const { preamble, content, ending } = parts[dialect]

  test('the first words arrive before the upstream has finished', async () => {
    const model = `gated-${dialect}`
    const script = stream(text(preamble), text(content('first')), gate(model), text(content(' last')), text(ending))
    await pair.upstream.answer('*', model, script)
    const answer = await pair.askStream(dialect, model)
    expect(await answer.until('first')).toBe(preamble + content('first'))
    pair.upstream.open(model)
    expect(await answer.rest()).toBe(preamble + content('first') + content(' last') + ending)
    expect(answer.headers['content-type']).toBe('text/event-stream')
  })

  test('a client that leaves in the middle of a stream ends the upstream’s work', async () => {
    const model = `left-midway-${dialect}`
    await pair.upstream.answer('*', model, stream(text(preamble + content('first')), hang))
    const answer = await pair.askStream(dialect, model)
    await answer.until('first')
    const { id } = await pair.upstream.arrival(model)
    const at = performance.now()
    answer.leave()
    expect(await pair.upstream.closed(id)).toMatchObject({ aborted: true })
    expect(performance.now() - at).toBeLessThan(1000)
    expect(await pair.upstream.seen(model)).toHaveLength(1)
  })

  test.each([
    ['a stream', true],
    ['a whole answer', false],
  ])(
    'a client that leaves before %s has begun ends the upstream’s work, and nobody else is asked',
    async (_what, streamed) => {
      const model = `left-early-${dialect}-${streamed}`
      await pair.upstream.answer('*', model, stream(hang))
      const { path, provider } = ROUTES[dialect]
      const request = begin(pair.gateway.url + path, {
        method: 'POST',
        headers: { authorization: `Bearer ${CLIENT_KEY}` },
        body: JSON.stringify(question(`${provider}/${model}`, { stream: streamed })),
      })
      request.on('error', () => {})
      const { id } = await pair.upstream.arrival(model)
      request.destroy()
      expect(await pair.upstream.closed(id)).toMatchObject({ aborted: true })
      await pair.ask(dialect, 'another')
      expect(await pair.upstream.seen(model)).toHaveLength(1)
    },
  )

  test('a client that leaves in the middle of a whole answer ends the upstream’s work', async () => {
    const model = `left-whole-${dialect}`
    const script = { headers: { 'content-type': 'application/json' }, steps: [text('{"half":'), hang] }
    await pair.upstream.answer('*', model, script)
    const { path, provider } = ROUTES[dialect]
    const request = begin(pair.gateway.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${CLIENT_KEY}` },
      body: JSON.stringify(question(`${provider}/${model}`)),
    })
    request.on('error', () => {})
    const { id } = await pair.upstream.arrival(model)
    request.destroy()
    expect(await pair.upstream.closed(id)).toMatchObject({ aborted: true })
  })
})

test('a client that does not read stops the upstream instead of filling the memory', async () => {
  const { preamble, content } = parts['openai-chat']
  const flood = { kind: 'flood', text: content('x'.repeat(900)), bytes: 200 * 1_048_576 } as const
  await pair.upstream.answer('*', 'flood', stream(text(preamble), text(content('first')), flood))
  const answer = await pair.askStream('openai-chat', 'flood')
  await answer.until('first')
  const before = pair.gateway.memoryMb()
  answer.stopReading()
  const { id } = await pair.upstream.arrival('flood')
  const written = await pair.upstream.stalled(id)
  expect(written).toBeLessThan(40 * 1_048_576)
  expect(pair.gateway.memoryMb() - before).toBeLessThan(40)
  answer.leave()
  expect(await pair.upstream.closed(id)).toMatchObject({ aborted: true })
})

test('many streams at once are each complete', async () => {
  const answers = await Promise.all(
    Array.from({ length: 60 }, async (_, i) => {
      const answer = await pair.askStream(i % 2 === 0 ? 'openai-chat' : 'anthropic', 'crowd')
      return answer.rest()
    }),
  )
  for (const [i, answer] of answers.entries()) {
    expect(answer).toContain(i % 2 === 0 ? 'data: [DONE]' : '"message_stop"')
  }
})

test('Claude Code reads its own name of the model in an answer, or it drops its thinking; others get the bytes as they came', async () => {
  const named = async (agent: string, stream: boolean): Promise<string> =>
    (await pair.ask('anthropic', 'named', { stream }, { headers: { 'user-agent': agent } })).text
  for (const stream of [true, false]) {
    expect(await named('claude-cli/2.1.197 (external, cli)', stream)).toContain(
      `"model":"${ROUTES.anthropic.provider}/named"`,
    )
    expect(await named('another/1.0', stream)).not.toContain(`${ROUTES.anthropic.provider}/named`)
  }
})
