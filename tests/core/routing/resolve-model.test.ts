import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { GatewayError } from '../../../core/errors'
import type { ModelWorld } from '../../../core/routing/model-world'
import { resolveModel } from '../../../core/routing/resolve-model'
import { alias, type WorldParts, worldOf } from '../models/worlds'

const world = worldOf()

const resolved = (name: string, given: ModelWorld, key: string | null = null): string => {
  const { provider, model } = resolveModel(name, given, key)
  return `${provider.row.id}/${model}`
}

function refusal(name: string, given: ModelWorld = world, key: string | null = null): GatewayError {
  try {
    resolveModel(name, given, key)
  } catch (error) {
    if (error instanceof GatewayError) return error
    throw error
  }
  throw new Error(`${name} was taken`)
}

/** No line breaks, no DEL, and no mark of Claude Code's at the end. */
const modelName = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 60 })
  .filter((text) => ![...text].some((char) => char < ' ' || char === '\x7f') && !/\[1m\]$/i.test(text))

describe('a name with its provider', () => {
  it.each([
    ['openai/gpt-5', 'openai', 'gpt-5'],
    ['openrouter/anthropic/claude-sonnet-4', 'openrouter', 'anthropic/claude-sonnet-4'],
    ['openrouter/openrouter/auto', 'openrouter', 'openrouter/auto'],
    ['ollama/llama3.2:1b', 'ollama', 'llama3.2:1b'],
    ['ollama//x', 'ollama', '/x'],
    ['ollama/modèle 漢', 'ollama', 'modèle 漢'],
    ['ollama/ ', 'ollama', ' '],
    ['zhipu/glm-5', 'glm', 'glm-5'],
    ['OpenAI/gpt-5', 'openai', 'gpt-5'],
    ['ZHIPU/glm-5', 'glm', 'glm-5'],
  ])('%s is of provider %s, and called %s there', (name, provider, model) => {
    const target = resolveModel(name, world, null)
    expect(target.provider.row.id).toBe(provider)
    expect(target.model).toBe(model)
  })

  it('is whatever stands behind the first slash, unchanged', () => {
    fc.assert(
      fc.property(fc.constantFrom('openai', 'anthropic', 'openrouter', 'ollama'), modelName, (provider, model) => {
        expect(resolved(`${provider}/${model}`, world)).toBe(`${provider}/${model}`)
      }),
    )
  })

  it('stays with its provider, whoever else has the model', () => {
    fc.assert(
      fc.property(modelName, (model) => {
        const others = worldOf({ connected: ['openai'], listed: [`openrouter/${model}`, `openrouter/openai/${model}`] })
        expect(resolved(`openai/${model}`, others)).toBe(`openai/${model}`)
      }),
    )
  })

  it('is spelt as the provider’s list has it, where only upper and lower case differ', () => {
    const given = worldOf({ listed: ['openai/GPT-5', 'ollama/Llama', 'ollama/llama'] })
    expect(resolved('openai/gpt-5', given)).toBe('openai/GPT-5')
    expect(resolved('ollama/llama', given)).toBe('ollama/llama')
    // Two are meant: it is passed on as it is.
    expect(resolved('ollama/LLAMA', given)).toBe('ollama/LLAMA')
  })

  it('must be in the list of a provider that passes nothing else on', () => {
    const given = worldOf({ listed: ['strict/only-one'] })
    expect(resolved('strict/only-one', given)).toBe('strict/only-one')
    const error = refusal('strict/other', given)
    expect(error).toMatchObject({ code: 'model_not_found', httpStatus: 404 })
    expect(error.message).toBe('Strict has no model "other". It has strict/only-one.')
  })

  it('has at most 256 characters', () => {
    expect(resolveModel(`openai/${'x'.repeat(249)}`, world, null).model).toHaveLength(249)
    expect(refusal(`openai/${'x'.repeat(250)}`)).toMatchObject({ code: 'bad_request', httpStatus: 400 })
  })
})

describe('a plain name', () => {
  const lists = {
    listed: [
      'openai/gpt-5',
      'openai/Shared',
      'openrouter/Shared',
      'openrouter/meta/llama-4',
      'anthropic/claude-opus-5',
    ],
  }
  const given = worldOf(lists)

  it.each([
    ['gpt-5', 'openai/gpt-5'],
    ['GPT-5', 'openai/gpt-5'],
    ['meta/llama-4', 'openrouter/meta/llama-4'],
    ['Meta/LLAMA-4', 'openrouter/meta/llama-4'],
  ])('%s is the model of the one provider that lists it', (name, target) => {
    expect(resolved(name, given)).toBe(target)
  })

  it.each(['Shared', 'shared'])('%s that several list is refused with the choices', (name) => {
    const error = refusal(name, given)
    expect(error).toMatchObject({ code: 'ambiguous_model', httpStatus: 400, details: { field: 'model' } })
    expect(error.message).toContain('Write one of openai/Shared, openrouter/Shared.')
    expect(error.details.diagnostics).toEqual({ choices: ['openai/Shared', 'openrouter/Shared'] })
  })

  it('in its own letters is not confused with one in others', () => {
    const twins = worldOf({ listed: ['openai/Twin', 'openrouter/twin'] })
    expect(resolved('Twin', twins)).toBe('openai/Twin')
    expect(resolved('twin', twins)).toBe('openrouter/twin')
    expect(refusal('TWIN', twins).code).toBe('ambiguous_model')
  })

  it('leads exactly to the model, or names every provider that has it', () => {
    const lists = fc.uniqueArray(fc.constantFrom('openai', 'openrouter', 'ollama', 'glm'), { minLength: 1 })
    fc.assert(
      fc.property(modelName, lists, (model, providers) => {
        fc.pre(!model.includes('/'))
        const many = worldOf({ listed: providers.map((provider) => `${provider}/${model}`) })
        if (providers.length === 1) expect(resolved(model, many)).toBe(`${providers[0]}/${model}`)
        else for (const provider of providers) expect(refusal(model, many).message).toContain(`${provider}/${model}`)
      }),
    )
  })

  it('names eight choices at most', () => {
    const ids = Array.from({ length: 20 }, (_, i) => ({ provider: `p${i}`, model: 'm' }))
    const crowded = { ...given, names: { exact: new Map([['m', ids]]), folded: new Map([['m', ids]]) } }
    expect(refusal('m', crowded).message).toContain('p7/m and 12 more.')
  })
})

describe('Claude Code’s mark for a long context', () => {
  const parts: WorldParts = {
    listed: ['anthropic/claude-opus-5', 'openrouter/own[1m]'],
    aliases: [alias('big', 'anthropic/claude-opus-5'), alias('marked[1m]', 'openai/gpt-5')],
  }

  it.each([
    ['claude-opus-5[1m]', 'anthropic/claude-opus-5'],
    ['claude-opus-5[1M][1m]', 'anthropic/claude-opus-5'],
    ['anthropic/claude-opus-5[1m]', 'anthropic/claude-opus-5'],
    ['anthropic/unlisted[1m]', 'anthropic/unlisted'],
    ['big[1m]', 'anthropic/claude-opus-5'],
    ['marked[1m]', 'openai/gpt-5'],
    ['own[1m]', 'openrouter/own[1m]'],
    ['openrouter/own[1m]', 'openrouter/own[1m]'],
    ['openai/a[1m]b', 'openai/a[1m]b'],
  ])('%s → %s', (name, target) => {
    expect(resolved(name, worldOf(parts))).toBe(target)
  })

  it('alone is a name like any other', () => {
    expect(refusal('[1m]').code).toBe('model_not_found')
  })
})

describe('a name of the user’s', () => {
  it.each<[string, WorldParts, string, string | null, string]>([
    [
      'comes before everything else',
      { aliases: [alias('gpt-5', 'ollama/x')], listed: ['openai/gpt-5'] },
      'gpt-5',
      null,
      'ollama/x',
    ],
    ['comes before provider/model', { aliases: [alias('openai/a', 'ollama/x')] }, 'openai/a', null, 'ollama/x'],
    [
      'of one key comes before those of all',
      { aliases: [alias('m', 'ollama/all'), alias('m', 'ollama/own', 'k1')] },
      'm',
      'k1',
      'ollama/own',
    ],
    [
      'of another key does not count',
      { aliases: [alias('m', 'ollama/all'), alias('m', 'ollama/own', 'k1')] },
      'm',
      'k2',
      'ollama/all',
    ],
    [
      'may lead to a plain name',
      { aliases: [alias('m', 'gpt-5')], listed: ['openai/gpt-5'] },
      'm',
      null,
      'openai/gpt-5',
    ],
    [
      'may lead through three steps',
      { aliases: [alias('a', 'b'), alias('b', 'c'), alias('c', 'ollama/x')] },
      'a',
      null,
      'ollama/x',
    ],
    [
      'of a key may lead to one for all',
      { aliases: [alias('a', 'b', 'k1'), alias('b', 'ollama/x')] },
      'a',
      'k1',
      'ollama/x',
    ],
    ['is found in other letters', { aliases: [alias('Fast', 'ollama/x')] }, 'fast', null, 'ollama/x'],
    [
      'in other letters comes after a listed model',
      { aliases: [alias('Fast', 'ollama/x')], listed: ['openai/fast'] },
      'fast',
      null,
      'openai/fast',
    ],
  ])('%s', (_what, parts, name, key, target) => {
    expect(resolved(name, worldOf(parts), key)).toBe(target)
  })

  it.each<[string, readonly (readonly [string, string])[]]>([
    ['itself', [['a', 'a']]],
    [
      'another that leads back',
      [
        ['a', 'b'],
        ['b', 'a'],
      ],
    ],
    [
      'four steps',
      [
        ['a', 'b'],
        ['b', 'c'],
        ['c', 'd'],
        ['d', 'ollama/x'],
      ],
    ],
  ])('that leads to %s is refused, naming the way', (_what, pairs) => {
    const error = refusal('a', worldOf({ aliases: pairs.map(([from, to]) => alias(from, to)) }))
    expect(error).toMatchObject({ code: 'alias_cycle', httpStatus: 400 })
    expect(error.message).toContain(pairs.map(([from]) => from).join(' → '))
  })

  it('that leads nowhere says where it leads', () => {
    const error = refusal('m', worldOf({ aliases: [alias('m', 'nobody/x')] }))
    expect(error).toMatchObject({ code: 'model_not_found', httpStatus: 404 })
    expect(error.message).toMatch(/^"m" stands for "nobody\/x"\. No provider is named "nobody"\./)
  })

  it('ends for every set of names, in a model or in an error with a code', () => {
    const words = fc.constantFrom('a', 'b', 'c', 'A', 'a*', '*', 'openai/x', 'gpt-5')
    const aliases = fc.array(fc.tuple(words, words, fc.constantFrom(null, 'k1')), { maxLength: 8 })
    fc.assert(
      fc.property(aliases, words, fc.constantFrom(null, 'k1'), (given, name, key) => {
        const many = worldOf({ aliases: given.map(([from, to, of]) => alias(from, to, of)), listed: ['openai/gpt-5'] })
        try {
          expect(resolveModel(name, many, key).provider.row.id).toBe('openai')
        } catch (error) {
          expect(error).toBeInstanceOf(GatewayError)
        }
      }),
    )
  })
})

describe('a pattern of the user’s', () => {
  const aliases = [
    alias('*', 'ollama/anything'),
    alias('claude-*', 'openrouter/claude'),
    alias('claude-*-haiku*', 'ollama/small'),
    alias('gpt-?', 'openai/gpt'),
    alias('claude-*', 'anthropic/own', 'k1'),
  ]
  it.each([
    ['claude-opus-9', null, 'openrouter/claude'],
    ['CLAUDE-opus-9', null, 'openrouter/claude'],
    ['claude-9-haiku-x', null, 'ollama/small'],
    ['claude-9-haiku-x', 'k1', 'anthropic/own'],
    ['gpt-7', null, 'openai/gpt'],
    ['gpt-77', null, 'ollama/anything'],
    ['claude-opus-9[1m]', null, 'openrouter/claude'],
    ['nobody/x', null, 'ollama/anything'],
    ['openai/x', null, 'openai/x'],
  ])('%s of key %s → %s', (name, key, target) => {
    expect(resolved(name, worldOf({ aliases }), key)).toBe(target)
  })

  it('comes after a listed model, and its target goes through no other pattern', () => {
    const given = worldOf({ aliases: [alias('gpt-*', 'gpt-missing')], listed: ['openai/gpt-5'] })
    expect(resolved('gpt-5', given)).toBe('openai/gpt-5')
    expect(refusal('gpt-6', given).message).toContain('"gpt-*" stands for "gpt-missing"')
  })
})

describe('a name that is refused', () => {
  it.each<[string, string, number, string]>([
    ['nothing', '', 400, 'must have 1 to 256 characters'],
    ['a line break', 'openai/a\nb', 400, 'control characters'],
    ['a NUL', 'openai/a\0', 400, 'control characters'],
    ['DEL', 'openai/a\x7f', 400, 'control characters'],
    ['a bare model', 'gpt-5', 404, 'No model is named "gpt-5". Write it as provider/model'],
    ['an unknown provider', 'opanai/gpt-5', 404, 'No provider is named "opanai".'],
    ['no provider', '/gpt-5', 404, 'No provider is named ""'],
    ['no model', 'openai/', 404, '"openai/" names no model'],
    ['a member every object has', '__proto__/x', 404, 'No provider is named "__proto__"'],
  ])('%s', (_what, name, status, words) => {
    const error = refusal(name)
    expect(error.httpStatus).toBe(status)
    expect(error.message).toContain(words)
    expect(error.details.field).toBe('model')
  })

  it.each([
    [[], 'practice/echo'],
    [['ollama'], 'practice/echo'],
    [['anthropic', 'ollama'], 'anthropic/<model>'],
  ])('comes with an example that would work: %j', (connected, example) => {
    expect(refusal('gpt-5', worldOf({ connected })).message).toContain(`for example ${example}.`)
  })

  it('comes with the models that were probably meant', () => {
    const given = worldOf({ listed: ['openrouter/anthropic/claude-sonnet-5', 'anthropic/claude-sonnet-5-20260101'] })
    expect(refusal('claude-sonnet', given).message).toBe(
      'No model is named "claude-sonnet". Write it as provider/model, for example anthropic/claude-sonnet-5-20260101. ' +
        'Did you mean anthropic/claude-sonnet-5-20260101, openrouter/anthropic/claude-sonnet-5?',
    )
    expect(refusal('antropic/claude-sonnet-5', given).message).toContain(
      'Providers with a connection: anthropic, openrouter. Did you mean',
    )
  })
})
