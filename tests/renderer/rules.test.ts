import { describe, expect, it } from 'vitest'
import { RULE_REASONS as CONTRACT_REASONS, ProviderErrorRules, RULE_SCOPES } from '../../core/contract/error-rules'
import {
  checkRule,
  checkSignals,
  draftOfRule,
  emptyRule,
  movedRule,
  placeRuleError,
  placeSignalError,
  RULE_REASONS,
  SCOPE_CHOICES,
  toRule,
  toSignals,
  withoutRule,
  withRule,
} from '../../renderer/features/settings/rule-draft'

const rule = (match: string) =>
  ({ status: 429, match, scope: 'model', reason: 'quota_exhausted' }) as ProviderErrorRules[string][number]
const rules: ProviderErrorRules = { openai: [rule('a'), rule('b')], glm: [rule('c')] }

describe('a rule of one’s own', () => {
  const draft = { ...emptyRule('openai'), match: 'weekly cap' }

  it('offers what the contract takes', () => {
    expect(RULE_REASONS).toEqual([...CONTRACT_REASONS])
    expect(SCOPE_CHOICES.map(({ value }) => value).sort()).toEqual([...RULE_SCOPES].sort())
  })

  it('needs a provider, an error status and a text', () => {
    expect(checkRule(draft)).toEqual({})
    expect(Object.keys(checkRule({ ...emptyRule(''), status: '200' }))).toEqual(['provider', 'status', 'match'])
    expect(checkRule({ ...draft, restSeconds: 'long' })).toHaveProperty('restSeconds')
    expect(checkRule({ ...draft, restSeconds: '2592001' })).toHaveProperty('restSeconds')
  })

  it('is what the contract takes, and comes back as it was entered', () => {
    const full = { ...draft, restSeconds: '1.5', scope: 'model', reason: 'model_capacity' } as const
    expect(ProviderErrorRules.parse({ openai: [toRule(full)] })).toEqual({ openai: [toRule(full)] })
    expect(toRule(full).cooldownMs).toBe(1_500)
    expect(draftOfRule('openai', toRule(full))).toEqual(full)
    expect(toRule(draft)).not.toHaveProperty('cooldownMs')
  })

  it('is added at the end, put in its place, and moves with its provider', () => {
    expect(withRule(rules, draft, null).openai).toEqual([rule('a'), rule('b'), toRule(draft)])
    expect(withRule(rules, draft, { provider: 'openai', index: 0 }).openai).toEqual([toRule(draft), rule('b')])
    expect(withRule(rules, draft, { provider: 'glm', index: 0 })).toEqual({
      openai: [rule('a'), rule('b'), toRule(draft)],
    })
    expect(withRule({}, draft, null)).toEqual({ openai: [toRule(draft)] })
  })

  it('can be removed and asked earlier or later', () => {
    expect(withoutRule(rules, { provider: 'glm', index: 0 })).toEqual({ openai: rules.openai })
    expect(withoutRule(rules, { provider: 'openai', index: 0 }).openai).toEqual([rule('b')])
    expect(movedRule(rules, { provider: 'openai', index: 0 }, 1).openai).toEqual([rule('b'), rule('a')])
    expect(movedRule(rules, { provider: 'openai', index: 0 }, -1)).toEqual(rules)
  })

  it('is refused at its field', () => {
    const refused = (field: string) =>
      placeRuleError({ code: 'bad_input', message: `Nothing was changed: ${field} must be less (and 1 more).`, field })
    expect(refused('providerErrorRules.openai[2].match')).toEqual({ match: 'Must be less.' })
    expect(refused('providerErrorRules.openai[0].cooldownMs')).toEqual({ restSeconds: 'Must be less.' })
    expect(refused('providerErrorRules.openai')).toHaveProperty('general')
  })
})

describe('texts that mean a ban', () => {
  it('are trimmed, without empty lines', () => expect(toSignals([' a ', '', '  ', 'b'])).toEqual(['a', 'b']))
  it('are refused at their line', () => {
    expect(checkSignals(['a', 'x'.repeat(201)]).lines).toEqual({ 1: 'At most 200 characters.' })
    expect(checkSignals(Array.from({ length: 101 }, () => 'a')).general).toBe('At most 100 texts.')
    const refused = { code: 'bad_input', message: 'Nothing was changed: customBannedSignals[1] must be less.' }
    expect(placeSignalError({ ...refused, field: 'customBannedSignals[1]' }, ['a', '', 'b'])).toEqual({
      lines: { 2: 'Must be less.' },
      general: null,
    })
    expect(placeSignalError({ ...refused, field: null }, ['a']).general).not.toBeNull()
  })
})
