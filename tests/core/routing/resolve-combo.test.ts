import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Combo } from '../../../core/contract/combos'
import type { ResolvedCombo } from '../../../core/routing/combo'
import { expandCombo } from '../../../core/routing/expand-connections'
import { autoCombo, comboNamed, MOST_MEMBERS, resolveCombo } from '../../../core/routing/resolve-combo'
import { combo, drawing, worldOf } from './combos'

const resolve = (name: string, combos: readonly Combo[], more = {}): ResolvedCombo => {
  const world = worldOf(combos, more)
  const found = comboNamed(name, world.combos) ?? autoCombo(name)
  if (found === null) throw new Error(`${name} is no combo`)
  return resolveCombo(found, world)
}

describe('a name of auto', () => {
  it('stands for all models there are', () => {
    const resolved = resolveCombo(autoCombo('auto/coding:cheap') as Combo, worldOf([]))
    expect(resolved).toMatchObject({ strategy: 'auto', config: { autoCategory: 'coding', modePack: 'cost-saver' } })
    expect(drawing(resolved)).toBe('openai/gpt-5 openai/gpt-5-mini anthropic/claude-opus ollama/llama3')
  })
})

describe('the members of a combo', () => {
  it('are its steps, with what they say', () => {
    const given = combo('a', ['openai/gpt-5'], {})
    const [step] = given.steps
    if (step === undefined) throw new Error('no step')
    const full = { ...step, connection: 'c1', weight: 3, prompt: 'Draft.', fallbackOnlyOnQuotaExhaustion: true }
    expect(resolve('a', [{ ...given, steps: [full] }]).members).toEqual([
      {
        kind: 'target',
        target: {
          executionKey: 'openai/gpt-5@c1',
          provider: 'openai',
          model: 'gpt-5',
          connectionId: 'c1',
          allowedConnections: null,
          weight: 3,
          prompt: 'Draft.',
          onlyAfterQuota: true,
        },
      },
    ])
  })

  it('have keys that tell repeated ones apart', () => {
    expect(drawing(resolve('a', [combo('a', ['x/m', 'x/n', 'x/m', 'x/m'])]))).toBe('x/m x/n x/m#2 x/m#3')
  })

  it('of a pattern are the listed models that match, but those that have a step of their own', () => {
    expect(drawing(resolve('a', [combo('a', ['openai/*', 'openai/gpt-5'])]))).toBe('openai/gpt-5-mini openai/gpt-5')
    expect(drawing(resolve('a', [combo('a', ['gpt-*', '*-mini', 'claude-?pus'])]))).toBe(
      'openai/gpt-5 openai/gpt-5-mini anthropic/claude-opus',
    )
  })

  it('leave out what leads nowhere, and say so', () => {
    const resolved = resolve('a', [combo('a', ['nobody/x', 'mistral/*', 'combo:none', 'openai/gpt-5'])])
    expect(drawing(resolved)).toBe('openai/gpt-5')
    expect(resolved.dropped).toEqual([
      { step: 0, because: 'unknown-model', name: 'nobody/x' },
      { step: 1, because: 'no-match', name: 'mistral/*' },
      { step: 2, because: 'unknown-combo', name: 'none' },
    ])
  })

  it('may be combos, said so or by name, and auto', () => {
    const inner = combo('inner', ['x/m'])
    const outer = combo('outer', ['combo:inner', 'inner', 'combo/inner', 'y/n', 'auto/fast'])
    expect(drawing(resolve('outer', [inner, outer])).replace(/auto\/fast: .*\]/, 'auto/fast: …]')).toBe(
      '[inner: x/m] [inner: x/m] [inner: x/m] y/n [auto/fast: …]',
    )
  })

  it('hand down that they wait for a spent quota', () => {
    const inner = combo('inner', ['x/m'])
    const outer = combo('outer', ['y/n', 'combo:inner'])
    const steps = outer.steps.map((step) => ({ ...step, fallbackOnlyOnQuotaExhaustion: step.combo !== null }))
    const [, nested] = resolve('outer', [inner, { ...outer, steps }]).members
    expect(nested?.kind === 'combo' && nested.combo.members[0]?.target.onlyAfterQuota).toBe(true)
  })

  it('of combos in a circle end where the circle closes', () => {
    const a = combo('A', ['combo:A'])
    const b = combo('B', ['combo:C', 'x/model1'])
    const c = combo('C', ['combo:B', 'x/model2'])
    expect(drawing(resolve('B', [a, b, c]))).toBe('[C: x/model2] x/model1')
    const circle = resolve('A', [a, b, c])
    expect(circle).toMatchObject({ members: [], dropped: [{ because: 'cycle', name: 'A' }] })
  })

  it('reach three combos deep', () => {
    const chain = Array.from({ length: 30 }, (_, i) => combo(`n${i}`, [`combo:n${i + 1}`, `x/m${i}`]))
    expect(drawing(resolve('n0', chain))).toBe('[n1: [n2: [n3: x/m3] x/m2] x/m1] x/m0')
  })

  it('have a judge where a fusion names one', () => {
    const judged = combo('f', ['x/m', 'y/n'], { strategy: 'fusion', config: { judgeModel: 'z/judge' } })
    expect(resolve('f', [judged]).judge?.target).toMatchObject({ provider: 'z', model: 'judge' })
    expect(resolve('f', [combo('f', ['x/m'], { strategy: 'fusion' })]).judge).toBeNull()
    const lost = resolve('f', [combo('f', ['x/m'], { strategy: 'fusion', config: { judgeModel: 'nobody/x' } })])
    expect(lost).toMatchObject({ judge: null, dropped: [{ step: 'judge', because: 'unknown-model' }] })
  })

  it('take the settings for all combos where they say nothing', () => {
    const inherited = { stickyRoundRobinLimit: 9 }
    expect(
      resolve('r', [combo('r', ['x/m'], { strategy: 'round-robin' })], { inherited }).config.stickyRoundRobinLimit,
    ).toBe(9)
  })

  it('end, and are no more than may be, whatever leads where', () => {
    const name = fc.constantFrom('a', 'b', 'c', 'd')
    const step = fc.oneof(
      name.map((n) => `combo:${n}`),
      fc.constantFrom('x/m', 'x/n', '*'),
    )
    fc.assert(
      fc.property(fc.array(fc.array(step, { minLength: 1, maxLength: 8 }), { minLength: 4, maxLength: 4 }), (lists) => {
        const combos = lists.map((steps, i) => combo('abcd'.charAt(i), steps))
        expect(count(resolve('a', combos))).toBeLessThanOrEqual(MOST_MEMBERS)
      }),
    )
  })

  it('are cut where there are too many', () => {
    const models = Array.from({ length: 3_000 }, (_, i) => ({ provider: 'x', model: `m${i}` }))
    const resolved = resolve('auto', [], { models })
    expect(resolved.members).toHaveLength(MOST_MEMBERS)
    expect(resolved.dropped).toEqual([{ step: 0, because: 'too-many', name: '*' }])
  })
})

const count = ({ members }: ResolvedCombo): number =>
  members.reduce((sum, member) => sum + 1 + (member.kind === 'combo' ? count(member.combo) : 0), 0)

describe('a step for each connection', () => {
  const connections = (provider: string): readonly string[] => (provider === 'x' ? ['c1', 'c2', 'c3'] : [])

  it('is made where accounts are chosen among', () => {
    const expanded = expandCombo(resolve('h', [combo('h', ['x/m', 'y/n'], { strategy: 'headroom' })]), connections)
    expect(drawing(expanded)).toBe('x/m@c1 x/m@c2 x/m@c3 y/n')
  })

  it('is made where the combo wants it, not by itself, and not of a whole', () => {
    const of = (strategy: string, connectionAwareExpansion: boolean) =>
      drawing(
        expandCombo(
          resolve('p', [combo('p', ['x/m'], { strategy, config: { connectionAwareExpansion } })]),
          connections,
        ),
      )
    expect(of('priority', false)).toBe('x/m')
    expect(of('priority', true)).toBe('x/m@c1 x/m@c2 x/m@c3')
    expect(of('pipeline', true)).toBe('x/m')
  })

  it('is made in nested combos by their own strategy; pins and bounds hold', () => {
    const inner = combo('inner', ['x/m'], { strategy: 'headroom' })
    const bounded = { ...inner, steps: inner.steps.map((step) => ({ ...step, allowedConnections: ['c3', 'c1'] })) }
    const outer = combo('outer', ['combo:inner', 'x/n'])
    expect(drawing(expandCombo(resolve('outer', [bounded, outer]), connections))).toBe('[inner: x/m@c1 x/m@c3] x/n')
    const pinned = { ...inner, steps: inner.steps.map((step) => ({ ...step, connection: 'c9' })) }
    expect(drawing(expandCombo(resolve('inner', [pinned]), connections))).toBe('x/m@c9')
  })
})
