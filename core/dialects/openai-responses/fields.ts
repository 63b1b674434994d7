// What becomes of each field of a Responses request on its way to another dialect (docs/dialects.md).
import type { FieldFate, FieldRule } from '../translation'

const everywhere = (fate: FieldFate): FieldRule['to'] => ({ 'openai-chat': fate, anthropic: fate, gemini: fate })

const MAPPED = everywhere('mapped')
const CARRIED = everywhere('carried')
const DROPPED = everywhere('dropped')
const REFUSED = everywhere('refused')

const rule = (
  field: string,
  to: FieldRule['to'],
  example: unknown,
  more: Pick<FieldRule, 'note' | 'harmless'> = {},
): FieldRule => ({ field, to, example, ...more })

const note = (text: string): { note: string } => ({ note: text })

export const fields: readonly FieldRule[] = [
  rule('model', MAPPED, 'gpt-5.1'),
  rule('input', MAPPED, 'Hello'),
  rule('input[].content[].detail', DROPPED, 'high', { harmless: ['auto'] }),
  rule('input[].content[].file_id', REFUSED, 'file_1', note('A file stored at OpenAI can be read there only.')),
  rule('input[].content[].prompt_cache_breakpoint', DROPPED, { mode: 'explicit' }),
  rule('instructions', MAPPED, 'Be brief.'),
  rule('stream', MAPPED, true),
  rule('stream_options', MAPPED, { include_obfuscation: false }, note('Nothing is padded.')),
  rule(
    'tools',
    MAPPED,
    [{ type: 'function', name: 'f', parameters: { type: 'object', properties: {} } }],
    note(
      'Functions, custom tools, namespaces and tools that run at the client cross; tools that run at OpenAI are left out.',
    ),
  ),
  rule('tools[].allowed_callers', DROPPED, ['direct']),
  rule('tools[].async', DROPPED, true),
  rule('tools[].defer_loading', DROPPED, true, note('Every tool is loaded at once.')),
  rule('tools[].output_schema', DROPPED, { type: 'object' }),
  rule('tool_choice', MAPPED, 'auto', note('Refused where it demands a tool that runs at OpenAI.')),
  rule('parallel_tool_calls', MAPPED, true),
  rule('max_tool_calls', DROPPED, 3, note('It limits tools that run at OpenAI.')),
  rule('max_output_tokens', MAPPED, 100),
  rule('temperature', CARRIED, 0.5),
  rule('top_p', { 'openai-chat': 'carried', anthropic: 'carried', gemini: 'mapped' }, 0.9),
  rule('top_logprobs', DROPPED, 2, { harmless: [0] }),
  rule('text', MAPPED, { format: { type: 'text' } }),
  rule('reasoning', MAPPED, { effort: 'low' }),
  rule('reasoning.context', DROPPED, 'all_turns', { harmless: ['auto'] }),
  rule('reasoning.mode', DROPPED, 'pro', { harmless: ['standard'] }),
  rule(
    'include',
    MAPPED,
    ['reasoning.encrypted_content'],
    note('Reasoning always comes back encrypted; the rest is left out.'),
  ),
  rule('user', { 'openai-chat': 'mapped', anthropic: 'mapped', gemini: 'dropped' }, 'user-1'),
  rule(
    'safety_identifier',
    { 'openai-chat': 'mapped', anthropic: 'mapped', gemini: 'dropped' },
    'user-1',
    note('Sent as the end user; wins over user.'),
  ),
  rule('prompt_cache_key', MAPPED, 'key-1'),
  rule('prompt_cache_retention', DROPPED, '24h'),
  rule('prompt_cache_options', DROPPED, { mode: 'implicit' }),
  rule('store', MAPPED, false, note('Kept by the gateway itself, in memory, for a while.')),
  rule('previous_response_id', MAPPED, 'resp_1', note('The gateway puts the earlier turns back into the input.')),
  rule('conversation', REFUSED, 'conv_1', note('A conversation stored at OpenAI can be read there only.')),
  rule('prompt', REFUSED, { id: 'pmpt_1' }, note('A prompt stored at OpenAI can be read there only.')),
  rule('background', DROPPED, true, { harmless: [false], ...note('The answer is given at once.') }),
  rule('background_options', DROPPED, { completion_window: 'soonest' }),
  rule('truncation', DROPPED, 'auto', { harmless: ['disabled'] }),
  rule('context_management', DROPPED, [{ type: 'compaction' }], { harmless: [[]] }),
  rule('metadata', DROPPED, { run: '1' }, { harmless: [{}], ...note('Repeated in the answer.') }),
  rule('client_metadata', DROPPED, { id: '1' }),
  rule('service_tier', DROPPED, 'flex', { harmless: ['auto', 'default'] }),
  rule('moderation', DROPPED, { model: 'omni-moderation-latest' }),
  rule('access_programs', DROPPED, { cyber: 'standard' }),
  rule('image', DROPPED, { context_compression: 'auto' }),
]
