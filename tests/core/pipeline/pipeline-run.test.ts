import { describe, expect, it } from 'vitest'
import { embeddings } from '../../../core/dialects/openai-chat/embeddings'
import { openAiResponses } from '../../../core/dialects/openai-responses/openai-responses'
import { ComboRun } from '../../../core/pipeline/combo-run'
import { runPipeline } from '../../../core/pipeline/pipeline-run'
import { comboOf, member, openScene, type Scene, settled, within } from '../../support/whole-scene'

const pipeline = (members: Parameters<typeof comboOf>[1], config = {}) => comboOf('pipeline', members, config)
const models = ({ calls }: Scene): string[] => calls.map(({ model }) => model)
const TOOLS = [{ type: 'function', function: { name: 'look', parameters: { type: 'object', properties: {} } } }]
const callOf = (id: string): object[] => [
  { role: 'assistant', tool_calls: [{ id, type: 'function', function: { name: 'look', arguments: '{}' } }] },
  { role: 'tool', tool_call_id: id, content: `seen ${id}` },
]

describe('the steps', () => {
  it('come one after the other, each with its prompt and the words of the one before', async () => {
    const scene = openScene()
    const asked = await scene.ask(pipeline([member('p1/a', 'Plan.'), 'p2/b', member('p3/c', 'Polish.')]))
    expect(models(scene)).toEqual(['a'])
    const first = scene.call('a')
    expect(first.body.messages).toEqual([
      { role: 'system', content: 'Plan.' },
      { role: 'user', content: 'Hi' },
    ])
    await first.says('A plan')
    const second = scene.call('b')
    expect(second.body.messages).toEqual([
      { role: 'user', content: 'Hi' },
      { role: 'user', content: 'A plan' },
    ])
    await second.says('A draft')
    const third = scene.call('c')
    expect(third.body.messages).toEqual([
      { role: 'system', content: 'Polish.' },
      { role: 'user', content: 'Hi' },
      { role: 'user', content: 'A draft' },
    ])
    await third.says('Done')
    expect(await asked.ended).toBe('done')
    expect(asked.response.text).toContain('Done')
    expect(asked.entry()).toMatchObject({ outcome: 'ok', target: 'p3/c', attempts: [{}, {}, {}] })
  })

  it('are without stream and tools, and free in form, but for the last', async () => {
    const scene = openScene()
    const form = { response_format: { type: 'json_object' }, stop: ['END'] }
    await scene.ask(pipeline(['p1/a', 'p2/b']), { stream: true, tools: TOOLS, ...form })
    const first = scene.call('a')
    for (const name of ['tools', 'response_format', 'stop']) expect(first.body).not.toHaveProperty(name)
    expect(first.body.stream ?? false).toBe(false)
    await first.says('A draft')
    expect(scene.call('b').body).toMatchObject({ stream: true, tools: TOOLS, ...form })
  })

  it('are one where there is one: the request as it is', async () => {
    const scene = openScene()
    const asked = await scene.ask(pipeline(['p1/a']), { tools: TOOLS, service_tier: 'x' })
    const only = scene.call('a')
    expect(only.body).toEqual({
      model: 'a',
      messages: [{ role: 'user', content: 'Hi' }],
      tools: TOOLS,
      service_tier: 'x',
    })
    await only.says('Done')
    expect(await asked.ended).toBe('done')
  })

  it('may be a combo, which fails over by itself', async () => {
    const scene = openScene()
    await scene.ask(pipeline([within(comboOf('priority', ['p1/a', 'p2/b'])), 'p3/c']))
    await scene.call('a').fails(500)
    await scene.call('b').says('A draft')
    expect(scene.call('c').body.messages.at(-1)).toEqual({ role: 'user', content: 'A draft' })
  })

  it('are asked though one is meant for the time after a spent quota', async () => {
    const scene = openScene()
    const { target } = member('p1/a')
    await scene.ask(pipeline([{ kind: 'target', target: { ...target, onlyAfterQuota: true } }, 'p2/b']))
    expect(models(scene)).toEqual(['a'])
  })
})

describe('a step that fails', () => {
  it('ends the request with its error', async () => {
    const scene = openScene()
    const asked = await scene.ask(pipeline(['p1/a', 'p2/b', 'p3/c']))
    await scene.call('a').says('A plan')
    await scene.call('b').fails(400)
    expect(await asked.ended).toEqual({ relay: true })
    expect([models(scene), asked.run.failed.at(-1)?.error?.status]).toEqual([['a', 'b'], 400])
    expect(asked.entry().outcome).toBe('failed')
  })

  it.each([429, 502, 503, 504])(
    'is asked again after %d, as often as the combo says, and no other is',
    async (status) => {
      const scene = openScene({
        settings: { comboCooldownWait: { enabled: false }, connectionCooldown: { apikey: { baseCooldownMs: 100 } } },
      })
      const asked = await scene.ask(pipeline(['p1/a', 'p2/b'], { maxRetries: 2, retryDelayMs: 60_000 }))
      await scene.call('a').says('A plan')
      for (let i = 0; i < 2; i++) {
        await scene.call('b').fails(status)
        expect(scene.calls).toHaveLength(2 + i)
        scene.clock.advance(60_000)
        await settled()
      }
      await scene.call('b').fails(status)
      expect(await asked.ended).not.toBe('done')
      expect(models(scene)).toEqual(['a', 'b', 'b', 'b'])
    },
  )

  it('before the last is asked again likewise', async () => {
    const scene = openScene()
    await scene.ask(pipeline(['p1/a', 'p2/b'], { maxRetries: 1, retryDelayMs: 60_000 }))
    await scene.call('a').fails(503)
    scene.clock.advance(60_000)
    await settled()
    await scene.call('a').says('A plan')
    expect(models(scene)).toEqual(['a', 'a', 'b'])
  })

  it('is not asked again for what would not pass', async () => {
    const scene = openScene()
    const asked = await scene.ask(pipeline(['p1/a', 'p2/b'], { maxRetries: 3, retryDelayMs: 0 }))
    await scene.call('a').fails(401)
    expect(await asked.ended).not.toBe('done')
    expect(models(scene)).toEqual(['a'])
  })

  it('has said nothing where there are no words: nothing is made of it', async () => {
    const scene = openScene()
    const asked = await scene.ask(pipeline(['p1/a', 'p2/b']))
    await scene.call('a').reply(200, {
      ...{ id: 'c1', object: 'chat.completion', created: 1, model: 'm' },
      choices: [
        { index: 0, message: { role: 'assistant', content: null, reasoning_content: 'Hm' }, finish_reason: 'stop' },
      ],
    })
    expect(await asked.ended).toMatchObject({ error: { httpStatus: 502 } })
    expect(models(scene)).toEqual(['a'])
  })
})

describe('nothing is asked', () => {
  it('while one of the steps has nobody', async () => {
    const scene = openScene()
    const first = await scene.ask(comboOf('priority', ['p3/x']))
    await scene.call('x').fails(429, { 'retry-after': '600' })
    await first.ended
    const asked = await scene.ask(pipeline(['p1/a', 'p3/c', 'p2/b']))
    expect(await asked.ended).toMatchObject({ error: { httpStatus: 429, details: { retryAfterS: 600 } } })
    expect(models(scene)).toEqual(['x'])
  })

  it('where one of the steps leads to no model', async () => {
    const scene = openScene()
    const combo = pipeline(['p1/a', 'p2/b'])
    const asked = await scene.ask({ ...combo, dropped: [{ step: 1, because: 'unknown-model', name: 'gone/model' }] })
    expect(await asked.ended).toMatchObject({
      error: { httpStatus: 404, message: expect.stringMatching(/Step 2, "gone\/model", leads to no model/) },
    })
    expect(scene.calls).toEqual([])
  })

  it('of calls that are no conversation', async () => {
    const scene = openScene()
    const asked = await scene.ask(pipeline(['p1/a', 'p2/b']), { input: 'Hi' }, embeddings)
    expect(await asked.ended).toMatchObject({ error: { httpStatus: 400 } })
    expect(scene.calls).toEqual([])
  })

  it('where only one provider knows the conversation', async () => {
    const scene = openScene()
    const combo = pipeline(['p1/a', 'p2/b'])
    const request = scene.begin({ input: 'Hi', previous_response_id: 'resp_9' }, openAiResponses)
    const running = { ...request.running, unusableFor: () => null }
    const whole = { combo, usable: combo.members, owner: { isOverTime: () => false }, running, deps: scene.deps }
    expect(await runPipeline({ ...whole, run: request.run })).toMatchObject({
      error: { httpStatus: 400, details: { field: 'previous_response_id' } },
    })
  })

  it('of a model that cannot call tools, unless it is the last: the others get none', async () => {
    const scene = openScene()
    const noTools = (provider: string) => ({ tools: { value: provider !== 'p1' } }) as never
    const deps = { ...scene.deps, factsOf: noTools }
    const ask = (combo: ReturnType<typeof pipeline>) => {
      const { run, running } = scene.begin({ tools: TOOLS })
      return new ComboRun(combo, run, running, deps).answer()
    }
    void ask(pipeline(['p1/a', 'p2/b']))
    await settled()
    expect(models(scene)).toEqual(['a'])
    expect(await ask(pipeline(['p2/b', 'p1/a']))).toHaveProperty('error')
    expect(models(scene)).toEqual(['a'])
  })
})

describe('the end before the end', () => {
  it('comes with the client’s leaving, in the middle of a step', async () => {
    const scene = openScene()
    const asked = await scene.ask(pipeline(['p1/a', 'p2/b']))
    asked.response.leave()
    expect(await asked.ended).toBe('left')
    expect([scene.call('a').aborted, models(scene)]).toEqual([true, ['a']])
  })

  it('comes with the client’s leaving, between two tries', async () => {
    const scene = openScene()
    const asked = await scene.ask(pipeline(['p1/a', 'p2/b'], { maxRetries: 1, retryDelayMs: 60_000 }))
    await scene.call('a').fails(503)
    asked.response.leave()
    expect(await asked.ended).toBe('left')
  })

  it('comes when the combo’s time is over', async () => {
    const scene = openScene()
    const asked = await scene.ask(pipeline(['p1/a', 'p2/b'], { comboTimeoutMs: 5_000 }))
    scene.clock.advance(5_000)
    await scene.call('a').says('Late')
    expect(await asked.ended).toMatchObject({ error: { code: 'COMBO_TIMEOUT' } })
    expect(models(scene)).toEqual(['a'])
  })
})

describe('two agents', () => {
  const agents = pipeline(['p1/a', 'p2/b'], { agentic: true, maxToolRounds: 2 })

  it('are told to plan and to carry out, unless their steps say otherwise', async () => {
    const scene = openScene()
    await scene.ask(agents)
    const planner = scene.call('a')
    expect(planner.body.messages[0]).toMatchObject({ role: 'system', content: expect.stringMatching(/^Plan/) })
    await planner.says('A plan')
    expect(scene.call('b').body.messages[0]).toMatchObject({ content: expect.stringMatching(/^Carry out/) })
    const other = openScene()
    await other.ask({ ...agents, members: [member('p1/a', 'Mine.'), member('p2/b')] })
    expect(other.call('a').body.messages[0]).toEqual({ role: 'system', content: 'Mine.' })
  })

  it.each([
    ['one round', [...callOf('a')], true],
    ['two rounds', [...callOf('a'), ...callOf('b')], false],
    [
      'two rounds, and another word of the user',
      [...callOf('a'), ...callOf('b'), { role: 'user', content: 'And?' }],
      true,
    ],
  ])('use tools only so often: after %s', async (_what, turns, hasTools) => {
    const scene = openScene()
    await scene.ask(agents, { tools: TOOLS, messages: [{ role: 'user', content: 'Hi' }, ...turns] })
    await scene.call('a').says('A plan')
    const { body } = scene.call('b')
    expect(body.tools !== undefined).toBe(hasTools)
    expect(JSON.stringify(body.messages)).toContain('seen a')
    expect(body.messages.at(-1)?.content).toContain('A plan')
  })
})
