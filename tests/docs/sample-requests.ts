// A request of each dialect with everything in it that the tables of fates speak of, and one field set to an example.
import type { Dialect } from '../../core/contract/kinds'
import type { JsonObject } from '../../core/dialects/canonical'
import type { FieldRule } from '../../core/dialects/translation'

const SCHEMA = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] }
const PNG = 'iVBORw0KGgo='

const SAMPLES: Readonly<Record<Dialect, () => JsonObject>> = {
  'openai-chat': () => ({
    model: 'm1',
    messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
    tools: [{ type: 'function', function: { name: 'read', parameters: SCHEMA } }],
  }),
  'openai-responses': () => ({
    model: 'm1',
    input: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hi' }] }],
    tools: [{ type: 'function', name: 'read', parameters: SCHEMA, strict: false }],
  }),
  anthropic: () => ({
    model: 'm1',
    max_tokens: 4096,
    system: [{ type: 'text', text: 'Be brief.' }],
    messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
    tools: [{ name: 'read', input_schema: SCHEMA }],
  }),
  gemini: () => ({
    contents: [{ role: 'user', parts: [{ text: 'Hi' }] }],
    tools: [{ functionDeclarations: [{ name: 'read', parameters: SCHEMA }] }],
  }),
}

/** Some fields need other surroundings than the plain sample gives them. */
const SURROUNDINGS: Readonly<Record<string, JsonObject>> = {
  'openai-chat messages[].content[].image_url.detail': {
    messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}` } }] }],
  },
  'openai-chat messages[].content[].file.file_id': {
    messages: [{ role: 'user', content: [{ type: 'file', file: {} }] }],
  },
  'openai-chat messages[].audio': {
    messages: [{ role: 'user', content: 'Hi' }, { role: 'assistant' }],
  },
  'openai-chat tools[].custom.format': { tools: [{ type: 'custom', custom: { name: 'run' } }] },
  'openai-responses input[].content[].detail': {
    input: [{ role: 'user', content: [{ type: 'input_image', image_url: `data:image/png;base64,${PNG}` }] }],
  },
  'openai-responses input[].content[].file_id': { input: [{ role: 'user', content: [{ type: 'input_image' }] }] },
  'anthropic messages[].content[].source.file_id': {
    messages: [{ role: 'user', content: [{ type: 'image', source: { type: 'file' } }] }],
  },
  'anthropic messages[].content[].transformations': {
    messages: [
      { role: 'user', content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } }] },
    ],
  },
  'anthropic messages[].content[].content[].cache_control': {
    messages: [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'read', input: {} }] },
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: 't1', content: [{ type: 'text', text: 'Done.' }] }],
      },
    ],
  },
  'anthropic tool_choice.disable_parallel_tool_use': { tool_choice: { type: 'auto' } },
}

export function sampleRequest(dialect: Dialect, rule: FieldRule | null): JsonObject {
  const body = SAMPLES[dialect]()
  if (rule === null) return body
  const surrounded = structuredClone({ ...body, ...SURROUNDINGS[`${dialect} ${rule.field}`] })
  set(surrounded, rule.field.split('.'), rule.example)
  return surrounded
}

function set(at: Record<string, unknown>, [step = '', ...rest]: readonly string[], value: unknown): void {
  const name = step.replace(/(\[\])+$/, '')
  if (rest.length === 0) {
    at[name] = step.endsWith('[]') ? [value] : value
    return
  }
  if (step.endsWith('[]')) {
    at[name] ??= [{}]
    const element = (at[name] as Record<string, unknown>[]).at(-1)
    return set(element ?? {}, rest, value)
  }
  at[name] ??= {}
  set(at[name] as Record<string, unknown>, rest, value)
}
