import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { buildModelList, type ModelList } from '../../../core/models/model-list'
import { codexListJson, geminiListJson, pagedListJson, wholeListJson } from '../../../core/models/model-list-json'
import { worldOf } from './worlds'

const AT = 1_750_000_000_500

function listOf(ids: readonly string[], more: object = {}): ModelList {
  const models = ids.map((model) => ({
    ...{ provider: 'openai', model, id: `openai/${model}`, label: model.toUpperCase() },
    ...{ added: false, hidden: false, embeds: false, facts: {}, ...more },
  }))
  return buildModelList(models, worldOf({ listed: ids.map((id) => `openai/${id}`) }), null, AT)
}

const fact = (value: number) => ({ value, source: 'table' as const, at: 0 })
interface Page {
  data: { id: string }[]
  has_more: boolean
  first_id: string | null
  last_id: string | null
}

describe('one body for all', () => {
  it('is what OpenAI, Anthropic and Codex clients read', () => {
    const list = listOf(['a'], { facts: { contextWindow: fact(9_000), maxOutput: fact(80) } })
    expect(JSON.parse(wholeListJson(list))).toEqual({
      object: 'list',
      data: [
        {
          id: 'openai/a',
          object: 'model',
          type: 'model',
          created: 1_750_000_000,
          created_at: '2025-06-15T15:06:40.000Z',
          owned_by: 'openai',
          display_name: 'OpenAI: A',
          context_window: 9_000,
          max_input_tokens: 9_000,
          max_output_tokens: 80,
          max_tokens: 80,
        },
      ],
      models: [{ slug: 'openai/a', display_name: 'OpenAI: A', context_window: 9_000 }],
      has_more: false,
      first_id: 'openai/a',
      last_id: 'openai/a',
    })
  })

  it('is written once for a list', () => {
    const list = listOf(Array.from({ length: 3_000 }, (_, i) => `m${i}`))
    expect(wholeListJson(list)).toBe(wholeListJson(list))
    expect(geminiListJson(list, 0, null)).toBe(geminiListJson(list, 0, null))
  })

  it('of no models is a list all the same', () => {
    const body = JSON.parse(wholeListJson(listOf([])))
    expect(body).toEqual({ object: 'list', data: [], models: [], has_more: false, first_id: null, last_id: null })
  })

  it('gives Codex itself an empty catalogue, so that it keeps its own instructions', () => {
    const body = JSON.parse(codexListJson(listOf(['a'])))
    expect(body.models).toEqual([])
    expect(body.data).toHaveLength(1)
  })
})

describe('Anthropic’s pages', () => {
  const ids = ['a', 'b', 'c', 'd', 'e']
  const page = (limit: number | null, afterId: string | null, beforeId: string | null): Page =>
    JSON.parse(pagedListJson(listOf(ids), { limit, afterId, beforeId })) as Page

  it.each<[number | null, string | null, string | null, string, boolean]>([
    [2, null, null, 'ab', true],
    [5, null, null, 'abcde', false],
    [2, 'openai/b', null, 'cd', true],
    [2, 'openai/d', null, 'e', false],
    [2, 'openai/e', null, '', false],
    [2, null, 'openai/d', 'bc', true],
    [2, null, 'openai/b', 'a', false],
    [null, 'openai/c', null, 'de', false],
  ])('limit %j after %j before %j: %j, more: %j', (limit, after, before, shown, more) => {
    const { data, has_more, first_id, last_id } = page(limit, after, before)
    expect(data.map(({ id }) => id.slice(-1)).join('')).toBe(shown)
    expect(has_more).toBe(more)
    expect(first_id).toBe(data[0]?.id ?? null)
    expect(last_id).toBe(data.at(-1)?.id ?? null)
  })

  it('that begin at an unknown model are refused', () => {
    expect(() => page(2, 'openai/x', null)).toThrow(/^after_id: There is no model "openai\/x"/)
    expect(() => page(2, null, 'openai/x')).toThrow(/^before_id: /)
  })

  it('joined are the whole list, each model once', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 1, max: 12 }), (count, limit) => {
        const list = listOf(Array.from({ length: count }, (_, i) => `m${i}`))
        const seen: string[] = []
        for (let after: string | null = null, more = true; more; ) {
          const next = JSON.parse(pagedListJson(list, { limit, afterId: after, beforeId: null })) as Page
          seen.push(...next.data.map(({ id }) => id))
          more = next.has_more
          after = next.last_id
        }
        expect(seen).toEqual(list.entries.map(({ id }) => id))
      }),
    )
  })
})

describe('Gemini’s list', () => {
  it('has limits where they are known, and what can be done with a model', () => {
    const list = listOf(['a'], { facts: { contextWindow: fact(7), maxOutput: fact(8) } })
    expect(JSON.parse(geminiListJson(list, 0, null))).toEqual({
      models: [
        {
          name: 'models/openai/a',
          version: '1',
          displayName: 'OpenAI: A',
          description: 'OpenAI: A',
          inputTokenLimit: 7,
          outputTokenLimit: 8,
          supportedGenerationMethods: ['generateContent', 'streamGenerateContent', 'countTokens'],
        },
      ],
    })
    expect(JSON.parse(geminiListJson(listOf(['e'], { embeds: true }), 0, null)).models[0]).toMatchObject({
      supportedGenerationMethods: ['embedContent'],
    })
  })

  it('comes in pages', () => {
    const list = listOf(['a', 'b', 'c'])
    const names = (offset: number, size: number | null) => {
      const { models, nextPageToken } = JSON.parse(geminiListJson(list, offset, size)) as {
        models: { name: string }[]
        nextPageToken?: string
      }
      return [models.map(({ name }) => name.slice(-1)).join(''), nextPageToken]
    }
    expect(names(0, 2)).toEqual(['ab', '2'])
    expect(names(2, 2)).toEqual(['c', undefined])
    expect(names(0, 3)).toEqual(['abc', undefined])
    expect(names(99, 2)).toEqual(['', undefined])
  })
})
