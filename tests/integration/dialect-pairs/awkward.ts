// Requests that their own API takes, and that another would refuse as they stand: order, emptiness, names, limits. Each
// is one change to a plain request.
import type { Dialect } from '../../../core/contract/kinds'
import type { Json } from '../../support/strict/rules'
import { PICTURE, WEATHER } from './clients/client'

export interface Awkward {
  readonly what: string
  readonly body: Json
  /** What must not be lost on the way: stands in the answer, which repeats what was said last. */
  readonly kept?: string
  /**
   * Not every API has room for it: then the gateway says no and names the field, or the upstream does where the
   * gateway cannot know how much room it has.
   */
  readonly mayBeRefused?: true
}

const LONG_NAME = `look_${'a'.repeat(58)}`
const parameters = WEATHER.schema

// Chat

const chatUser = (content: unknown): Json => ({ role: 'user', content })
const chatCall = (id: string, name = 'look'): Json => ({ id, type: 'function', function: { name, arguments: '{}' } })
const chatCalls = (content: string | null, ...ids: string[]): Json => ({
  role: 'assistant',
  content,
  tool_calls: ids.map((id) => chatCall(id)),
})
const chatResult = (id: string, content: unknown = 'ok'): Json => ({ role: 'tool', tool_call_id: id, content })
const chatTool = (name: string, more: Json = {}): Json => ({ type: 'function', function: { name, ...more } })
const look = { tools: [chatTool('look')] }
const chat = (...messages: Json[]): Json => ({ messages: [...messages], ...look })

const CHAT: readonly Awkward[] = [
  { what: 'a call with empty text', body: chat(chatUser('Hi'), chatCalls('', 'a'), chatResult('a')) },
  { what: 'a call without text', body: chat(chatUser('Hi'), chatCalls(null, 'a'), chatResult('a')) },
  { what: 'an empty result', body: chat(chatUser('Hi'), chatCalls(null, 'a'), chatResult('a', '')) },
  {
    what: 'results in another order than the calls',
    body: chat(chatUser('Hi'), chatCalls(null, 'a', 'b'), chatResult('b'), chatResult('a'), chatUser('Go on')),
    kept: 'Go on',
  },
  {
    what: 'an empty part beside words',
    body: {
      messages: [
        chatUser([
          { type: 'text', text: '' },
          { type: 'text', text: 'words' },
        ]),
      ],
    },
    kept: 'words',
  },
  {
    what: 'an empty system message',
    body: { messages: [{ role: 'system', content: '' }, chatUser('words')] },
    kept: 'words',
  },
  {
    what: 'an empty answer before',
    body: { messages: [chatUser('Hi'), { role: 'assistant', content: '' }, chatUser('words')] },
    kept: 'words',
  },
  { what: 'two questions in a row', body: { messages: [chatUser('one'), chatUser('two')] }, kept: 'two' },
  {
    what: 'a conversation that begins with the assistant',
    body: { messages: [{ role: 'assistant', content: 'Hello' }, chatUser('words')] },
    kept: 'words',
  },
  {
    what: 'a developer message in the middle',
    body: { messages: [chatUser('Hi'), { role: 'developer', content: 'Be brief' }, chatUser('words')] },
  },
  { what: 'no limit', body: { messages: [chatUser('Hi')] } },
  { what: 'a very low limit', body: { messages: [chatUser('Hi')], max_tokens: 5 } },
  { what: 'the newer limit', body: { messages: [chatUser('Hi')], max_completion_tokens: 50 } },
  { what: 'a high temperature', body: { messages: [chatUser('Hi')], temperature: 1.8 } },
  { what: 'temperature and top_p', body: { messages: [chatUser('Hi')], temperature: 0.2, top_p: 0.9 } },
  {
    what: 'penalties, a seed and what is only booked',
    body: {
      messages: [chatUser('Hi')],
      presence_penalty: 0.5,
      frequency_penalty: 0.5,
      seed: 7,
      user: 'u-1',
      metadata: { a: 'b' },
      service_tier: 'auto',
      store: false,
      n: 1,
      logprobs: false,
      prompt_cache_key: 'k',
    },
  },
  { what: 'a stop text', body: { messages: [chatUser('Hi')], stop: 'END' } },
  { what: 'a stop text of spaces', body: { messages: [chatUser('Hi')], stop: ['\n\n', 'END'] } },
  { what: 'a tool without parameters', body: { messages: [chatUser('Hi')], ...look } },
  {
    what: 'a tool whose parameters are empty',
    body: { messages: [chatUser('Hi')], tools: [chatTool('look', { parameters: { type: 'object', properties: {} } })] },
  },
  {
    what: 'a tool with keywords some refuse',
    body: { messages: [chatUser('Hi')], tools: [chatTool('look', { parameters })] },
  },
  {
    what: 'a name that begins with a digit',
    body: {
      messages: [
        chatUser('Hi'),
        { role: 'assistant', content: null, tool_calls: [chatCall('a', '1look')] },
        chatResult('a'),
      ],
      tools: [chatTool('1look')],
    },
  },
  ...['auto', 'none', 'required', { type: 'function', function: { name: 'look' } }].map((choice) => ({
    what: `the tool choice ${typeof choice === 'string' ? choice : 'of one tool'}`,
    body: { messages: [chatUser('Hi')], ...look, tool_choice: choice },
  })),
  { what: 'one call at a time', body: { messages: [chatUser('Hi')], ...look, parallel_tool_calls: false } },
  { what: 'any JSON', body: { messages: [chatUser('Give me JSON')], response_format: { type: 'json_object' } } },
  ...['minimal', 'low', 'medium', 'high'].map((effort) => ({
    what: `the effort ${effort}`,
    body: { messages: [chatUser('Hi')], reasoning_effort: effort },
  })),
  {
    what: 'thinking with a call of another model before',
    body: { ...chat(chatUser('Hi'), chatCalls(null, 'a'), chatResult('a')), reasoning_effort: 'high' },
  },
  {
    what: 'thinking with a forced tool',
    body: { messages: [chatUser('Hi')], ...look, tool_choice: 'required', reasoning_effort: 'high' },
  },
  {
    what: 'thinking with a temperature',
    body: { messages: [chatUser('Hi')], temperature: 0.3, reasoning_effort: 'low' },
  },
  {
    what: 'thinking within a low limit',
    body: { messages: [chatUser('Hi')], max_completion_tokens: 600, reasoning_effort: 'high' },
  },
]

// Messages

const claudeUser = (...content: unknown[]): Json => ({ role: 'user', content })
const claudeText = (text: string, more: Json = {}): Json => ({ type: 'text', text, ...more })
const claudeUse = (...ids: string[]): Json => ({
  role: 'assistant',
  content: ids.map((id) => ({ type: 'tool_use', id, name: 'look', input: {} })),
})
const claudeResult = (id: string, more: Json = { content: 'ok' }): Json => ({
  type: 'tool_result',
  tool_use_id: id,
  ...more,
})
const claudeTool = (name: string, more: Json = {}): Json => ({
  name,
  input_schema: { type: 'object', properties: {} },
  ...more,
})
const claude = (...messages: Json[]): Json => ({ max_tokens: 100, messages, tools: [claudeTool('look')] })
const claudeHi = (more: Json): Json => ({ max_tokens: 100, messages: [{ role: 'user', content: 'Hi' }], ...more })
const cached = { cache_control: { type: 'ephemeral' } }
const picture = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PICTURE } }

const MESSAGES: readonly Awkward[] = [
  {
    what: 'words after results',
    body: claude(
      claudeUser(claudeText('Hi')),
      claudeUse('a', 'b'),
      claudeUser(claudeResult('b'), claudeResult('a'), claudeText('Go on')),
    ),
    kept: 'Go on',
  },
  {
    what: 'a result of nothing',
    body: claude(claudeUser(claudeText('Hi')), claudeUse('a'), claudeUser(claudeResult('a', {}))),
  },
  {
    what: 'a failed result',
    body: claude(
      claudeUser(claudeText('Hi')),
      claudeUse('a'),
      claudeUser(claudeResult('a', { content: 'no', is_error: true })),
    ),
  },
  {
    what: 'results of pictures and words',
    body: claude(
      claudeUser(claudeText('Hi')),
      claudeUse('a', 'b'),
      claudeUser(
        claudeResult('a', { content: [claudeText('see'), picture] }),
        claudeResult('b', { content: [picture] }),
      ),
    ),
  },
  {
    what: 'long ids',
    body: claude(claudeUser(claudeText('Hi')), claudeUse('a'.repeat(70)), claudeUser(claudeResult('a'.repeat(70)))),
  },
  { what: 'a long name', body: claudeHi({ tools: [claudeTool(LONG_NAME)] }) },
  { what: 'a name of 100 letters', body: claudeHi({ tools: [claudeTool('a'.repeat(100))] }) },
  { what: 'a name that begins with a digit', body: claudeHi({ tools: [claudeTool('1look')] }) },
  { what: 'six stop texts', mayBeRefused: true, body: claudeHi({ stop_sequences: ['a', 'b', 'c', 'd', 'e', 'f'] }) },
  {
    what: 'a beginning of the answer',
    body: {
      max_tokens: 100,
      messages: [
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: 'Well,' },
      ],
    },
  },
  {
    what: 'instructions in several cached blocks',
    body: claudeHi({
      system: [claudeText('Be brief.', cached), claudeText('Be kind.', cached)],
      tools: [claudeTool('look', cached)],
    }),
  },
  {
    what: 'cached words and results',
    body: claude(claudeUser(claudeText('Hi', cached)), claudeUse('a'), claudeUser({ ...claudeResult('a'), ...cached })),
  },
  { what: 'top_k', body: claudeHi({ top_k: 40 }) },
  { what: 'an id of the user', body: claudeHi({ metadata: { user_id: 'u'.repeat(200) } }) },
  ...[
    { type: 'auto' },
    { type: 'any' },
    { type: 'none' },
    { type: 'tool', name: 'look' },
    { type: 'auto', disable_parallel_tool_use: true },
  ].map((choice) => ({
    what: `the tool choice ${Object.values(choice).join(' ')}`,
    body: claudeHi({ tools: [claudeTool('look')], tool_choice: choice }),
  })),
  {
    what: 'a tool with keywords some refuse',
    body: claudeHi({ tools: [claudeTool('look', { input_schema: parameters })] }),
  },
  { what: 'thinking', body: claudeHi({ max_tokens: 4000, thinking: { type: 'enabled', budget_tokens: 2000 } }) },
  {
    what: 'adaptive thinking',
    body: claudeHi({ max_tokens: 4000, thinking: { type: 'adaptive' }, output_config: { effort: 'medium' } }),
  },
  { what: 'no thinking', body: claudeHi({ thinking: { type: 'disabled' } }) },
  {
    what: 'one question after the other',
    body: claude(claudeUser(claudeText('one')), claudeUser(claudeText('two'))),
    kept: 'two',
  },
]

// Responses

const said = (role: string, content: unknown): Json => ({ role, content })
const call = (id: string, name = 'look'): Json => ({ type: 'function_call', call_id: id, name, arguments: '{}' })
const output = (id: string, given: unknown = 'ok'): Json => ({
  type: 'function_call_output',
  call_id: id,
  output: given,
})
const flat = (name: string, more: Json = {}): Json => ({
  type: 'function',
  name,
  parameters: null,
  strict: false,
  ...more,
})
const input = (...items: Json[]): Json => ({ input: items, tools: [flat('look')], store: false })
const inputImage = { type: 'input_image', detail: 'auto', image_url: `data:image/png;base64,${PICTURE}` }

const RESPONSES: readonly Awkward[] = [
  { what: 'words as the whole input', body: { input: 'words' }, kept: 'words' },
  {
    what: 'instructions in three places',
    body: { instructions: 'one', input: [said('system', 'two'), said('developer', 'three'), said('user', 'words')] },
    kept: 'words',
  },
  {
    what: 'outputs in another order than the calls',
    body: input(said('user', 'Hi'), call('a'), call('b'), output('b'), output('a'), said('user', 'Go on')),
    kept: 'Go on',
  },
  {
    what: 'outputs right after each call',
    body: input(said('user', 'Hi'), call('a'), output('a'), call('b'), output('b')),
  },
  { what: 'an output of pictures', body: input(said('user', 'Hi'), call('a'), output('a', [inputImage])) },
  { what: 'an empty output', body: input(said('user', 'Hi'), call('a'), output('a', '')) },
  { what: 'long ids', body: input(said('user', 'Hi'), call('a'.repeat(64)), output('a'.repeat(64))) },
  {
    what: 'an answer of several parts before',
    body: input(
      said('user', 'Hi'),
      {
        type: 'message',
        role: 'assistant',
        id: 'msg_1',
        status: 'completed',
        content: [
          { type: 'output_text', text: 'a', annotations: [] },
          { type: 'refusal', refusal: 'no' },
        ],
      },
      said('user', 'Go on'),
    ),
    kept: 'Go on',
  },
  {
    what: 'an empty answer before',
    body: input(said('user', 'Hi'), said('assistant', ''), said('user', 'Go on')),
    kept: 'Go on',
  },
  { what: 'a name that begins with a digit', body: { input: 'Hi', tools: [flat('1look')] } },
  { what: 'a tool with keywords some refuse', body: { input: 'Hi', tools: [flat('look', { parameters })] } },
  ...['auto', 'none', 'required', { type: 'function', name: 'look' }].map((choice) => ({
    what: `the tool choice ${typeof choice === 'string' ? choice : 'of one tool'}`,
    body: { input: 'Hi', tools: [flat('look')], tool_choice: choice },
  })),
  { what: 'any JSON', body: { input: 'Give me JSON', text: { format: { type: 'json_object' }, verbosity: 'low' } } },
  {
    what: 'what is only booked',
    body: {
      input: 'Hi',
      metadata: { a: 'b' },
      prompt_cache_key: 'k',
      safety_identifier: 'u',
      truncation: 'disabled',
      service_tier: 'auto',
      include: [],
    },
  },
  { what: 'sampling', body: { input: 'Hi', temperature: 1.8, top_p: 0.9, max_output_tokens: 16 } },
  { what: 'the greatest effort', body: { input: 'Hi', reasoning: { effort: 'xhigh', summary: 'detailed' } } },
  { what: 'no effort', body: { input: 'Hi', reasoning: { effort: 'none' } } },
]

// Gemini

const parts = (role: string, ...list: unknown[]): Json => ({ role, parts: list })
const hi = parts('user', { text: 'Hi' })
const asks = (name: string, args: Json = {}): Json => ({ functionCall: { name, args } })
const gives = (name: string, response: Json = { output: 'ok' }): Json => ({ functionResponse: { name, response } })
const declared = (name: string, more: Json = {}): Json => ({
  functionDeclarations: [{ name, description: 'Looks', ...more }],
})
const talk = (...contents: unknown[]): Json => ({ contents, tools: [declared('look')] })
const config = (generationConfig: Json): Json => ({ contents: [hi], generationConfig })

const GEMINI: readonly Awkward[] = [
  {
    what: 'calls of the same name without ids',
    body: talk(
      hi,
      parts('model', asks('look', { a: 1 }), asks('look', { a: 2 })),
      parts('user', gives('look'), gives('look')),
    ),
  },
  {
    what: 'words after responses',
    body: talk(hi, parts('model', asks('look')), parts('user', gives('look'), { text: 'Go on' })),
    kept: 'Go on',
  },
  {
    what: 'responses of role function',
    body: talk(hi, parts('model', asks('look')), parts('function', gives('look'))),
  },
  {
    what: 'a failed response',
    body: talk(hi, parts('model', asks('look')), parts('user', gives('look', { error: 'no' }))),
  },
  {
    what: 'a response of nested data',
    body: talk(hi, parts('model', asks('look')), parts('user', gives('look', { a: { b: [1, null] } }))),
  },
  { what: 'an empty response', body: talk(hi, parts('model', asks('look')), parts('user', gives('look', {}))) },
  {
    what: 'names with dots and colons',
    body: { contents: [hi, parts('model', asks('a.b:c')), parts('user', gives('a.b:c'))], tools: [declared('a.b:c')] },
  },
  {
    what: 'two questions in a row',
    body: talk(parts('user', { text: 'one' }), parts('user', { text: 'two' })),
    kept: 'two',
  },
  { what: 'contents without a role', body: { contents: [{ parts: [{ text: 'words' }] }] }, kept: 'words' },
  {
    what: 'names in snake_case',
    body: {
      contents: [hi],
      system_instruction: { parts: [{ text: 'Be brief' }] },
      generation_config: { max_output_tokens: 50 },
    },
  },
  {
    what: 'a schema in capital letters',
    body: {
      contents: [hi],
      tools: [
        declared('look', {
          parameters: {
            type: 'OBJECT',
            properties: { city: { type: 'STRING', nullable: true }, n: { type: 'INTEGER', minimum: 1 } },
            required: ['city'],
          },
        }),
      ],
    },
  },
  { what: 'a JSON schema', body: { contents: [hi], tools: [declared('look', { parametersJsonSchema: parameters })] } },
  ...['AUTO', 'ANY', 'NONE', 'VALIDATED'].map((mode) => ({
    what: `the mode ${mode}`,
    body: { ...talk(hi), toolConfig: { functionCallingConfig: { mode } } },
  })),
  {
    what: 'one allowed tool',
    body: { ...talk(hi), toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['look'] } } },
  },
  { what: 'five stop texts', mayBeRefused: true, body: config({ stopSequences: ['a', 'b', 'c', 'd', 'e'] }) },
  {
    what: 'sampling',
    body: config({ temperature: 1.8, topP: 0.9, topK: 40, seed: 7, candidateCount: 1, presencePenalty: 0.5 }),
  },
  { what: 'a very low limit', body: config({ maxOutputTokens: 5 }) },
  { what: 'no thinking', body: config({ thinkingConfig: { thinkingBudget: 0 } }) },
  {
    what: 'as much thinking as it likes',
    body: config({ thinkingConfig: { thinkingBudget: -1, includeThoughts: true } }),
  },
  { what: 'a level of thinking', body: config({ thinkingConfig: { thinkingLevel: 'HIGH' } }) },
  { what: 'any JSON', body: config({ responseMimeType: 'application/json' }) },
  {
    what: 'safety settings',
    body: { contents: [hi], safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }] },
  },
]

export const AWKWARD: Readonly<Record<Dialect, readonly Awkward[]>> = {
  'openai-chat': CHAT,
  'openai-responses': RESPONSES,
  anthropic: MESSAGES,
  gemini: GEMINI,
}
