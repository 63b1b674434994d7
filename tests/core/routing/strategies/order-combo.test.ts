import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Combo } from '../../../../core/contract/combos'
import { type Member, modelString, type ResolvedCombo, type Target } from '../../../../core/routing/combo'
import { resolveCombo } from '../../../../core/routing/resolve-combo'
import { type ComboOrder, orderCombo, settleCombo } from '../../../../core/routing/strategies/order-combo'
import { NO_FACTS } from '../../../../core/routing/strategies/request-facts'
import type { StrategyState } from '../../../../core/routing/strategies/strategy'
import { type TargetView, UNKNOWN_VIEW } from '../../../../core/routing/target-view'
import { combo, worldOf } from '../combos'
import { answered, NOW, resting, seeded } from './support'

type Views = Readonly<Record<string, Partial<TargetView>>>

/** Keeps the states of all combos, as the caller does. */
class Gateway {
  readonly states = new Map<string, StrategyState>()
  readonly root: ResolvedCombo
  private readonly random = seeded(1)
  private readonly stateOf = (name: string): StrategyState | null => this.states.get(name) ?? null

  constructor(
    combos: readonly Combo[],
    public views: Views = {},
  ) {
    const [first] = combos
    if (first === undefined) throw new Error('no combo')
    this.root = resolveCombo(first, worldOf(combos))
  }

  order(): ComboOrder {
    const result = orderCombo(this.root, {
      view: (target) => ({ ...UNKNOWN_VIEW, ...this.views[modelString(target)] }),
      stateOf: this.stateOf,
      request: NO_FACTS,
      now: NOW,
      random: this.random,
    })
    for (const [name, state] of result.states) this.states.set(name, state)
    return result
  }

  settle(target: Target): void {
    const settled = settleCombo(this.root, this.stateOf, target, answered(), NOW)
    for (const [name, state] of settled) this.states.set(name, state)
  }

  /** Requests answered by whoever leads. */
  run(times: number): string {
    return Array.from({ length: times }, () => {
      const leader = this.order().ordered[0]
      if (leader !== undefined) this.settle(leader.target)
      return leader === undefined ? '' : name(leader)
    }).join(' ')
  }
}

const name = (member: Member): string => (member.kind === 'combo' ? member.combo.name : modelString(member.target))
const names = (combos: readonly Combo[], views: Views = {}): string =>
  new Gateway(combos, views).order().ordered.map(name).join(' ')

describe('a combo inside a combo', () => {
  const inner = combo('inner', ['x/dear', 'x/cheap'], { strategy: 'cost-optimized' })
  const prices = { 'x/dear': { inputPrice: 9 }, 'x/cheap': { inputPrice: 1 }, 'y/middle': { inputPrice: 5 } }

  it('stands in its place, ordered by its own strategy', () => {
    expect(names([combo('outer', ['y/a', 'combo:inner', 'y/b']), inner], prices)).toBe('y/a x/cheap x/dear y/b')
  })

  it('is compared by its own first choice', () => {
    const outer = combo('outer', ['y/middle', 'combo:inner'], { strategy: 'cost-optimized' })
    expect(names([outer, inner], prices)).toBe('x/cheap x/dear y/middle')
    expect(names([outer, inner], { ...prices, 'x/cheap': { exclusion: resting } })).toBe('y/middle x/dear')
  })

  it('is out when all of it is, for the reasons its targets have', () => {
    const outer = combo('outer', ['combo:inner', 'y/a'])
    const out = { exclusion: resting }
    const gateway = new Gateway([outer, inner], { 'x/dear': out, 'x/cheap': out })
    const { ordered, reasons } = gateway.order()
    expect(ordered.map(name)).toEqual(['y/a'])
    expect(reasons.map(({ kind, target }) => `${kind} ${modelString(target)}`)).toEqual([
      'ordered y/a',
      'excluded x/dear',
      'excluded x/cheap',
    ])
  })

  it('says of each of its targets by which combos it is reached', () => {
    const deep = combo('deep', ['x/deep'])
    const middle = combo('middle', ['x/middle', 'combo:deep'])
    const outer = combo('outer', ['y/own', 'combo:middle'])
    const { reasons } = new Gateway([outer, middle, deep], { 'x/middle': { exclusion: resting } }).order()
    const said = reasons.map(({ kind, target, via = [] }) => [kind, ...via, modelString(target)].join(' '))
    expect(said).toEqual(['ordered y/own', 'ordered middle deep x/deep', 'excluded middle x/middle'])
  })

  it('that leads to nothing says so', () => {
    const { ordered, reasons } = new Gateway([combo('outer', ['combo:hollow']), combo('hollow', ['nobody/x'])]).order()
    expect(ordered).toEqual([])
    expect(reasons).toMatchObject([
      { kind: 'excluded', exclusion: { gate: 'combo', why: 'The combo "hollow" leads to no model.' } },
    ])
  })

  it('has its turn only when it leads', () => {
    const rotating = combo('inner', ['x/a', 'x/b'], { strategy: 'round-robin', config: { stickyRoundRobinLimit: 1 } })
    const outer = combo('outer', ['combo:inner', 'y/c'], {
      strategy: 'round-robin',
      config: { stickyRoundRobinLimit: 1 },
    })
    expect(new Gateway([outer, rotating]).run(6)).toBe('x/a y/c x/b y/c x/a y/c')
  })

  it('counts answers for itself and for those above it', () => {
    const limits = { strategy: 'round-robin', config: { stickyRoundRobinLimit: 2 } }
    const rotating = combo('inner', ['x/a', 'x/b'], limits)
    expect(new Gateway([combo('outer', ['combo:inner', 'y/c'], limits), rotating]).run(8)).toBe(
      'x/a x/a y/c y/c x/b x/b y/c y/c',
    )
  })

  it('stays with the combo that answered last', () => {
    const outer = combo('outer', ['combo:one', 'combo:two'], { strategy: 'lkgp' })
    const gateway = new Gateway([outer, combo('one', ['x/a']), combo('two', ['y/b'])])
    const second = gateway.order().ordered[1]
    if (second === undefined) throw new Error('nobody')
    gateway.settle(second.target)
    expect(gateway.order().ordered.map(name)).toEqual(['y/b', 'x/a'])
  })

  it('asks each real target once, however many combos list it', () => {
    const a = combo('A', ['combo:B', 'combo:C', 'x/m'])
    expect(names([a, combo('B', ['x/m', 'x/n']), combo('C', ['x/n', 'x/o'])])).toBe('x/m x/n x/o')
    const b = combo('B', ['combo:C', 'x/model1'])
    expect(names([b, combo('C', ['combo:B', 'x/model2'])])).toBe('x/model2 x/model1')
  })

  it('gives no reason for the place of a target that stands there already', () => {
    const { ordered, reasons } = new Gateway([combo('outer', ['x/dear', 'combo:inner']), inner]).order()
    expect(reasons.map(({ target }) => target)).toEqual(ordered.map(({ target }) => target))
  })

  it('asks one twice that a single combo lists twice', () => {
    expect(names([combo('A', ['x/m', 'x/n', 'x/m'])])).toBe('x/m x/n x/m')
  })
})

describe('what is carried out as a whole', () => {
  const panel = combo('panel', ['x/a', 'x/b'], { strategy: 'fusion' })
  const line = combo('line', ['x/a', 'x/b'], { strategy: 'pipeline' })
  const out = { 'x/a': { exclusion: resting } }

  it('stays one member of another combo', () => {
    expect(names([combo('outer', ['combo:panel', 'y/c', 'combo:line']), panel, line])).toBe('panel y/c line')
  })

  it('is out when a pipeline lacks a step, or a panel everybody', () => {
    expect(names([combo('outer', ['combo:panel', 'y/c', 'combo:line']), panel, line], out)).toBe('panel y/c')
  })

  it('has members that stay one voice each', () => {
    const fused = combo('fused', ['combo:inner', 'y/c'], { strategy: 'fusion' })
    expect(names([fused, combo('inner', ['x/a', 'x/b'])])).toBe('inner y/c')
  })
})

it('the place of the first is reserved where its combo wants that', () => {
  const share = combo('qtSd/team', ['x/a', 'x/b'])
  expect(new Gateway([combo('outer', ['combo:qtSd/team', 'y/c']), share]).order().reserveMs).toBe(120_000)
  expect(new Gateway([combo('outer', ['y/c', 'combo:qtSd/team']), share]).order().reserveMs).toBeNull()
})

it('nobody who is out is ever asked, however combos are nested', () => {
  const step = fc.constantFrom('x/a', 'x/b', 'y/c', 'combo:a', 'combo:b', 'combo:c')
  const strategy = fc.constantFrom('priority', 'weighted', 'round-robin', 'auto', 'p2c', 'fusion', 'pipeline', 'lkgp')
  const one = fc.record({ steps: fc.array(step, { minLength: 1, maxLength: 5 }), strategy })
  fc.assert(
    fc.property(fc.tuple(one, one, one), fc.subarray(['x/a', 'x/b', 'y/c']), (given, resting_) => {
      const combos = given.map(({ steps, strategy: by }, i) => combo('abc'.charAt(i), steps, { strategy: by }))
      const views = Object.fromEntries(resting_.map((model) => [model, { exclusion: resting }]))
      for (const member of new Gateway(combos, views).order().ordered) {
        if (member.kind === 'target') expect(resting_).not.toContain(modelString(member.target))
      }
    }),
  )
})
