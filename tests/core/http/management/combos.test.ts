// /api/combos: what leads to which operation, and what is refused before any is asked.
import { describe, expect, test } from 'vitest'
import { openSurface } from './open-surface'

const STEP = {
  ...{ model: 'fake/m1', combo: null, weight: 1, connection: null, allowedConnections: null, prompt: null },
  fallbackOnlyOnQuotaExhaustion: false,
}
const steps = [{ model: 'fake/m1' }]

describe('a call', () => {
  test.each<[string, string, unknown, string, unknown]>([
    ['GET', '/api/combos', undefined, 'combos:list', undefined],
    ['POST', '/api/combos', { name: 'a', steps }, 'combos:create', { name: 'a', steps: [STEP] }],
    [
      'POST',
      '/api/combos',
      { name: 'a', strategy: 'usage', config: { maxRetries: 0 }, steps },
      'combos:create',
      { name: 'a', strategy: 'usage', config: { maxRetries: 0 }, steps: [STEP] },
    ],
    ['GET', '/api/combos/auto', undefined, 'combos:auto', undefined],
    ['GET', '/api/combos/a', undefined, 'combos:get', { id: 'a' }],
    ['GET', '/api/combos/qtSd%2Fteam', undefined, 'combos:get', { id: 'qtSd/team' }],
    [
      'PATCH',
      '/api/combos/a',
      { config: { maxRetries: null } },
      'combos:update',
      { id: 'a', config: { maxRetries: null } },
    ],
    ['PUT', '/api/combos/a', { steps }, 'combos:update', { id: 'a', replace: true, steps: [STEP] }],
    ['DELETE', '/api/combos/a', undefined, 'combos:remove', { id: 'a' }],
    ['POST', '/api/combos/combo_1/restore', undefined, 'combos:restore', { id: 'combo_1' }],
    ['POST', '/api/combos/a/duplicate', undefined, 'combos:duplicate', { id: 'a' }],
    ['POST', '/api/combos/a/duplicate', { name: 'b' }, 'combos:duplicate', { id: 'a', name: 'b' }],
    ['POST', '/api/combos/reorder', { ids: ['b', 'a'] }, 'combos:reorder', { ids: ['b', 'a'] }],
    ['POST', '/api/combos/a/test', undefined, 'combos:test', { id: 'a' }],
    ['POST', '/api/combos/a/test', { steps: [0, 2] }, 'combos:test', { id: 'a', steps: [0, 2] }],
  ])('%s %s %j leads to %s', async (method, path, body, name, input) => {
    const surface = await openSurface()
    const answer = await surface.manage(method, path, body)
    expect(answer.status, answer.text).toBe(method === 'POST' && /combos$|duplicate$/.test(path) ? 201 : 200)
    expect(surface.asked).toEqual([{ name, input }])
  })
})

describe('a body', () => {
  test.each<[string, string, unknown, readonly (readonly [string, string])[]]>([
    [
      'POST',
      '/api/combos',
      {},
      [
        ['name', 'is missing'],
        ['steps', 'is missing'],
      ],
    ],
    ['POST', '/api/combos', { name: 'a', steps: [] }, [['steps', 'must have at least one step']]],
    ['POST', '/api/combos', { name: 'a', steps, weight: 1 }, [['weight', 'is not a known field']]],
    ['POST', '/api/combos', { id: 'x', name: 'a', steps }, [['id', 'is not a known field']]],
    [
      'POST',
      '/api/combos',
      { name: 'a', steps: [...steps, { model: 'a/b', wait: 1 }, { model: 'a/b', weight: '1' }] },
      [
        ['steps[1].wait', 'is not a known field'],
        ['steps[2].weight', 'must be a number'],
      ],
    ],
    ['PUT', '/api/combos/a', { strategy: 'random' }, [['steps', 'is missing']]],
    ['PATCH', '/api/combos/a', { replace: true }, [['replace', 'is not a known field']]],
    ['PATCH', '/api/combos/a', { config: [] }, [['config', 'must be an object']]],
    ['POST', '/api/combos/reorder', { ids: 'a' }, [['ids', 'must be a list']]],
    ['POST', '/api/combos/a/test', { steps: [0.5] }, [['steps[0]', 'must be a whole number']]],
    ['POST', '/api/combos/a/duplicate', { name: '' }, [['name', 'must not be empty']]],
  ])('%s %s %j is refused', async (method, path, body, faults) => {
    const surface = await openSurface()
    const answer = await surface.manage(method, path, body)
    expect(answer.status).toBe(400)
    const { error } = answer.json<{ error: { details: { field: string; message: string }[] } }>()
    expect(error.details.map(({ field, message }) => [field, message])).toEqual(faults)
    expect(surface.asked).toEqual([])
  })

  test('that changes nothing is refused', async () => {
    const surface = await openSurface()
    expect((await surface.manage('PATCH', '/api/combos/a', {})).text).toContain('At least one field must be given.')
    expect(surface.asked).toEqual([])
  })
})
