import { describe, expect, it } from 'vitest'
import { runWhole } from '../../../core/pipeline/whole-combos'
import { expandCombo } from '../../../core/routing/expand-connections'
import { comboOf, openScene, type Scene, settled, within } from '../../support/whole-scene'

const models = ({ calls }: Scene): string[] => calls.map(({ model }) => model)
const owner = { isOverTime: () => false } as never

describe('a combo that is carried out as a whole', () => {
  it('asks only members that may be used', async () => {
    const scene = openScene()
    const combo = comboOf('fusion', ['p1/a', 'p2/b', 'p3/c'])
    const { run, running } = scene.begin()
    void runWhole(combo, combo.members.slice(1), owner, run, running, scene.deps)
    await settled()
    expect(models(scene)).toEqual(['b', 'c'])
  })

  it('knows its members in a copy of itself', async () => {
    const scene = openScene()
    const combo = comboOf('pipeline', [within(comboOf('priority', ['p1/a'])), 'p2/b'])
    const { run, running } = scene.begin()
    const copied = expandCombo(combo, () => [])
    void runWhole(combo, copied.members, owner, run, running, scene.deps)
    await settled()
    expect(models(scene)).toEqual(['a'])
  })

  it.each(['fusion', 'pipeline'] as const)('asks nobody where nobody may be used (%s)', async (strategy) => {
    const scene = openScene()
    const { run, running } = scene.begin()
    const combo = comboOf(strategy, ['p1/a', 'p2/b'])
    expect(await runWhole(combo, [], owner, run, running, scene.deps)).toBe('exhausted')
    expect(scene.calls).toEqual([])
  })

  it('of no members asks nobody', async () => {
    const scene = openScene()
    for (const strategy of ['fusion', 'pipeline'] as const) {
      const { run, running } = scene.begin()
      expect(await runWhole(comboOf(strategy, []), [], owner, run, running, scene.deps)).toBe('exhausted')
    }
  })
})

describe('inside a combo of another strategy', () => {
  it.each(['fusion', 'pipeline'] as const)(
    'a failed %s is one failed target, and the next answers',
    async (strategy) => {
      const scene = openScene()
      const inner = { ...comboOf(strategy, ['p1/a', 'p2/b']), name: 'inner' }
      const asked = await scene.ask(comboOf('priority', [within(inner), 'p3/c']))
      await scene.call('a').fails(500)
      if (strategy === 'fusion') await scene.call('b').fails(500)
      await scene.call('c').says('Saved')
      expect(await asked.ended).toBe('done')
      expect(asked.response.text).toContain('Saved')
    },
  )

  it('a fusion leaves out those of its members that cannot be asked', async () => {
    const scene = openScene()
    const first = await scene.ask(comboOf('priority', ['p2/x']))
    await scene.call('x').fails(429, { 'retry-after': '600' })
    await first.ended
    const inner = { ...comboOf('fusion', ['p1/a', 'p2/b', 'p3/c']), name: 'inner' }
    await scene.ask(comboOf('priority', [within(inner)]))
    expect(models(scene)).toEqual(['x', 'a', 'c'])
  })

  it('the client’s leaving ends it all', async () => {
    const scene = openScene()
    const inner = { ...comboOf('fusion', ['p1/a', 'p2/b']), name: 'inner' }
    const asked = await scene.ask(comboOf('priority', [within(inner), 'p3/c']))
    asked.response.leave()
    expect(await asked.ended).toBe('left')
    expect(models(scene)).toEqual(['a', 'b'])
  })
})
