// A person's test of a combo, against a gateway that says what the model's name tells it to.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ComboTest } from '../../../core/contract/combo-views'
import { type ComboWorldParts, openCombos } from './open-combos'

interface Asked {
  readonly model: string
  readonly authorization: string | undefined
  readonly path: string | undefined
}

/** "gpt-5" answers by "work", "glm-5" fails, "hang" never answers. */
async function ownPort() {
  const asked: Asked[] = []
  const most = { now: 0, ever: 0 }
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (part) => {
      text += String(part)
    })
    request.on('end', () => {
      const { model } = JSON.parse(text) as { model: string }
      asked.push({ model, authorization: request.headers.authorization, path: request.url })
      most.now++
      most.ever = Math.max(most.ever, most.now)
      if (model.includes('hang')) return
      setImmediate(() => {
        most.now--
        const ok = !model.includes('glm')
        response.writeHead(ok ? 200 : 401, {
          'x-request-id': `req_${asked.length}`,
          ...(ok ? { 'x-omniroute-selected-connection-id': 'con_openai_work' } : {}),
        })
        response.end(JSON.stringify(ok ? { choices: [] } : { error: { message: 'The key is not valid.' } }))
      })
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { asked, most, port: (server.address() as AddressInfo).port }
}

async function begin(parts: ComboWorldParts = {}) {
  const gateway = await ownPort()
  return { ...openCombos({ ...parts, tryTarget: { port: gateway.port, key: 'bw-internal' } }), ...gateway }
}

describe('a test of a combo', () => {
  it('asks what each step leads to through the gateway, and says what came of it', async () => {
    const { ask, make, asked } = await begin()
    await make('inner', 'glm-5', 'openai/gpt-5-mini')
    await make('a', 'gpt-5', 'glm/glm-5', 'combo/inner', 'nobody/x', 'openai/gpt-5')
    const result = ComboTest.parse(await ask('combos:test', { id: 'a' }))
    expect(result).toMatchObject({ ok: true, message: '3 of 5 steps answered.' })
    expect(result.steps.map(({ step, name, ok }) => [step, name, ok])).toEqual([
      [0, 'gpt-5', true],
      [1, 'glm/glm-5', false],
      [2, 'inner', true],
      [3, 'nobody/x', false],
      [4, 'openai/gpt-5', true],
    ])
    expect(result.steps[0]?.targets).toMatchObject([
      { target: 'openai/gpt-5', ok: true, status: 200, connectionId: 'con_openai_work', connectionName: 'work' },
    ])
    expect(result.steps[1]).toMatchObject({
      message: 'The key is not valid.',
      targets: [{ status: 401, connectionId: null }],
    })
    expect(result.steps[2]?.message).toBe('1 of 2 answered.')
    expect(result.steps[3]).toMatchObject({
      message: expect.stringContaining('No provider is named "nobody"'),
      targets: [],
    })
    // Each once, whatever leads there.
    expect(asked.map(({ model }) => model).sort()).toEqual(['glm/glm-5', 'openai/gpt-5', 'openai/gpt-5-mini'])
    expect(asked[0]).toMatchObject({ authorization: 'Bearer bw-internal', path: '/v1/chat/completions' })
  })

  it('asks only the steps it is told to, and of a pattern’s models only the first', async () => {
    const listed = { openai: ['m1', 'm2', 'm3', 'm4', 'm5'], glm: ['glm-5'] }
    const { ask, make, asked } = await begin({ listed })
    await make('a', 'glm-5', 'openai/*')
    const { steps, message } = await ask('combos:test', { id: 'a', steps: [1] })
    expect(message).toBe('1 of 1 step answered.')
    expect(steps).toMatchObject([{ step: 1, ok: true, message: '3 of 3 answered. 2 more models not asked.' }])
    expect(asked.map(({ model }) => model).sort()).toEqual(['openai/m1', 'openai/m2', 'openai/m3'])
    await expect(ask('combos:test', { id: 'a', steps: [2] })).rejects.toThrow('steps: there is no step 2.')
  })

  it('asks no more than four at once, and fifty in all', async () => {
    const listed = { openai: Array.from({ length: 60 }, (_, i) => `m${i}`) }
    const { ask, make, asked, most } = await begin({ listed })
    await make('a', ...listed.openai)
    const { steps } = await ask('combos:test', { id: 'a' })
    expect(asked).toHaveLength(50)
    expect(most.ever).toBeLessThanOrEqual(4)
    expect(steps.filter(({ ok }) => ok)).toHaveLength(50)
    expect(steps[59]).toMatchObject({ ok: false, message: 'Not asked: more than 50 models in one test.' })
  })

  it('does not take the answer of another connection for its own', async () => {
    const { ask } = await begin()
    await ask('combos:create', {
      name: 'a',
      steps: [
        { model: 'gpt-5', connection: 'home' },
        { model: 'gpt-5', connection: 'work' },
      ],
    })
    const { steps } = await ask('combos:test', { id: 'a' })
    expect(steps.map(({ ok, message }) => [ok, message])).toEqual([
      [false, '"work" answered in place of its own "home".'],
      [true, expect.stringContaining('Answered in')],
    ])
  })

  it('gives up after a minute, and says when nothing is there to ask', async () => {
    const { ask, make, clock, asked } = await begin({ listed: { openai: ['hang'] } })
    await make('a', 'hang')
    const idle = clock.waiting
    const waiting = ask('combos:test', { id: 'a' })
    await expect.poll(() => asked.length).toBe(1)
    clock.advance(60_000)
    expect((await waiting).steps).toMatchObject([{ ok: false, message: 'No answer within 60 seconds.' }])
    expect(clock.waiting).toBe(idle)

    const alone = openCombos({ tryTarget: { port: 9, key: '' } })
    await alone.make('a', 'gpt-5')
    const { ok, steps } = await alone.ask('combos:test', { id: 'a' })
    expect(ok).toBe(false)
    expect(steps).toMatchObject([
      { targets: [{ status: null }], message: expect.stringContaining('could not be reached') },
    ])
  })
})
