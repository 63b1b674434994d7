// Ending the gateway: what runs may finish for a moment, and what cannot is told so.
import { rmSync } from 'node:fs'
import { connect } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { gate, hang, parts, stream, text } from '../support/fake-answers'
import { DIALECTS, type GatewayPair, question, startPair } from '../support/gateway-pair'
import { startGateway, temporaryFolder } from '../support/gateway-process'
import { send } from '../support/http-client'

/** The promise of the headless gateway: gone this long after SIGTERM at the latest. */
const WITHIN_MS = 3_000

let pair: GatewayPair
afterEach(() => pair.stop())

async function timed(work: Promise<number | null>): Promise<{ code: number | null; ms: number }> {
  const from = performance.now()
  const code = await work
  return { code, ms: performance.now() - from }
}

/** Resolves once nobody listens there any more. */
async function refused(port: number): Promise<void> {
  const accepted = await new Promise<boolean>((done) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      done(true)
    })
    socket.on('error', () => done(false))
  })
  if (accepted) await refused(port)
}

test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('%s ends an idle gateway at once, with code 0', async (signal) => {
  pair = await startPair()
  // An idle keep-alive connection must not hold it up.
  await fetch(`${pair.gateway.url}/health`)
  const { code, ms } = await timed(pair.gateway.end(signal))
  expect(code).toBe(0)
  expect(ms).toBeLessThan(1_500)
})

describe.each(DIALECTS)('%s', (dialect) => {
  const { preamble, content, ending, endMark } = parts[dialect]

  test('a stream that ends soon is completed', async () => {
    pair = await startPair()
    await pair.upstream.answer('*', 'soon', stream(text(preamble + content('first')), gate('go'), text(ending)))
    const answer = await pair.askStream(dialect, 'soon')
    await answer.until('first')
    const ended = timed(pair.gateway.end())
    await refused(pair.gateway.port)
    pair.upstream.open('go')
    expect(await answer.rest()).toBe(preamble + content('first') + ending)
    const { code, ms } = await ended
    expect(code).toBe(0)
    expect(ms).toBeLessThan(WITHIN_MS)
  })

  test('a stream that goes on is closed by one error event, and its upstream is let go', async () => {
    pair = await startPair()
    await pair.upstream.answer('*', 'endless', stream(text(preamble + content('first')), hang))
    const answer = await pair.askStream(dialect, 'endless')
    await answer.until('first')
    const { id } = await pair.upstream.arrival('endless')
    const { code, ms } = await timed(pair.gateway.end())
    expect(code).toBe(0)
    expect(ms).toBeLessThan(WITHIN_MS)
    const whole = await answer.rest()
    expect(whole.startsWith(preamble + content('first'))).toBe(true)
    const last = whole.slice((preamble + content('first')).length)
    expect(last.match(/data: /g)).toHaveLength(1)
    expect(last).toContain('gateway_stopping')
    expect(last).not.toContain(endMark)
    expect(await pair.upstream.closed(id)).toMatchObject({ aborted: true })
  })

  test.each([
    ['a stream', true],
    ['a whole answer', false],
  ])('%s that has not begun becomes a 503', async (_what, streamed) => {
    pair = await startPair()
    await pair.upstream.answer('*', 'silent', { steps: [hang] })
    const asked = pair.ask(dialect, 'silent', { stream: streamed })
    await pair.upstream.arrival('silent')
    const { code, ms } = await timed(pair.gateway.end())
    expect(code).toBe(0)
    expect(ms).toBeLessThan(WITHIN_MS)
    const answer = await asked
    expect(answer.status).toBe(503)
    expect(answer.json().error).toMatchObject({ code: 'gateway_stopping' })
    expect(answer.json().type).toBe(dialect === 'anthropic' ? 'error' : undefined)
  })
})

test.each(['SIGTERM', 'SIGKILL'] as const)('after %s the same folder serves again at once', async (signal) => {
  pair = await startPair()
  const dataDir = temporaryFolder()
  const first = await startGateway({ dataDir })
  try {
    await first.end(signal)
    const second = await startGateway({ dataDir })
    expect(second.listening).not.toHaveProperty('clientKey')
    const answer = await send(`${second.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${first.clientKey}` },
      body: JSON.stringify(question('practice/echo')),
    })
    expect(answer.status).toBe(200)
    await second.stop()
  } finally {
    await first.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
})

/** What reaches the process within a quarter of a second is one and the same Ctrl+C. */
const LATER_MS = 300

test.each([
  ['twice at once is one signal: the answer may still finish', 0, 0],
  ['a second one a moment later ends it without waiting', LATER_MS, 1],
])('%s', async (_what, pause, exitCode) => {
  pair = await startPair()
  const { preamble, content } = parts['openai-chat']
  await pair.upstream.answer('*', 'endless', stream(text(preamble + content('first')), hang))
  const answer = await pair.askStream('openai-chat', 'endless')
  await answer.until('first')
  const ended = timed(pair.gateway.end())
  await refused(pair.gateway.port)
  if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause))
  process.kill(pair.gateway.pid, 'SIGTERM')
  const { code, ms } = await ended
  expect(code).toBe(exitCode)
  expect(ms).toBeLessThan(WITHIN_MS)
  await answer.rest().catch(() => {})
})
