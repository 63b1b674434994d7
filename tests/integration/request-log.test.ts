// What the request log says afterwards: every request once, with its attempts in order, and why each was left.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RequestView } from '../../core/contract/views'
import { openRequestsTable } from '../../core/store/requests-table'
import { cut, error, gate, hang, parts, raw, stream, text } from '../support/fake-answers'
import { DIALECTS, type GatewayPair, KEY_A, KEY_B, question, ROUTES, startPair } from '../support/gateway-pair'
import { CLIENT_KEY, temporaryFolder } from '../support/gateway-process'
import { begin } from '../support/http-client'

const dataDir = temporaryFolder()
let pair: GatewayPair
const log = new Map<string, RequestView>()

beforeAll(async () => {
  pair = await startPair({}, { dataDir })
  for (const dialect of DIALECTS) await makeTraffic(dialect)
  await pair.gateway.end()
  const database = new Database(join(dataDir, 'history.db'), { readonly: true })
  for (const request of openRequestsTable(database).list({ limit: 500 })) {
    expect(log.has(request.model)).toBe(false)
    log.set(request.model, request)
  }
  database.close()
})
afterAll(async () => {
  await pair.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

const name = (dialect: string, what: string): string => `${what}-${dialect}`

async function makeTraffic(dialect: (typeof DIALECTS)[number]): Promise<void> {
  const { upstream } = pair
  const { preamble, content } = parts[dialect]
  const tool = { headers: { 'user-agent': 'some-tool/3.2 (linux)' } }
  await pair.ask(dialect, name(dialect, 'plain'), {}, tool)
  await pair.ask(dialect, name(dialect, 'streamed'), { stream: true }, tool)

  await upstream.answer(KEY_A, name(dialect, 'failed-over'), error(429, { error: { message: 'slow down' } }))
  await pair.ask(dialect, name(dialect, 'failed-over'))

  await upstream.answer(KEY_A, name(dialect, 'all-failed'), error(500))
  await upstream.answer(KEY_B, name(dialect, 'all-failed'), raw(preamble))
  await pair.ask(dialect, name(dialect, 'all-failed'), { stream: true })

  await upstream.answer('*', name(dialect, 'refused'), error(400, { error: { message: 'too long' } }))
  await pair.ask(dialect, name(dialect, 'refused'))

  const broken = name(dialect, 'broken')
  await upstream.answer('*', broken, stream(text(preamble + content('said')), gate(broken), cut))
  const answer = await pair.askStream(dialect, broken)
  await answer.until('said')
  upstream.open(broken)
  await answer.rest()

  // What the break led to is not what this is about.
  await pair.forget()
  const left = name(dialect, 'left')
  await upstream.answer('*', left, { steps: [hang] })
  const request = begin(pair.gateway.url + ROUTES[dialect].path, {
    method: 'POST',
    headers: { authorization: `Bearer ${CLIENT_KEY}` },
    body: JSON.stringify(question(`${ROUTES[dialect].provider}/${left}`)),
  })
  request.on('error', () => {})
  const { id } = await upstream.arrival(left)
  request.destroy()
  await upstream.closed(id)

  await pair.send(ROUTES[dialect].path, { method: 'POST', body: JSON.stringify(question(name(dialect, 'nobody/m'))) })
}

describe.each(DIALECTS)('%s', (dialect) => {
  const { provider, path } = ROUTES[dialect]
  const entry = (what: string): RequestView => {
    const found = log.get(`${provider}/${name(dialect, what)}`)
    if (found === undefined) throw new Error(`${what} is not in the log: ${[...log.keys()].join(', ')}`)
    return found
  }
  const first = { index: 0, provider, connectionName: 'a' }

  test.each([
    ['plain', false],
    ['streamed', true],
  ])('a good answer (%s): by whom, for whom, how long, how many tokens', (what, streamed) => {
    const model = name(dialect, what)
    const { totalMs, firstByteMs, at, ...request } = entry(what)
    expect(request).toMatchObject({
      clientKey: 'main',
      tool: 'some-tool/3.2',
      endpoint: path,
      dialect,
      target: `${provider}/${model}`,
      stream: streamed,
      outcome: 'ok',
      status: 200,
      code: null,
      attempts: [{ ...first, model, outcome: 'ok', status: 200, reason: null }],
    })
    // A stream of this provider reports tokens only where its dialect always does.
    if (!streamed || dialect === 'anthropic') {
      expect(request.inputTokens).toBe(11)
      expect(request.outputTokens).toBe(3)
    }
    expect(firstByteMs).toBeGreaterThan(0)
    expect(totalMs).toBeGreaterThanOrEqual(firstByteMs as number)
    expect(Date.now() - at).toBeLessThan(60_000)
  })

  test('a fail-over: both attempts in order, and why the first was left', () => {
    const { attempts, ...request } = entry('failed-over')
    expect(request).toMatchObject({ outcome: 'ok', status: 200 })
    expect(attempts).toMatchObject([
      { ...first, outcome: 'failed', status: 429, reason: 'rate_limit_exceeded' },
      { index: 1, connectionName: 'b', outcome: 'ok', status: 200, reason: null },
    ])
    expect(attempts[0]?.message).toContain('slow down')
    expect(attempts[0]?.next).toContain('next connection')
  })

  test('no answer from anyone: failed, with both reasons', () => {
    const { attempts, ...request } = entry('all-failed')
    expect(request).toMatchObject({ outcome: 'failed', status: 500, target: null })
    expect(attempts.map(({ reason }) => reason)).toEqual(['server_error', 'empty_answer'])
    expect(attempts.at(-1)?.next).toContain('no connection was left')
  })

  test('a refusal of the request: one attempt, about the request', () => {
    const { attempts, ...request } = entry('refused')
    expect(request).toMatchObject({ outcome: 'failed', status: 400 })
    expect(attempts).toMatchObject([{ ...first, status: 400, reason: 'bad_request' }])
  })

  test('a break in the middle: truncated, with one attempt', () => {
    const { attempts, ...request } = entry('broken')
    expect(request).toMatchObject({ outcome: 'truncated', status: 200, code: 'stream_broken' })
    expect(attempts).toMatchObject([{ ...first, outcome: 'failed', reason: 'network_error' }])
  })

  test('a client that left: aborted, and nobody is blamed', () => {
    const { attempts, ...request } = entry('left')
    expect(request).toMatchObject({ outcome: 'aborted', status: 499, code: 'client_disconnected' })
    expect(attempts).toMatchObject([{ ...first, outcome: 'aborted', reason: 'aborted' }])
  })

  test('a model nobody has: failed without an attempt', () => {
    const found = log.get(name(dialect, 'nobody/m'))
    expect(found).toMatchObject({ outcome: 'failed', status: 404, code: 'model_not_found', attempts: [] })
  })
})
