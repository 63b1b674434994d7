import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseModelList } from '../../../core/models/parse-model-list'

const parse = (body: unknown) => parseModelList(JSON.stringify(body))
const first = (body: unknown) => parse(body)?.models[0]

describe('a provider’s list of models', () => {
  it.each<[string, unknown, readonly string[]]>([
    ['OpenAI', { object: 'list', data: [{ id: 'gpt-5', object: 'model', owned_by: 'openai' }] }, ['gpt-5']],
    ['Anthropic', { data: [{ type: 'model', id: 'claude-x', display_name: 'Claude X' }] }, ['claude-x']],
    [
      'Gemini',
      { models: [{ name: 'models/gemini-3' }, { name: 'tunedModels/mine' }] },
      ['gemini-3', 'tunedModels/mine'],
    ],
    ['Together', [{ id: 'meta/llama', type: 'chat' }], ['meta/llama']],
    ['a list of names', ['a', 'b'], ['a', 'b']],
    ['Cohere', { models: [{ name: 'command-x', endpoints: ['chat'] }] }, ['command-x']],
    ['Cloudflare', { result: [{ id: '429b9e8b', name: '@cf/meta/llama' }] }, ['@cf/meta/llama']],
    ['Codex', { models: [{ slug: 'gpt-5-codex' }] }, ['gpt-5-codex']],
    ['an empty one', { data: [] }, []],
  ])('of %s gives its names', (_who, body, ids) => {
    expect(parse(body)?.models.map(({ id }) => id)).toEqual(ids)
  })

  it.each([['text'], ['<html>'], ['{}'], ['{"data":{}}'], ['null'], ['7'], [''], ['{"error":{"message":"no"}}']])(
    '%j is none',
    (text) => {
      expect(parseModelList(text)).toBeNull()
    },
  )

  it('leaves out what cannot be a model’s name', () => {
    const body = { data: [null, 7, {}, { id: 7 }, { id: 'a\nb' }, { id: 'x'.repeat(300) }, { id: 'good' }] }
    expect(parse(body)?.models.map(({ id }) => id)).toEqual(['good'])
  })

  it('never throws, whatever it is', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (entry) => {
        for (const model of parse({ data: [entry] })?.models ?? []) expect(typeof model.id).toBe('string')
      }),
    )
  })
})

describe('what a list says of a model', () => {
  it('OpenRouter: sizes, prices a million tokens, abilities', () => {
    const model = first({
      data: [
        {
          id: 'anthropic/claude-x',
          name: 'Anthropic: Claude X',
          context_length: 1_000_000,
          architecture: { input_modalities: ['text', 'image'] },
          pricing: { prompt: '0.000003', completion: '0.000015', input_cache_read: '0.0000003', image: '0.0048' },
          top_provider: { context_length: 200_000, max_completion_tokens: 64_000 },
          supported_parameters: ['tools', 'max_tokens'],
        },
      ],
    })
    expect(model).toEqual({
      id: 'anthropic/claude-x',
      label: 'Anthropic: Claude X',
      embeds: false,
      facts: {
        contextWindow: 1_000_000,
        maxOutput: 64_000,
        inputPrice: 3,
        outputPrice: 15,
        cacheReadPrice: 0.3,
        tools: true,
        images: true,
        reasoning: false,
      },
    })
  })

  it('Gemini: limits, and whether it embeds', () => {
    const page = parse({
      models: [
        {
          name: 'models/gemini-3',
          displayName: 'Gemini 3',
          inputTokenLimit: 1_048_576,
          outputTokenLimit: 65_536,
          supportedGenerationMethods: ['generateContent', 'countTokens'],
          thinking: true,
        },
        { name: 'models/embed', supportedGenerationMethods: ['embedContent'] },
      ],
    })
    expect(page?.models).toEqual([
      {
        id: 'gemini-3',
        label: 'Gemini 3',
        embeds: false,
        facts: { contextWindow: 1_048_576, maxOutput: 65_536, reasoning: true },
      },
      { id: 'embed', label: null, embeds: true, facts: {} },
    ])
  })

  it.each<[string, object, object]>([
    [
      'Anthropic',
      {
        type: 'model',
        max_input_tokens: 200_000,
        max_tokens: 64_000,
        capabilities: { image_input: { supported: true }, thinking: { supported: false } },
      },
      { contextWindow: 200_000, maxOutput: 64_000, images: true, reasoning: false },
    ],
    ['Groq', { context_window: 131_072, max_completion_tokens: 8_192 }, { contextWindow: 131_072, maxOutput: 8_192 }],
    ['vLLM', { max_model_len: 32_768 }, { contextWindow: 32_768 }],
    [
      'Mistral',
      { max_context_length: 131_072, capabilities: { function_calling: true, vision: false } },
      { contextWindow: 131_072, tools: true, images: false },
    ],
    [
      'Copilot',
      {
        capabilities: {
          limits: { max_context_window_tokens: 128_000, max_output_tokens: 4_096 },
          supports: { tool_calls: true, vision: true },
        },
      },
      { contextWindow: 128_000, maxOutput: 4_096, tools: true, images: true },
    ],
    ['Together, in dollars a million', { pricing: { input: 0.6, output: 0.6 } }, { inputPrice: 0.6, outputPrice: 0.6 }],
    [
      'a gateway, in dollars a token',
      { pricing: { input: '0.0000025', output: '0.00001' } },
      { inputPrice: 2.5, outputPrice: 10 },
    ],
    ['something free', { pricing: { prompt: '0', completion: '0' } }, { inputPrice: 0, outputPrice: 0 }],
    ['OpenRouter’s router', { pricing: { prompt: '-1', completion: '-1' } }, {}],
    ['tags', { capabilities: ['completion', 'tools', 'vision'] }, { tools: true, images: true, reasoning: false }],
    ['nonsense', { context_length: 'many', max_completion_tokens: -5, pricing: 'dear', capabilities: null }, {}],
    ['a zero for "not said"', { context_length: 0, max_output_tokens: 0 }, {}],
  ])('%s', (_who, fields, facts) => {
    expect(first({ data: [{ id: 'm', ...fields }] })?.facts).toEqual(facts)
  })
})

describe('the page after', () => {
  it.each<[string, object, string | null]>([
    ['Anthropic', { data: [{ id: 'a' }], has_more: true, last_id: 'a&b' }, 'limit=1000&after_id=a%26b'],
    ['Anthropic’s last', { data: [{ id: 'a' }], has_more: false, last_id: 'a' }, null],
    ['one without last_id', { data: [{ id: 'a' }, { id: 'b' }], has_more: true }, 'limit=1000&after_id=b'],
    ['Gemini', { models: [{ name: 'models/a' }], nextPageToken: 'x=/y' }, 'pageSize=1000&pageToken=x%3D%2Fy'],
    ['Gemini’s last', { models: [{ name: 'models/a' }], nextPageToken: '' }, null],
    ['OpenAI', { object: 'list', data: [{ id: 'a' }] }, null],
  ])('of %s', (_who, body, next) => {
    expect(parse(body)?.next).toBe(next)
  })
})
