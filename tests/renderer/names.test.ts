import { describe, expect, it } from 'vitest'
import type { AliasView } from '../../core/contract/model-views'
import {
  brokenWords,
  checkName,
  emptyName,
  nameDraftOf,
  placeNameError,
  suggestions,
  toAddName,
  toUpdateName,
} from '../../renderer/features/models/name-draft'

const alias: AliasView = {
  ...{ id: 'a1', pattern: 'claude-*', kind: 'pattern', clientKeyId: 'k1', clientKey: 'Claude Code' },
  ...{ target: 'lab/x', resolvesTo: 'lab/x', broken: null, createdAt: 0 },
}

describe('a name of the user’s own', () => {
  it('needs both its sides, and leads to one model', () => {
    expect(Object.keys(checkName(emptyName('')))).toEqual(['pattern', 'target'])
    expect(Object.keys(checkName({ pattern: 'a*', target: 'lab/*', keyId: '' }))).toEqual(['target'])
    expect(checkName(nameDraftOf(alias))).toEqual({})
  })
  it('is for all keys where none is chosen', () =>
    expect(toAddName({ pattern: ' a ', target: 'lab/x', keyId: '' })).toEqual({
      ...{ pattern: 'a', target: 'lab/x', clientKeyId: null },
    }))
  it('is changed only where it differs', () => {
    expect(toUpdateName(nameDraftOf(alias), alias)).toBeNull()
    expect(toUpdateName({ ...nameDraftOf(alias), keyId: '' }, alias)).toMatchObject({ id: 'a1', clientKeyId: null })
  })
  it('is refused at the side it is about', () => {
    const error = { code: 'bad_input', field: 'pattern', message: 'pattern: "a" is there already.' }
    expect(placeNameError(error)).toEqual({ pattern: '"a" is there already.' })
    expect(placeNameError({ ...error, field: 'clientKeyId' })).toHaveProperty('keyId')
    expect(placeNameError({ ...error, field: null })).toHaveProperty('general')
  })
})

it('says why it is broken without the name that stands beside it', () => {
  const broken = '"claude-*" stands for "lab/x". No model is named so.'
  expect(brokenWords({ ...alias, broken })).toBe('No model is named so.')
  expect(brokenWords({ ...alias, broken: 'it leads in a circle' })).toBe('It leads in a circle.')
  expect(brokenWords(alias)).toBe('')
})

it('suggests some of many models, and those that fit what is typed', () => {
  const names = Array.from({ length: 5000 }, (_, i) => `lab/model-${i}`)
  expect(suggestions(names, '')).toHaveLength(50)
  expect(suggestions(names, ' MODEL-4999 ')).toEqual(['lab/model-4999'])
})
