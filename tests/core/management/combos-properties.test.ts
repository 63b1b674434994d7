// Whatever is saved through the operations: combos never lead in circles, and never too deep.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Combo } from '../../../core/contract/combos'
import { GatewayError } from '../../../core/errors'
import { MAX_COMBO_DEPTH } from '../../../core/routing/resolve-combo'
import { openCombos } from './open-combos'

const NAMES = ['a', 'b', 'c', 'd', 'e', 'f'] as const
const name = fc.constantFrom(...NAMES)
/** A model, or a combo in each of the ways one can be written. */
const step = fc.oneof(
  fc.constant({ model: 'gpt-5' }),
  name.map((model) => ({ model })),
  name.map((combo) => ({ combo })),
  name.map((combo) => ({ model: `combo/${combo}` })),
)
const steps = fc.array(step, { minLength: 1, maxLength: 2 })
const judge = fc.option(name, { nil: undefined })

type Edit =
  | { readonly do: 'create'; readonly name: string; readonly steps: object[]; readonly judge: string | undefined }
  | { readonly do: 'update'; readonly id: string; readonly steps: object[] }
  | { readonly do: 'rename'; readonly id: string; readonly name: string }
  | { readonly do: 'judge'; readonly id: string; readonly judge: string | undefined }
  | { readonly do: 'remove'; readonly id: string }
  | { readonly do: 'restore' }
const edit: fc.Arbitrary<Edit> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ do: fc.constant('create' as const), name, steps, judge }) },
  { weight: 8, arbitrary: fc.record({ do: fc.constant('update' as const), id: name, steps }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('rename' as const), id: name, name }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('judge' as const), id: name, judge }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('remove' as const), id: name }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('restore' as const) }) },
)

/** As deep as may be, and one beside it. */
const NEST = [
  ['d', 'gpt-5'],
  ['c', 'd'],
  ['b', 'combo/c'],
  ['a', 'b', 'glm-5'],
  ['e', 'gpt-5'],
] as const

type World = ReturnType<typeof openCombos>

async function carryOut(world: World, change: Edit, removed: string[]): Promise<void> {
  const { ask } = world
  const fusion = (judgeModel: string | undefined) => ({
    strategy: 'fusion',
    config: { judgeModel: judgeModel ?? null },
  })
  switch (change.do) {
    case 'create':
      await ask('combos:create', { name: change.name, steps: change.steps, ...fusion(change.judge) })
      return
    case 'update':
      await ask('combos:update', { id: change.id, steps: change.steps })
      return
    case 'rename':
      await ask('combos:update', { id: change.id, name: change.name })
      return
    case 'judge':
      await ask('combos:update', { id: change.id, ...fusion(change.judge) })
      return
    case 'remove': {
      const { id } = await ask('combos:get', { id: change.id })
      await ask('combos:remove', { id })
      removed.push(id)
      return
    }
    case 'restore':
      await ask('combos:restore', { id: removed.at(-1) ?? 'none' })
  }
}

/** How many combos deep each reaches; a circle would never come back. Written anew, not with what is tested. */
function depthOf(start: string, all: readonly Combo[], path: readonly string[] = []): number {
  if (path.includes(start)) throw new Error(`circle: ${[...path, start].join(' → ')}`)
  const combo = all.find((known) => known.name === start)
  if (combo === undefined) return -1
  const used = [...combo.steps.map((each) => each.combo ?? each.model), combo.config.judgeModel]
  const below = used.map((text) => depthOf((text ?? '').replace(/^combo\//, ''), all, [...path, start]))
  return 1 + Math.max(-1, ...below)
}

it('any row of edits leaves no circle, no nest deeper than three, and no step without its combo', async () => {
  let refused = 0
  const deepest = new Map<number, number>()
  await fc.assert(
    fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 16 }), async (edits) => {
      const world = openCombos()
      const removed: string[] = []
      for (const [made, ...models] of NEST) await world.make(made, ...models)
      for (const change of edits) {
        const before = world.table.list()
        try {
          await carryOut(world, change, removed)
        } catch (error) {
          if (!(error instanceof GatewayError)) throw error
          refused++
          expect(world.table.list()).toEqual(before)
        }
        const all = world.combos.snapshot().list
        expect(all).toEqual(world.table.list())
        for (const combo of all) {
          const depth = depthOf(combo.name, all)
          deepest.set(depth, (deepest.get(depth) ?? 0) + 1)
          expect(depth).toBeLessThanOrEqual(MAX_COMBO_DEPTH)
          const because = world.combos.resolved(combo).dropped.map((drop) => drop.because)
          expect(because).not.toContain('cycle')
          expect(because).not.toContain('too-deep')
          for (const { combo: used } of combo.steps)
            if (used !== null) expect(all.map((known) => known.name)).toContain(used)
        }
      }
    }),
    { numRuns: 100 },
  )
  // Both happened often enough for the rule to mean something.
  expect(refused).toBeGreaterThan(100)
  expect(deepest.get(MAX_COMBO_DEPTH)).toBeGreaterThan(20)
})
