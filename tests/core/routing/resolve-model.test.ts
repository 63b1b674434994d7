import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { GatewayError } from '../../../core/errors'
import { CATALOGUE } from '../../../core/providers/catalogue'
import { buildConnection, type Provider, type Registry } from '../../../core/providers/registry'
import { resolveModel } from '../../../core/routing/resolve-model'

function registryOf(connected: readonly string[] = []): Registry {
  return new Map<string, Provider>(
    CATALOGUE.map((row) => {
      const stored = { id: row.id, name: row.id, priority: 1, enabled: true, baseUrl: 'http://127.0.0.1:1/v1' }
      const connections = connected.includes(row.id) ? [buildConnection(row, stored, 'k', false, null)] : []
      return [row.id, { row, connections }]
    }),
  )
}

const registry = registryOf()

function refusal(name: string, known: Registry = registry): GatewayError {
  try {
    resolveModel(name, known)
  } catch (error) {
    if (error instanceof GatewayError) return error
    throw error
  }
  throw new Error(`${name} was taken`)
}

describe('a model’s name', () => {
  it.each([
    ['openai/gpt-5', 'openai', 'gpt-5'],
    ['openrouter/anthropic/claude-sonnet-4', 'openrouter', 'anthropic/claude-sonnet-4'],
    ['openrouter/openrouter/auto', 'openrouter', 'openrouter/auto'],
    ['ollama/llama3.2:1b', 'ollama', 'llama3.2:1b'],
    ['ollama//x', 'ollama', '/x'],
    ['ollama/modèle 漢', 'ollama', 'modèle 漢'],
    ['ollama/ ', 'ollama', ' '],
  ])('%s is of provider %s, and called %s there', (name, provider, model) => {
    const target = resolveModel(name, registry)
    expect(target.provider.row.id).toBe(provider)
    expect(target.model).toBe(model)
  })

  it('is whatever stands behind the first slash, unchanged', () => {
    const printable = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 60 })
      .filter((text) => ![...text].some((char) => char < ' ' || char === '\x7f'))
    fc.assert(
      fc.property(fc.constantFrom(...registry.keys()), printable, (provider, model) => {
        expect(resolveModel(`${provider}/${model}`, registry)).toMatchObject({
          model,
          provider: { row: { id: provider } },
        })
      }),
    )
  })

  it('has at most 256 characters', () => {
    expect(resolveModel(`openai/${'x'.repeat(249)}`, registry).model).toHaveLength(249)
    expect(refusal(`openai/${'x'.repeat(250)}`)).toMatchObject({ code: 'bad_request', httpStatus: 400 })
  })
})

describe('a name that is refused', () => {
  it.each<[string, string, number, string]>([
    ['nothing', '', 400, 'must have 1 to 256 characters'],
    ['a line break', 'openai/a\nb', 400, 'control characters'],
    ['a NUL', 'openai/a\0', 400, 'control characters'],
    ['DEL', 'openai/a\x7f', 400, 'control characters'],
    ['a bare model', 'gpt-5', 404, 'No model is named "gpt-5". Write it as provider/model'],
    ['an unknown provider', 'opanai/gpt-5', 404, 'No provider is named "opanai". Providers: openai, anthropic,'],
    ['a provider in other letters', 'OpenAI/gpt-5', 404, 'No provider is named "OpenAI"'],
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
    expect(refusal('gpt-5', registryOf(connected)).message).toContain(`for example ${example}.`)
  })
})
