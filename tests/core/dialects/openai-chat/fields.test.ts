import type { ChatCompletionCreateParamsBase } from 'openai/resources/chat/completions'
import { describe, expect, it } from 'vitest'
import { fields } from '../../../../core/dialects/openai-chat/fields'
import { translation } from '../../../../core/dialects/openai-chat/translation'

/** Every field the official SDK knows: the compiler holds this list to it. */
const OFFICIAL: Readonly<Record<keyof ChatCompletionCreateParamsBase, true>> = {
  messages: true,
  model: true,
  audio: true,
  frequency_penalty: true,
  function_call: true,
  functions: true,
  logit_bias: true,
  logprobs: true,
  max_completion_tokens: true,
  max_tokens: true,
  metadata: true,
  modalities: true,
  moderation: true,
  n: true,
  parallel_tool_calls: true,
  prediction: true,
  presence_penalty: true,
  prompt_cache_key: true,
  prompt_cache_options: true,
  prompt_cache_retention: true,
  reasoning_effort: true,
  response_format: true,
  safety_identifier: true,
  seed: true,
  service_tier: true,
  stop: true,
  store: true,
  stream: true,
  stream_options: true,
  temperature: true,
  tool_choice: true,
  tools: true,
  top_logprobs: true,
  top_p: true,
  user: true,
  verbosity: true,
  web_search_options: true,
}

const names = fields.map(({ field }) => field)

describe('the table of Chat’s fields', () => {
  it('has every official field, each once', () => {
    expect(names).toEqual(expect.arrayContaining(Object.keys(OFFICIAL)))
    expect(new Set(names).size).toBe(names.length)
  })

  it('says a fate towards each of the other dialects', () => {
    for (const { to } of fields) expect(Object.keys(to).sort()).toEqual(['anthropic', 'gemini', 'openai-responses'])
  })

  it('says why where a request is refused', () => {
    for (const { field, to, note } of fields) {
      if (Object.values(to).includes('refused')) expect(note, field).toMatch(/\.$/)
    }
  })

  it.each(fields.filter(({ field }) => !/[.[]/.test(field)).map((rule) => [rule.field, rule] as const))(
    'has an example of %s that the parser takes',
    (field, rule) => {
      const body = { messages: [{ role: 'user', content: 'x' }], functions: [{ name: 'f' }], [field]: rule.example }
      expect(() => translation.parseRequest(body, { dropped: () => {} })).not.toThrow()
    },
  )

  it('carries and maps what it says: such fields are seen in the canonical form', () => {
    const bare = { messages: [{ role: 'user', content: 'x' }] }
    const parse = (body: object) => translation.parseRequest(body as never, { dropped: () => {} })
    const before = parse(bare)
    for (const { field, to, example } of fields) {
      const isSeen = Object.values(to).some((fate) => fate === 'carried' || fate === 'mapped')
      if (/[.[]/.test(field) || ['model', 'stream'].includes(field)) continue
      const same = JSON.stringify(parse({ ...bare, [field]: example })) === JSON.stringify(before)
      expect(same, field).toBe(!isSeen)
    }
  })
})
