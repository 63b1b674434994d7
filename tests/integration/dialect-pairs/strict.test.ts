// The strict checks of the fake upstream refuse what the real APIs refuse: else the pairs of dialects prove little.
import { describe, expect, test } from 'vitest'
import { checkMessages } from '../../support/strict/anthropic'
import { checkGemini } from '../../support/strict/gemini'
import { checkChat } from '../../support/strict/openai-chat'
import { checkResponses } from '../../support/strict/openai-responses'
import type { Json } from '../../support/strict/rules'

type Row = readonly [what: string, change: Json, refusal: string]

const user = (content: unknown): Json => ({ role: 'user', content })
const ofUser = (...content: unknown[]): Json => ({ messages: [user(content)] })

function testRows(name: string, base: Json, check: (body: Json) => void, rows: readonly Row[]): void {
  describe(name, () => {
    test('takes a plain request', () => {
      expect(() => check(base)).not.toThrow()
    })
    test.each(rows)('refuses %s', (_what, change, refusal) => {
      expect(() => check({ ...base, ...change })).toThrow(refusal)
    })
  })
}

const chatCall = (id: string): Json => ({ id, type: 'function', function: { name: 'look', arguments: '{}' } })
const chatTool = (fn: Json): Json => ({ tools: [{ type: 'function', function: fn }] })
const calling = (...ids: string[]): Json => ({ role: 'assistant', content: null, tool_calls: ids.map(chatCall) })

testRows('Chat', { model: 'm', messages: [user('Hi')] }, (body) => checkChat(body), [
  ['fields of other APIs', { system: 'Be brief' }, 'Unrecognized request argument supplied: system'],
  ['cache marks', ofUser({ type: 'text', text: 'Hi', cache_control: {} }), "'messages[0].content[0].cache_control'"],
  ['both limits', { max_tokens: 5, max_completion_tokens: 5 }, 'at the same time'],
  ['no messages', { messages: [] }, 'empty array'],
  ['an empty tool list', { tools: [] }, 'empty array'],
  ['a tool choice without tools', { tool_choice: 'auto' }, "only allowed when 'tools' are specified"],
  ['a call without its result', { messages: [user('Hi'), calling('a'), user('Go on')] }, 'did not have response'],
  [
    'a result that is late',
    { messages: [user('Hi'), calling('a'), user('x'), { role: 'tool', tool_call_id: 'a', content: '' }] },
    'did not have response messages: a',
  ],
  ['a result without a call', { messages: [{ role: 'tool', tool_call_id: 'a', content: '' }] }, 'preceeding message'],
  ['long ids', { messages: [user('Hi'), calling('a'.repeat(41))] }, 'maximum length 40'],
  ['an answer of nothing', { messages: [user('Hi'), { role: 'assistant', content: null }] }, 'got null'],
  ['names with dots', chatTool({ name: 'a.b' }), 'does not match pattern'],
  ['a schema that is no object', chatTool({ name: 'a', parameters: { type: 'string' } }), 'type: "object"'],
  [
    'a strict schema that is open',
    chatTool({ name: 'a', strict: true, parameters: { type: 'object', properties: {} } }),
    'additionalProperties',
  ],
  [
    'pictures that are no base64',
    ofUser({ type: 'image_url', image_url: { url: 'data:image/png;base64,??' } }),
    'unsupported image',
  ],
  [
    'pictures in results',
    { messages: [user('Hi'), calling('a'), { role: 'tool', tool_call_id: 'a', content: [{ type: 'image_url' }] }] },
    'content[0].type',
  ],
  ['stream options without a stream', { stream_options: { include_usage: true } }, "when 'stream' is enabled"],
])

const NOTHING_ISSUED = { knowsContent: () => false, knowsId: () => false }
const call = { type: 'function_call', call_id: 'a', name: 'look', arguments: '{}' }
const output = { type: 'function_call_output', call_id: 'a', output: '' }

testRows('Responses', { model: 'm', input: 'Hi' }, (body) => checkResponses(body, NOTHING_ISSUED), [
  ['fields of Chat', { max_tokens: 5 }, "Unknown parameter: 'max_tokens'"],
  ['a limit below 16', { max_output_tokens: 5 }, '>= 16'],
  ['tools in the form of Chat', chatTool({ name: 'look' }), "'tools[0].function'"],
  ['a call without its output', { input: [call] }, 'No tool output found for function call a.'],
  ['an output without its call', { input: [output] }, 'No tool call found'],
  ['ids that begin wrongly', { input: [{ ...call, id: 'call_a' }, output] }, "begins with 'fc'"],
  [
    'input text of the model',
    { input: [{ role: 'assistant', content: [{ type: 'input_text', text: '' }] }] },
    'output_text',
  ],
  [
    'reasoning it never gave',
    { input: [{ type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'x' }] },
    'verified',
  ],
  ['unknown things to include', { include: ['everything'] }, "'everything'"],
])

const ISSUED = { textOf: (signature: string) => (signature === 'good' ? 'I think' : undefined) }
const use = (id: string): Json => ({ role: 'assistant', content: [{ type: 'tool_use', id, name: 'look', input: {} }] })
const result = (id: string, more: Json = {}): Json => ({ type: 'tool_result', tool_use_id: id, content: 'ok', ...more })
const marked = { type: 'text', text: 'Hi', cache_control: { type: 'ephemeral' } }
const thought = { type: 'thinking', thinking: 'I think', signature: 'good' }
const thinking = { max_tokens: 2000, thinking: { type: 'enabled', budget_tokens: 1024 } }

testRows('Messages', { model: 'm', max_tokens: 10, messages: [user('Hi')] }, (body) => checkMessages(body, ISSUED), [
  ['no limit', { max_tokens: undefined }, 'max_tokens: Field required'],
  ['fields of other APIs', { frequency_penalty: 0 }, 'Extra inputs are not permitted'],
  [
    'a system message among the others',
    { messages: [{ role: 'system', content: 'x' }] },
    'first message must use the "user"',
  ],
  ['empty text', ofUser({ type: 'text', text: '' }), 'must be non-empty'],
  ['text of spaces', ofUser({ type: 'text', text: ' \n' }), 'non-whitespace'],
  ['an empty message', { messages: [user(''), user('Hi')] }, 'non-empty content'],
  ['a call without its result', { messages: [user('Hi'), use('a'), user('x')] }, 'without `tool_result` blocks'],
  [
    'text before the results',
    { messages: [user('Hi'), use('a'), user([{ type: 'text', text: 'x' }, result('a')])] },
    'immediately after: a',
  ],
  ['a result without its call', ofUser(result('a')), 'unexpected `tool_use_id`'],
  ['ids with dots', { messages: [user('Hi'), use('a.b'), user([result('a.b')])] }, 'String should match pattern'],
  [
    'a failed result of nothing',
    { messages: [user('Hi'), use('a'), user([result('a', { content: '', is_error: true })])] },
    'cannot be empty',
  ],
  ['five cache marks', ofUser(...Array(5).fill(marked)), 'A maximum of 4 blocks'],
  [
    'a thought that was changed',
    { messages: [user('Hi'), { role: 'assistant', content: [{ ...thought, thinking: 'I thought' }] }, user('x')] },
    'Invalid `signature`',
  ],
  [
    'thoughts left out of a tool loop',
    { ...thinking, messages: [user('Hi'), use('a'), user([result('a')])] },
    'Expected `thinking`',
  ],
  [
    'a forced tool while thinking',
    { ...thinking, tools: [{ name: 'a', input_schema: { type: 'object' } }], tool_choice: { type: 'any' } },
    'forces tool use',
  ],
  ['a temperature while thinking', { ...thinking, temperature: 0 }, 'may only be set to 1'],
  [
    'a budget above the limit',
    { thinking: { type: 'enabled', budget_tokens: 1024 } },
    'greater than `thinking.budget_tokens`',
  ],
  [
    'pictures that are no base64',
    ofUser({ type: 'image', source: { type: 'base64', media_type: 'image/png', data: '??' } }),
    'invalid base64',
  ],
  ['pictures by plain http', ofUser({ type: 'image', source: { type: 'url', url: 'http://x/y.png' } }), 'Only HTTPS'],
  ['a tool schema without a type', { tools: [{ name: 'a', input_schema: {} }] }, 'input_schema.type: Field required'],
  [
    'an output schema that is open',
    { output_config: { format: { type: 'json_schema', schema: { type: 'object' } } } },
    'explicitly set to false',
  ],
])

const declare = (parameters: Json): Json => ({ tools: [{ functionDeclarations: [{ name: 'look', parameters }] }] })
const withProperty = (schema: Json): Json => declare({ type: 'object', properties: { a: schema } })
const said = (role: string, ...parts: unknown[]): Json => ({ role, parts })
const hi = said('user', { text: 'Hi' })
const called = said('model', { functionCall: { name: 'look', args: {} } })
const answered = { functionResponse: { name: 'look', response: { output: '' } } }
const turns = (...contents: unknown[]): Json => ({ contents })

testRows('Gemini', turns(hi), (body) => checkGemini(body, { knows: (one) => one === 'Z29vZA==' }), [
  ['names it does not know', { model_name: 'x' }, 'Unknown name "model_name"'],
  ['a schema keyword it does not know', withProperty({ type: 'string', $ref: 'x' }), 'Unknown name "$ref"'],
  ['closed objects', declare({ type: 'object', additionalProperties: false }), 'Unknown name "additionalProperties"'],
  ['several types', withProperty({ type: ['string', 'null'] }), 'cannot start list'],
  ['formats', withProperty({ type: 'string', format: 'uri' }), "only 'enum' and 'date-time'"],
  ['numbers to choose from', withProperty({ type: 'integer', enum: [1] }), 'only allowed for STRING'],
  [
    'required properties that are not there',
    declare({ type: 'object', properties: { a: { type: 'string' } }, required: ['b'] }),
    'property is not defined',
  ],
  ['objects of nothing', declare({ type: 'object', properties: {} }), 'should be non-empty'],
  ['lists of nothing', withProperty({ type: 'array' }), 'missing field'],
  ['roles of other APIs', turns(said('assistant', { text: 'x' })), 'valid role: user, model'],
  ['empty text', turns(said('user', { text: '' })), 'must have one initialized field'],
  ['fewer responses than calls', turns(hi, called, hi), 'number of function response parts'],
  ['responses without calls', turns(hi, said('user', answered)), 'immediately after a function call turn'],
  [
    'responses of another name',
    turns(hi, called, said('user', { functionResponse: { name: 'x', response: {} } })),
    'names of the function calls',
  ],
  [
    'a response that is text',
    turns(hi, called, said('user', { functionResponse: { name: 'look', response: 'x' } })),
    'Struct',
  ],
  ['signatures it never gave', turns(hi, said('model', { text: 'x', thoughtSignature: 'YmFk' }), hi), 'not valid'],
  ['a schema for plain text', { generationConfig: { responseSchema: { type: 'string' } } }, 'response_mime_type'],
  [
    'a choice of tools in mode AUTO',
    { toolConfig: { functionCallingConfig: { mode: 'AUTO', allowedFunctionNames: ['x'] } } },
    'only when function calling mode is ANY',
  ],
])
