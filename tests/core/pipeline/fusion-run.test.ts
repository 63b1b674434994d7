import { describe, expect, it } from 'vitest'
import { anthropic } from '../../../core/dialects/anthropic/anthropic'
import { openAiResponses } from '../../../core/dialects/openai-responses/openai-responses'
import { Panel } from '../../../core/pipeline/fusion-panel'
import { Run } from '../../../core/pipeline/run'
import { chatAnswer, comboOf, member, openScene, type Scene, settled, within } from '../../support/whole-scene'

const three = ['p1/a', 'p2/b', 'p3/c']
const fusion = (members: Parameters<typeof comboOf>[1] = three, config = {}) => comboOf('fusion', members, config)
const lastWords = ({ body }: Scene['calls'][number]): string => String(body.messages.at(-1)?.content)
const models = ({ calls }: Scene): string[] => calls.map(({ model }) => model)

describe('the panel', () => {
  it('is asked all at once, whole, and its answers go to the first member in the order of the list', async () => {
    const scene = openScene()
    const asked = await scene.ask(fusion())
    expect(models(scene)).toEqual(['a', 'b', 'c'])
    await scene.call('c').says('Three')
    await scene.call('a').says('One')
    await scene.call('b').says('Two')
    expect(models(scene)).toEqual(['a', 'b', 'c', 'a'])
    const judge = scene.call('a')
    expect(lastWords(judge)).toMatch(/One.*Two.*Three/s)
    await judge.says('Verdict')
    expect(await asked.ended).toBe('done')
    expect(asked.response.text).toContain('Verdict')
    expect(asked.entry()).toMatchObject({ outcome: 'ok', target: 'p1/a', outputTokens: 3 })
  })

  it('is waited for by the clock: a grace behind the quorum, then who is late is broken off', async () => {
    const scene = openScene()
    const asked = await scene.ask(fusion(three, { stragglerGraceMs: 5_000 }))
    const late = scene.call('c')
    await scene.call('a').says('One')
    scene.clock.advance(60_000)
    await scene.call('b').says('Two')
    scene.clock.advance(4_999)
    await settled()
    expect([late.aborted, models(scene)]).toEqual([false, ['a', 'b', 'c']])
    scene.clock.advance(1)
    await settled()
    expect([late.aborted, models(scene)]).toEqual([true, ['a', 'b', 'c', 'a']])
    await scene.call('a').says('Verdict')
    expect(await asked.ended).toBe('done')
    expect(asked.entry().attempts[2]).toMatchObject({
      outcome: 'aborted',
      next: expect.stringContaining('enough others'),
    })
    expect(scene.health.connection('p3-key', scene.clock.now())).toBeUndefined()
  })

  it('judges without the late answer where that comes after all', async () => {
    const scene = openScene()
    await scene.ask(fusion(three, { stragglerGraceMs: 0 }))
    await scene.call('a').says('One')
    const late = scene.call('c')
    await scene.call('b').says('Two')
    scene.clock.advance(0)
    await settled()
    await late.says('Three')
    expect(lastWords(scene.call('a'))).not.toContain('Three')
  })

  it('is over when its time is, whoever has answered', async () => {
    const scene = openScene()
    const asked = await scene.ask(fusion(three, { panelHardTimeoutMs: 30_000 }))
    await scene.call('b').says('Alone')
    scene.clock.advance(30_000)
    expect(await asked.ended).toBe('done')
    expect(JSON.parse(asked.response.text)).toEqual(chatAnswer('Alone'))
    expect(scene.calls.map(({ aborted }) => aborted)).toEqual([true, false, true])
  })

  it('goes on without those that fail, and waits for nobody else', async () => {
    const scene = openScene()
    await scene.ask(fusion())
    await scene.call('b').fails(500)
    await scene.call('a').says('One')
    expect(models(scene)).toHaveLength(3)
    await scene.call('c').says('Three')
    expect(lastWords(scene.call('a'))).toMatch(/One.*Three/s)
  })

  it('does not count an answer without words', async () => {
    const scene = openScene()
    const asked = await scene.ask(fusion(['p1/a', 'p2/b']))
    await scene.call('a').reply(200, {
      ...chatAnswer(''),
      choices: [
        { index: 0, message: { role: 'assistant', content: null, reasoning_content: 'Hm' }, finish_reason: 'stop' },
      ],
    })
    await scene.call('b').says('Two')
    expect(await asked.ended).toBe('done')
    expect(asked.response.text).toContain('Two')
  })

  it('leaves with the client, and asks no judge', async () => {
    const scene = openScene()
    const before = scene.clock.waiting
    const asked = await scene.ask(fusion())
    await scene.call('a').says('One')
    asked.response.leave()
    expect(await asked.ended).toBe('left')
    expect(scene.calls.map(({ aborted }) => aborted)).toEqual([false, true, true])
    expect(asked.entry().attempts[1]?.next).toBe('the client closed the connection')
    // Nobody is left to be watched.
    scene.clock.advance(100)
    expect(scene.clock.waiting).toBe(before)
  })

  it('asks nobody where the client is gone already', async () => {
    const scene = openScene()
    const combo = fusion()
    const { response, running } = scene.begin()
    response.leave()
    const whole = { combo, usable: combo.members, owner: { isOverTime: () => false }, running, deps: scene.deps }
    const panel = new Panel(combo.members, 2, running.client, { ...whole, run: new Run(running, scene.deps) })
    expect(await panel.listen()).toBe('left')
    expect(scene.calls).toEqual([])
  })
})

describe('when nobody answered', () => {
  it('it is a 503 that names each member and why', async () => {
    const scene = openScene()
    const asked = await scene.ask(fusion(three, { panelHardTimeoutMs: 30_000 }))
    await scene.call('a').fails(500)
    await scene.call('b').fails(429)
    scene.clock.advance(30_000)
    const end = await asked.ended
    if (typeof end === 'string' || !('error' in end)) throw new Error(`ended with ${JSON.stringify(end)}`)
    expect(end.error.httpStatus).toBe(503)
    expect(end.error.message).toMatch(/p1\/a: 500: said 500; p2\/b: 429: said 429; p3\/c: not waited for any longer/)
    expect(asked.response.status).toBeNull()
  })

  it('nobody is asked again', async () => {
    const scene = openScene()
    const asked = await scene.ask(fusion(['p1/a', 'p2/b'], { maxRetries: 3, retryDelayMs: 0 }))
    for (const model of ['a', 'b']) await scene.call(model).fails(503)
    expect(await asked.ended).toHaveProperty('error')
    expect(scene.calls).toHaveLength(2)
  })
})

describe('the only answer', () => {
  it('is the client’s as a stream where it wants one, in its dialect', async () => {
    const scene = openScene()
    const body = { max_tokens: 9, stream: true }
    const asked = await scene.ask(fusion(['p1/a', 'p2/b']), body, anthropic)
    await scene.call('a').fails(500)
    await scene.call('b').says('Two')
    expect(await asked.ended).toBe('done')
    expect(asked.response.header('content-type')).toContain('event-stream')
    expect(asked.response.header('x-breakwater-attempts')).toBe('2')
    expect(asked.response.text).toMatch(/message_start.*"text":"Two".*message_stop/s)
    expect(asked.entry()).toMatchObject({ outcome: 'ok', status: 200, target: 'p2/b' })
  })

  it.each([false, true])('can be continued by its id (stream: %s)', async (stream) => {
    const scene = openScene()
    const asked = await scene.ask(fusion(['p1/a', 'p2/b']), { input: 'Hi', stream }, openAiResponses)
    await scene.call('a').fails(500)
    await scene.call('b').says('Two')
    expect(await asked.ended).toBe('done')
    const id = /"id":"(resp_[^"]+)"/.exec(asked.response.text)?.[1] ?? ''
    const kept = scene.deps.responses.get(id)
    expect(JSON.stringify(kept?.input)).toContain('Hi')
    expect(JSON.stringify(kept?.response)).toContain('Two')
  })
})

describe('the judge', () => {
  it('is followed by the others in their order, and the panel is not asked again', async () => {
    const scene = openScene()
    const asked = await scene.ask(fusion())
    for (const model of ['a', 'b', 'c']) await scene.call(model).says(model.toUpperCase())
    await scene.call('a').fails(500)
    await scene.call('b').fails(500)
    await scene.call('c').says('Verdict')
    expect(await asked.ended).toBe('done')
    expect(models(scene)).toEqual(['a', 'b', 'c', 'a', 'b', 'c'])
    expect(asked.response.text).toContain('Verdict')
  })

  it('ends the request with its own error where it would be the same everywhere', async () => {
    const scene = openScene()
    const asked = await scene.ask(fusion(['p1/a', 'p2/b']))
    for (const model of ['a', 'b']) await scene.call(model).says(model)
    await scene.call('a').fails(400)
    expect(await asked.ended).toEqual({ relay: true })
    expect(asked.run.failed.at(-1)?.error?.status).toBe(400)
    expect(asked.entry().outcome).toBe('failed')
  })

  it('is the one the combo names, as long as it may be used', async () => {
    const scene = openScene()
    const combo = { ...fusion(['p1/a', 'p2/b']), judge: member('p3/j') }
    await scene.ask(combo)
    for (const model of ['a', 'b']) await scene.call(model).says(model)
    expect(scene.call('j').body.messages).toHaveLength(2)

    const other = openScene()
    const first = await other.ask(comboOf('priority', ['p3/j']))
    await other.call('j').fails(429, { 'retry-after': '600' })
    await first.ended
    await other.ask(combo)
    for (const model of ['a', 'b']) await other.call(model).says(model)
    expect(models(other)).toEqual(['j', 'a', 'b', 'a'])
  })

  it('is told what is kept for later turns only in its own request', async () => {
    const scene = openScene()
    const asked = await scene.ask(fusion(['p1/a', 'p2/b']), { input: 'Hi', instructions: 'Be kind.' }, openAiResponses)
    for (const model of ['a', 'b']) await scene.call(model).says(model)
    expect(lastWords(scene.calls[2] as Scene['calls'][number])).toContain('<source')
    await scene.call('a').says('Verdict')
    expect(await asked.ended).toBe('done')
    const answer = JSON.parse(asked.response.text)
    expect(answer.instructions).toBe('Be kind.')
    expect(JSON.stringify(scene.deps.responses.get(answer.id)?.input)).not.toContain('<source')
  })

  it('comes too late where the combo’s time is over', async () => {
    const scene = openScene()
    const asked = await scene.ask(fusion(['p1/a', 'p2/b'], { comboTimeoutMs: 10_000 }))
    await scene.call('a').says('One')
    scene.clock.advance(10_000)
    await scene.call('b').says('Two')
    expect(await asked.ended).toMatchObject({ error: { code: 'COMBO_TIMEOUT', httpStatus: 504 } })
    expect(scene.calls).toHaveLength(2)
  })
})

describe('a fusion inside a fusion', () => {
  it('is one voice, and gives up its own members with itself', async () => {
    const scene = openScene()
    const inner = { ...fusion(['p2/b', 'p3/c']), name: 'inner' }
    const asked = await scene.ask(fusion(['p1/a', within(inner), 'p1/d'], { stragglerGraceMs: 0 }))
    expect(models(scene)).toEqual(['a', 'b', 'c', 'd'])
    await scene.call('a').says('One')
    await scene.call('d').says('Four')
    scene.clock.advance(0)
    await settled()
    expect(scene.calls.map(({ aborted }) => aborted)).toEqual([false, true, true, false, false])
    await scene.calls[4]?.says('Verdict')
    expect(await asked.ended).toBe('done')
    expect(asked.entry().attempts[1]?.next).toContain('enough others')
  })

  it('speaks with its own judge’s voice', async () => {
    const scene = openScene()
    const inner = { ...fusion(['p2/b', 'p3/c']), name: 'inner' }
    const asked = await scene.ask(fusion(['p1/a', within(inner)]))
    for (const model of ['a', 'b', 'c']) await scene.call(model).says(model.toUpperCase())
    await scene.call('b').says('Inner verdict')
    const judge = scene.call('a')
    expect(lastWords(judge)).toMatch(/>\nA\n.*Inner verdict/s)
    await judge.says('Verdict')
    expect(await asked.ended).toBe('done')
  })
})
