import { describe, expect, it } from 'vitest'
import { DEFAULT_COMBO_CONFIG } from '../../../../core/contract/combo-config'
import type { Member } from '../../../../core/routing/combo'
import { fusionPlan, panelDecision, panelResult } from '../../../../core/routing/strategies/fusion'
import { blockedStage, isStageRetried, roundDecision, stages } from '../../../../core/routing/strategies/pipeline'
import { NOW, target } from './support'

const config = DEFAULT_COMBO_CONFIG
const member = (name: string, prompt: string | null = null): Member => ({
  kind: 'target',
  target: target(name, { prompt }),
})
const [a, b, c] = [member('a'), member('b'), member('c')]
const members = [a, b, c]
const panel = { members, usable: members, judge: null, usesTools: false }

describe('whom a fusion asks', () => {
  it('all that may be used; the first of them judges', () => {
    expect(fusionPlan(panel, config)).toEqual({ kind: 'panel', panel: members, judge: a, quorum: 2 })
    expect(fusionPlan({ ...panel, usable: [b, c] }, config)).toMatchObject({ panel: [b, c], judge: b })
  })

  it('a judge of its own, where it has one', () => {
    expect(fusionPlan({ ...panel, judge: c }, config)).toMatchObject({ kind: 'panel', judge: c })
  })

  it('the judge alone where there are tools to call', () => {
    expect(fusionPlan({ ...panel, usesTools: true }, config)).toEqual({ kind: 'judge-only', judge: a })
    expect(fusionPlan({ ...panel, usable: [], judge: c, usesTools: true }, config)).toEqual({
      kind: 'judge-only',
      judge: c,
    })
  })

  it('nobody where nobody may be used', () => {
    expect(fusionPlan({ ...panel, usable: [] }, config)).toEqual({ kind: 'nobody' })
    expect(fusionPlan({ ...panel, usable: [], judge: c }, config)).toEqual({ kind: 'nobody' })
  })

  it.each([
    [2, 3, 2],
    [3, 3, 3],
    [9, 3, 3],
    [1, 3, 2],
    [2, 1, 1],
  ])('a quorum of %d among %d is %d', (minPanel, size, quorum) => {
    expect(fusionPlan({ ...panel, usable: members.slice(0, size) }, { ...config, minPanel })).toMatchObject({ quorum })
  })

  it('refuses a panel that is too large', () => {
    const many = Array.from({ length: 41 }, (_, i) => member(String(i)))
    expect(() => fusionPlan({ ...panel, members: many, usable: [a] }, config)).toThrow(/41 members; at most 40/)
  })
})

describe('how long a fusion waits', () => {
  const progress = { size: 3, answered: 1, failed: 0, startedAt: NOW, quorumAt: null }

  it.each([
    ['for all, up to the end', {}, 0, { kind: 'wait', until: NOW + 90_000 }],
    [
      'a last moment once enough have answered',
      { answered: 2, quorumAt: NOW + 5_000 },
      6_000,
      { kind: 'wait', until: NOW + 13_000 },
    ],
    ['no longer than that', { answered: 2, quorumAt: NOW + 5_000 }, 13_000, { kind: 'stop', because: 'grace-over' }],
    [
      'the moment ends with the whole',
      { answered: 2, quorumAt: NOW + 89_000 },
      89_500,
      { kind: 'wait', until: NOW + 90_000 },
    ],
    ['not beyond the end', {}, 90_000, { kind: 'stop', because: 'timeout' }],
    ['not when all have answered or failed', { answered: 1, failed: 2 }, 10, { kind: 'stop', because: 'all-done' }],
    ['not under a clock that was set back', {}, -1, { kind: 'stop', because: 'timeout' }],
  ])('%s', (_what, fields, after, expected) => {
    expect(panelDecision({ ...progress, ...fields }, config, NOW + after)).toEqual(expected)
  })
})

describe('what becomes of the answers', () => {
  it('none is a failure, one is the answer', () => {
    expect(panelResult([])).toEqual({ kind: 'no-answer' })
    expect(panelResult(['only'])).toEqual({ kind: 'single', answer: 'only' })
  })

  it('several are put to the judge by number, without names', () => {
    const result = panelResult(['one', 'two'])
    if (result.kind !== 'judge') throw new Error('no judge')
    expect(result.prompt).toContain('<source number="1">\none\n</source>')
    expect(result.prompt).toContain('<source number="2">\ntwo\n</source>')
    expect(result.prompt).not.toMatch(/pa|pb/)
  })
})

describe('a pipeline', () => {
  it('gives each step what the one before has written; only the last has tools and stream', () => {
    expect(stages([member('a', 'Draft.'), b, member('c', 'Polish.')])).toMatchObject([
      { prompt: 'Draft.', input: 'conversation', isLast: false, tools: false },
      { prompt: null, input: 'previous', isLast: false, tools: false },
      { prompt: 'Polish.', input: 'previous', isLast: true, tools: true },
    ])
  })

  it('of one step is the request itself', () => {
    expect(stages([a])).toMatchObject([{ input: 'conversation', isLast: true, tools: true }])
  })

  it('is blocked by the first step nobody can be asked for', () => {
    expect(blockedStage(members, new Set(members))).toBe(-1)
    expect(blockedStage(members, new Set([a, c]))).toBe(1)
  })

  it.each([
    [429, 0, true],
    [502, 0, true],
    [503, 0, true],
    [504, 0, true],
    [500, 0, false],
    [400, 0, false],
    [429, 1, false],
  ])('asks again after %d, %d times before: %s', (status, retries, again) => {
    expect(isStageRetried(status, retries, config)).toBe(again)
  })

  it.each([
    [false, 0, 'answer'],
    [true, 0, 'go-on'],
    [true, 7, 'go-on'],
    [true, 8, 'without-tools'],
    [false, 20, 'answer'],
  ] as const)('its executor, tools wanted %s after %d rounds: %s', (wants, rounds, decision) => {
    expect(roundDecision(wants, rounds, config)).toBe(decision)
  })
})
