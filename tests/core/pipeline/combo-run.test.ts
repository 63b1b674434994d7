import { describe, expect, it } from 'vitest'
import { isAskable } from '../../../core/pipeline/asking'
import { ComboRun } from '../../../core/pipeline/combo-run'
import type { Member } from '../../../core/routing/combo'
import { chatAnswer, comboOf, member, openScene, settled } from '../../support/whole-scene'

describe('a request whose strategy reserves a place', () => {
  const combo = comboOf('quota-share', ['p1/a', 'p2/a'])

  it('is counted at its connection until the call itself is', async () => {
    const { deps, begin, call } = openScene()
    const counted = (): number => deps.promised.count('p1-key', deps.clock.now())
    const started: string[] = []
    const attemptStarted = (id: string): void => {
      started.push(`${id}: ${counted()}`)
      deps.promised.taken(id)
    }
    Object.assign(deps, { attemptStarted })
    const { run, running } = begin()
    const ended = new ComboRun(combo, run, running, deps).answer()
    await settled()
    expect([...started, counted()]).toEqual(['p1-key: 1', 0])
    await call('a').says('Hi')
    expect(await ended).toBe('done')
  })

  it('holds one place at a time, however often it is ordered anew', () => {
    const { deps, begin } = openScene()
    const { run, running } = begin()
    const asked = new ComboRun(comboOf('quota-share', ['p1/a']), run, running, deps)
    expect(asked.order()).toHaveLength(1)
    expect(deps.promised.count('p1-key', deps.clock.now())).toBe(1)
    expect(asked.order()).toHaveLength(1)
    expect(deps.promised.count('p1-key', deps.clock.now())).toBe(1)
  })
})

it('whether a combo can be asked is found out without any strategy remembering it', () => {
  const { deps, begin } = openScene()
  const { running } = begin()
  expect(isAskable(comboOf('round-robin', ['p1/a', 'p2/a']), running, deps)).toBe(true)
  expect(deps.comboStates.get('my-round-robin')).toBeNull()
})

describe('a request for a combo ends', () => {
  it('after 30 attempts, however many targets are left', async () => {
    const { ask, calls } = openScene()
    const targets = Array.from({ length: 40 }, (_, i) => `p${(i % 3) + 1}/m${i}`)
    const { ended } = await ask(comboOf('priority', targets))
    // A missing model says nothing of the others.
    const missing = { error: { message: 'The model does not exist', code: 'model_not_found' } }
    for (let i = 0; i < 30; i++) await calls[i]?.reply(404, missing)
    expect(await ended).toMatchObject({
      error: {
        ...{ code: 'service_unavailable', httpStatus: 503 },
        details: { diagnostics: { poolSize: 40, attempted: 30, terminalReason: 'max_attempts' } },
      },
    })
    expect(calls).toHaveLength(30)
  })

  for (const hedging of [false, true])
    it(`when its time is over, whoever hangs${hedging ? ', asked beside each other or not' : ''}`, async () => {
      const { ask, calls, clock, health } = openScene()
      const { ended, entry, run } = await ask(
        comboOf('priority', ['p1/a', 'p2/a'], { comboTimeoutMs: 5_000, hedging, hedgeDelayMs: 1_000 }),
      )
      clock.advance(4_999)
      await settled()
      expect(calls.map(({ aborted }) => aborted)).toEqual(hedging ? [false, false] : [false])
      clock.advance(1)
      expect(await ended).toMatchObject({ error: { code: 'COMBO_TIMEOUT', httpStatus: 504 } })
      expect(calls.map(({ aborted }) => aborted)).toEqual(hedging ? [true, true] : [true])
      expect(entry().attempts[0]).toMatchObject({
        outcome: 'aborted',
        next: 'given up: the time of the combo was over',
      })
      expect(run.failed).toEqual([])
      expect(health.connectionGate('p1-key', clock.now())).toBeNull()
    })

  it('when nothing is left of anybody’s quota, as its strategy sees it', async () => {
    const { ask, call, calls } = openScene()
    const { kind, target } = member('p1/a')
    const combo = comboOf('quota-weighted', [{ kind, target: { ...target, connectionId: 'p1-key' } } as Member])
    const { ended: first } = await ask(combo)
    const spent = { 'anthropic-ratelimit-unified-5h-utilization': '1', 'anthropic-ratelimit-unified-status': 'allowed' }
    await call('a').reply(200, chatAnswer('The last one'), spent)
    expect(await first).toBe('done')
    const { ended } = await ask(combo)
    expect(await ended).toMatchObject({ error: { code: 'ALL_TARGETS_SKIPPED', httpStatus: 503 } })
    expect(calls).toHaveLength(1)
  })

  it('with an answer of whom it has waited for, where limits are the whole connection’s too', async () => {
    const { ask, call, clock } = openScene({ settings: { comboCooldownWait: { enabled: true } } })
    const { ended } = await ask(comboOf('priority', ['p1/a']))
    await call('a').fails(500)
    for (let s = 0; s < 4; s++) {
      clock.advance(1_000)
      await settled()
    }
    await call('a').says('Back')
    expect(await ended).toBe('done')
  })

  it('when its time is over while it waits for a target to return', async () => {
    const { ask, call, clock } = openScene({ settings: { comboCooldownWait: { enabled: true } } })
    const { ended } = await ask(comboOf('priority', ['p1/a'], { comboTimeoutMs: 5_000 }))
    await call('a').fails(429, { 'retry-after': '30' })
    for (let s = 0; s < 5; s++) {
      clock.advance(1_000)
      await settled()
    }
    expect(await ended).toMatchObject({ error: { code: 'COMBO_TIMEOUT' } })
  })

  it('not by its time once an answer has begun', async () => {
    const { ask, call, clock } = openScene()
    const { ended, entry } = await ask(comboOf('priority', ['p1/a'], { comboTimeoutMs: 5_000 }), { stream: true })
    const answering = call('a')
    await answering.begins()
    await answering.gives('data: {"choices":[{"index":0,"delta":{"content":"Hi"}}]}\n\n')
    clock.advance(60_000)
    await answering.gives('data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n')
    await answering.ends()
    expect(await ended).toBe('done')
    expect(entry()).toMatchObject({ outcome: 'ok', target: 'p1/a' })
  })

  it('when the client leaves before its time is over', async () => {
    const { ask, calls } = openScene()
    const { ended, response } = await ask(comboOf('priority', ['p1/a'], { comboTimeoutMs: 5_000 }))
    response.leave()
    expect(await ended).toBe('left')
    expect(calls[0]?.aborted).toBe(true)
  })
})
