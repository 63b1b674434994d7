// What the comparison of strategies (docs/strategies.md) rests on, in parts of its day.

import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { STRATEGIES } from '../../../core/contract/combo-strategies'
import { NO_FACTS } from '../../../core/routing/strategies/request-facts'
import { UNKNOWN_VIEW } from '../../../core/routing/target-view'
import { comboOf } from '../../bench/strategies/combos'
import { SimGateway } from '../../bench/strategies/gateway'
import { placed } from '../../bench/strategies/report'
import { RELIABLE, ROWS } from '../../bench/strategies/rows'
import { simulate } from '../../bench/strategies/simulate'
import { Tally } from '../../bench/strategies/tally'

/** A provider is down, then a model. */
const MORNING = { seed: 1, from: 9, to: 11.5 }
/** An outage, a dead key, a rush of requests. */
const PART = { seed: 1, from: 9.5, to: 10.5 }

describe('a simulated day', () => {
  it('is the same for the same seed', () => {
    const part = { seed: 5, from: 9, to: 9.5 }
    const once = simulate('auto', part)
    expect(simulate('auto', part)).toEqual(once)
    expect(simulate('auto', { ...part, seed: 6 })).not.toEqual(once)
  })

  it('has ten providers with forty connections, each connection a target of its own', () => {
    const { registry } = new SimGateway(PART)
    expect(registry.size).toBe(10)
    expect([...registry.values()].flatMap(({ connections }) => connections)).toHaveLength(40)
    const { members } = comboOf('priority', {}, new SimGateway(PART))
    expect(members.every(({ target }) => target.connectionId !== null)).toBe(true)
  })
})

describe('under troubles', () => {
  it.each([1, 2])(
    'auto with reliability first wastes fewer attempts than priority and round-robin (day %i)',
    (seed) => {
      const wasted = (name: 'priority' | 'round-robin'): number => simulate(name, { ...MORNING, seed }).wasted
      const auto = simulate(RELIABLE.strategy, { ...MORNING, seed }, RELIABLE.config)
      expect(auto.wasted).toBeGreaterThan(0)
      expect(auto.wasted).toBeLessThan(wasted('priority'))
      expect(auto.wasted).toBeLessThan(wasted('round-robin'))
    },
  )

  it.each(ROWS)('$name leaves nobody out whom its rule says to use', ({ strategy, config }) => {
    const { starved, requests } = simulate(strategy, PART, config)
    expect(requests).toBeGreaterThan(1_000)
    expect(starved).toEqual([])
  })

  it('whoever is due its turn and never gets it is told of', () => {
    const gateway = new SimGateway(PART)
    const combo = comboOf('strict-random', {}, gateway)
    const tally = new Tally(combo, gateway.upstream.keys())
    const views = new Map(combo.members.map(({ target }) => [target, UNKNOWN_VIEW]))
    const order = { ordered: combo.members, reasons: [], states: new Map(), reserveMs: null }
    for (let i = 0; i < 5_000; i++) tally.chosen(order, views, NO_FACTS, 0)
    expect(tally.result().starved).toHaveLength(combo.members.length - 1)
  })
})

describe('docs/strategies.md', () => {
  const document = readFileSync(resolve(import.meta.dirname, '../../../docs/strategies.md'), 'utf8')

  it.each([...STRATEGIES, 'quota-share'])('has a row and a paragraph for %s', (name) => {
    expect(document).toContain(`| \`${name}\` |`)
    expect(document).toMatch(new RegExp(`^### .*\`${name}\``, 'm'))
  })

  it('keeps its words when the table is written anew', () => {
    const [before, after] = document.split(/<!-- written by[\s\S]*<!-- end -->/)
    const written = placed(document, 'the table')
    expect(written.startsWith(before ?? 'nothing')).toBe(true)
    expect(written.endsWith(after ?? 'nothing')).toBe(true)
    expect(written).toContain('the table')
  })
})
