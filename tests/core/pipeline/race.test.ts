import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SetConfig } from '../../../core/contract/combo-config'
import { anthropic } from '../../../core/dialects/anthropic/anthropic'
import { parts } from '../../support/fake-answers'
import { chatAnswer, comboOf, openScene, type Scene, type SentCall, settled } from '../../support/whole-scene'

const hedged = (models: readonly string[], config: SetConfig = {}) =>
  comboOf('priority', models, { hedging: true, hedgeDelayMs: 500, ...config })
const two = ['p1/a', 'p2/b']
const models = ({ calls }: Scene): string[] => calls.map(({ model }) => model)
const pass = async ({ clock }: Scene, ms: number): Promise<void> => {
  clock.advance(ms)
  await settled()
}
const { preamble, content, ending } = parts['openai-chat']

describe('while the first target is quick', () => {
  it('nobody else is asked', async () => {
    const scene = openScene()
    const before = scene.clock.waiting
    const asked = await scene.ask(hedged(two))
    await pass(scene, 499)
    await scene.call('a').says('Quick')
    expect(await asked.ended).toBe('done')
    await pass(scene, 10_000)
    expect(models(scene)).toEqual(['a'])
    expect(asked.entry().attempts).toMatchObject([{ model: 'a', outcome: 'ok', next: 'answered' }])
    expect(scene.clock.waiting).toBe(before)
  })

  it('nor without hedging, however slow it is', async () => {
    const scene = openScene()
    await scene.ask(comboOf('priority', two))
    await pass(scene, 60_000)
    expect(models(scene)).toEqual(['a'])
  })

  it('nor when it has begun a whole answer', async () => {
    const scene = openScene()
    const asked = await scene.ask(hedged(two))
    const a = scene.call('a')
    await a.begins('application/json')
    await pass(scene, 5_000)
    await a.gives(JSON.stringify(chatAnswer('At last')))
    await a.ends()
    expect(await asked.ended).toBe('done')
    expect(models(scene)).toEqual(['a'])
  })
})

describe('when the first target is slow to begin', () => {
  it('the next one is asked too, and answers where it is faster', async () => {
    const scene = openScene()
    const asked = await scene.ask(hedged(two))
    await pass(scene, 500)
    expect(models(scene)).toEqual(['a', 'b'])
    const a = scene.call('a')
    expect(a.aborted).toBe(false)
    await scene.call('b').says('From b')
    expect(await asked.ended).toBe('done')
    expect(a.aborted).toBe(true)
    expect(asked.response.text).toContain('From b')
    expect(asked.response.header('x-breakwater-target')).toBe('p2/b')
    expect(asked.response.header('x-breakwater-attempts')).toBe('2')
    const entry = asked.entry()
    expect(entry).toMatchObject({ outcome: 'ok', status: 200, target: 'p2/b', code: null, outputTokens: 3 })
    expect(entry.attempts).toMatchObject([
      { model: 'a', outcome: 'aborted', reason: 'aborted', next: 'given up: another target was faster' },
      { model: 'b', outcome: 'ok', next: 'answered' },
    ])
  })

  it('it may still be the faster one', async () => {
    const scene = openScene()
    const asked = await scene.ask(hedged(two))
    await pass(scene, 500)
    await scene.call('a').says('From a')
    expect(await asked.ended).toBe('done')
    expect(scene.call('b').aborted).toBe(true)
    expect(asked.response.text).toContain('From a')
    expect(asked.entry().attempts.map(({ outcome }) => outcome)).toEqual(['ok', 'aborted'])
  })

  it('a stream is the one that has content first, and no byte of the other', async () => {
    const scene = openScene()
    const asked = await scene.ask(hedged(two), { stream: true })
    const a = scene.call('a')
    await a.begins()
    await a.gives(preamble)
    await pass(scene, 500)
    const b = scene.call('b')
    await b.begins()
    await b.gives(preamble + content('from b'))
    expect(a.aborted).toBe(true)
    await a.gives(content('from a'))
    await b.gives(content(' alone') + ending)
    await a.ends()
    await b.ends()
    expect(await asked.ended).toBe('done')
    expect(asked.response.text).toBe(preamble + content('from b') + content(' alone') + ending)
  })

  it('the clients of other dialects get theirs', async () => {
    const scene = openScene()
    const asked = await scene.ask(hedged(two), { max_tokens: 50 }, anthropic)
    await pass(scene, 500)
    await scene.call('b').says('From b')
    expect(await asked.ended).toBe('done')
    expect(JSON.parse(asked.response.text)).toMatchObject({ type: 'message', content: [{ text: 'From b' }] })
  })

  it('a stream that breaks off after its first content is not made good by the one that was given up', async () => {
    const scene = openScene()
    const asked = await scene.ask(hedged(two), { stream: true })
    await pass(scene, 500)
    const b = scene.call('b')
    await b.begins()
    await b.gives(preamble + content('half'))
    await b.ends()
    expect(await asked.ended).toBe('done')
    expect(asked.response.text).toMatch(/half.*error/s)
    expect(asked.entry()).toMatchObject({ outcome: 'truncated', code: 'stream_broken' })
    expect(models(scene)).toEqual(['a', 'b'])
  })

  it('no more than two are asked at once', async () => {
    const scene = openScene()
    await scene.ask(hedged(['p1/a', 'p2/b', 'p3/c']))
    await pass(scene, 60_000)
    expect(models(scene)).toEqual(['a', 'b'])
  })

  it('the same account is not asked the same twice', async () => {
    const scene = openScene()
    await scene.ask(hedged(['p1/a', 'p1/a', 'p2/b']))
    await pass(scene, 500)
    expect(models(scene)).toEqual(['a', 'b'])
  })

  it('nobody is asked when the combo’s time is over, or nobody may be', async () => {
    const scene = openScene()
    await scene.ask(hedged(two, { comboTimeoutMs: 400 }))
    const limited = await scene.ask(comboOf('priority', ['p2/b']))
    await scene.call('b').fails(429, { 'retry-after': '600' })
    await limited.ended
    await scene.ask(hedged(two))
    await pass(scene, 5_000)
    expect(models(scene)).toEqual(['a', 'b', 'a'])
  })
})

describe('when one of two fails', () => {
  it('the other goes on', async () => {
    const scene = openScene()
    const asked = await scene.ask(hedged(two))
    await pass(scene, 500)
    await scene.call('a').fails(500)
    expect(models(scene)).toEqual(['a', 'b'])
    await pass(scene, 5_000)
    await scene.call('b').says('From b')
    expect(await asked.ended).toBe('done')
    expect(asked.entry().attempts).toMatchObject([{ outcome: 'failed' }, { outcome: 'ok' }])
  })

  it('and it was the second, the third is asked at once', async () => {
    const scene = openScene()
    const asked = await scene.ask(hedged(['p1/a', 'p2/b', 'p3/c']))
    await pass(scene, 500)
    await scene.call('b').fails(500)
    await pass(scene, 0)
    expect(models(scene)).toEqual(['a', 'b', 'c'])
    await scene.call('c').says('From c')
    expect(await asked.ended).toBe('done')
    expect(scene.call('a').aborted).toBe(true)
  })

  it('and the other too, the next one is tried as usual', async () => {
    const scene = openScene()
    const asked = await scene.ask(hedged(['p1/a', 'p2/b', 'p3/c']))
    await pass(scene, 500)
    await scene.call('a').fails(500)
    await scene.call('b').fails(500)
    expect(models(scene)).toEqual(['a', 'b', 'c'])
    await scene.call('c').says('From c')
    expect(await asked.ended).toBe('done')
    expect(asked.entry().attempts.map(({ outcome }) => outcome)).toEqual(['failed', 'failed', 'ok'])
  })

  it('because the request is wrong, that is the last word unless the other answers', async () => {
    const scene = openScene()
    const asked = await scene.ask(hedged(['p1/a', 'p2/b', 'p3/c']))
    await pass(scene, 500)
    await scene.call('a').reply(400, { error: { message: 'temperature must be a number' } })
    await scene.call('b').fails(503)
    expect(await asked.ended).toEqual({ relay: true })
    expect(asked.run.failed.at(-1)?.error?.status).toBe(400)
    expect(models(scene)).toEqual(['a', 'b'])
  })
})

describe('of who was given up', () => {
  it('nothing is held for or against it', async () => {
    const scene = openScene()
    const asked = await scene.ask(hedged(two))
    await pass(scene, 500)
    await scene.call('b').says('From b')
    await asked.ended
    const now = scene.clock.now()
    expect(scene.health.connection('p1-key', now)).toBeUndefined()
    expect(scene.health.breakerStatus('p1', now)).toMatchObject({ state: 'CLOSED', failureCount: 0 })
    const [a] = hedged(two).members
    if (a?.kind !== 'target') throw new Error('no target')
    expect(scene.deps.stats.measured('my-priority', a.target, now)).toMatchObject({ successRate: null })
  })

  it('a probe is given back', async () => {
    const limits = { failureThreshold: 2, degradationThreshold: 1, resetTimeoutMs: 10_000 }
    const scene = openScene({
      settings: { comboCooldownWait: { enabled: false }, providerBreaker: { apikey: limits } },
    })
    const breaker = () => scene.health.breakerStatus('p1', scene.clock.now())
    for (let i = 0; i < 2; i++) {
      const failing = await scene.ask(comboOf('priority', ['p1/a']))
      await scene.call('a').fails(503)
      await failing.ended
      scene.health.clearCooldowns(['p1-key'])
      await pass(scene, 6_000)
    }
    await pass(scene, 10_000)
    expect(breaker()?.state).toBe('HALF_OPEN')
    const asked = await scene.ask(hedged(two))
    const probe = scene.call('a')
    const { health } = scene
    const admitted = () => health.admit({ providerId: 'p1', connectionId: 'p1-key', model: 'a' }).kind
    expect(admitted()).toBe('closed')
    await pass(scene, 500)
    await scene.call('b').says('From b')
    await asked.ended
    expect(probe.aborted).toBe(true)
    expect(breaker()?.state).toBe('HALF_OPEN')
    expect(admitted()).toBe('admitted')
  })
})

describe('the client’s leaving', () => {
  it('ends both', async () => {
    const scene = openScene()
    const asked = await scene.ask(hedged(two))
    await pass(scene, 500)
    asked.response.leave()
    expect(await asked.ended).toBe('left')
    expect(scene.calls.map(({ aborted }) => aborted)).toEqual([true, true])
    expect(asked.entry().attempts.map(({ next }) => next)).toEqual([
      'the client closed the connection',
      'the client closed the connection',
    ])
  })

  it('in the middle of a stream ends the one that is left', async () => {
    const scene = openScene()
    const asked = await scene.ask(hedged(two), { stream: true })
    await pass(scene, 500)
    const b = scene.call('b')
    await b.begins()
    await b.gives(preamble + content('half'))
    asked.response.leave()
    expect(await asked.ended).toBe('left')
    expect(b.aborted).toBe(true)
    expect(asked.entry().attempts.map(({ next }) => next)).toEqual([
      'given up: another target was faster',
      'the client closed the connection',
    ])
  })

  it('before the second is asked leaves nothing behind', async () => {
    const scene = openScene()
    const before = scene.clock.waiting
    const asked = await scene.ask(hedged(two))
    asked.response.leave()
    expect(await asked.ended).toBe('left')
    await pass(scene, 5_000)
    expect(models(scene)).toEqual(['a'])
    expect(scene.clock.waiting).toBe(before)
  })
})

it('a client that reads slowly holds up the one that answers', async () => {
  const scene = openScene()
  const asked = await scene.ask(hedged(two), { stream: true })
  await pass(scene, 500)
  const b = scene.call('b')
  await b.begins()
  asked.response.takes = false
  await b.gives(preamble + content('half'))
  expect(b.paused).toBe(true)
  asked.response.drain()
  expect(b.paused).toBe(false)
})

it('round-robin asks nobody besides who is busy', async () => {
  const scene = openScene()
  const turns = comboOf('round-robin', two, { hedging: true, hedgeDelayMs: 500, concurrencyPerModel: 1 })
  await scene.ask(turns)
  await scene.ask(turns)
  await pass(scene, 5_000)
  expect(models(scene)).toEqual(['a', 'b'])
})

describe('whatever two streams do, in any order', () => {
  type Move = 'begin' | 'role' | 'words' | 'finish' | 'cut' | 'error'
  const move = fc.constantFrom<Move>('begin', 'role', 'words', 'words', 'finish', 'cut', 'error')
  const moves = fc.array(fc.tuple(fc.constantFrom('a', 'b'), move), { minLength: 1, maxLength: 24 })

  async function play(sent: SentCall, what: Move): Promise<void> {
    if (sent.aborted) return
    switch (what) {
      case 'begin':
        return sent.begins()
      case 'role':
        return sent.gives(preamble)
      case 'words':
        return sent.gives(content(`from ${sent.model}`))
      case 'finish':
        await sent.gives(ending)
        return sent.ends()
      case 'cut':
        return sent.ends()
      case 'error':
        return sent.fails(500)
    }
  }

  it('the client gets the words of one of them, once, and what is under way ends', async () => {
    let answered = 0
    await fc.assert(
      fc.asyncProperty(moves, fc.boolean(), async (row, leaves) => {
        const scene = openScene()
        const asked = await scene.ask(hedged(two), { stream: true })
        await pass(scene, 500)
        const [a, b] = [scene.call('a'), scene.call('b')]
        const begun = new Set<SentCall>()
        const over = new Set<SentCall>()
        for (const [who, what] of row) {
          const sent = who === 'a' ? a : b
          if (over.has(sent)) continue
          if (what !== 'begin' && what !== 'error' && !begun.has(sent)) await play(sent, 'begin')
          if (what === 'begin' && begun.has(sent)) continue
          if (what === 'error' && begun.has(sent)) continue
          begun.add(sent)
          if (what === 'finish' || what === 'cut' || what === 'error') over.add(sent)
          await play(sent, what)
        }
        if (leaves) asked.response.leave()
        for (const sent of [a, b]) if (!over.has(sent)) await play(sent, 'error')
        await asked.ended
        const { text } = asked.response
        const said = ['a', 'b'].filter((who) => text.includes(`from ${who}`))
        expect(said.length).toBeLessThanOrEqual(1)
        answered += said.length
        expect(text.split('[DONE]').length).toBeLessThanOrEqual(2)
        const { attempts } = asked.entry()
        expect(attempts.every(({ next }) => next !== '')).toBe(true)
        expect(attempts.filter(({ outcome }) => outcome === 'ok').length).toBeLessThanOrEqual(1)
      }),
    )
    expect(answered).toBeGreaterThan(10)
  })
})
