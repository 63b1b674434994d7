// Every field of a Chat request, and what becomes of it towards each of the other dialects.
import type { FieldFate, FieldRule } from '../translation'

const to = (responses: FieldFate, anthropic: FieldFate, gemini: FieldFate): FieldRule['to'] => ({
  'openai-responses': responses,
  anthropic,
  gemini,
})

const MAPPED = to('mapped', 'mapped', 'mapped')
const DROPPED = to('dropped', 'dropped', 'dropped')
const REFUSED = to('refused', 'refused', 'refused')

const rule = (field: string, fates: FieldRule['to'], example: unknown, note?: string): FieldRule =>
  note === undefined ? { field, to: fates, example } : { field, to: fates, example, note }

const unless = (harmless: readonly unknown[], row: FieldRule): FieldRule => ({ ...row, harmless })

export const fields: readonly FieldRule[] = [
  rule('model', MAPPED, 'gpt-5.2', 'The name the chosen provider has for it.'),
  rule('messages', MAPPED, [{ role: 'user', content: 'Hi' }]),
  rule('messages[].name', DROPPED, 'Ann', 'Only Chat tells several users apart.'),
  rule('messages[].audio', REFUSED, { id: 'audio_1' }, 'Sound a model spoke is known to its provider only.'),
  rule('messages[].content[].cache_control', DROPPED, { type: 'ephemeral' }, 'Not a field of Chat itself.'),
  rule('messages[].content[].prompt_cache_breakpoint', DROPPED, { mode: 'explicit' }),
  rule('messages[].content[].file.file_id', REFUSED, 'file-1', 'An uploaded file is known to its provider only.'),
  unless(['auto'], rule('messages[].content[].image_url.detail', DROPPED, 'high')),
  rule('stream', to('carried', 'carried', 'mapped'), true),
  rule('stream_options', MAPPED, { include_usage: true }, 'Decides whether the stream ends with a usage chunk.'),
  unless([false], rule('stream_options.include_obfuscation', DROPPED, true, 'The gateway pads nothing.')),
  rule('max_completion_tokens', MAPPED, 1024),
  rule('max_tokens', MAPPED, 1024, 'max_completion_tokens wins where both are given.'),
  rule('temperature', to('carried', 'mapped', 'mapped'), 0.7, 'Anthropic goes up to 1 only.'),
  rule('top_p', to('carried', 'carried', 'mapped'), 0.9),
  rule('top_k', to('dropped', 'carried', 'mapped'), 40, 'Not a field of Chat itself, but many servers know it.'),
  unless(['', []], rule('stop', to('dropped', 'mapped', 'mapped'), ['END'], 'Responses has no stop words.')),
  unless([0], rule('presence_penalty', to('dropped', 'dropped', 'mapped'), 0.5)),
  unless([0], rule('frequency_penalty', to('dropped', 'dropped', 'mapped'), 0.5)),
  rule('seed', to('dropped', 'dropped', 'mapped'), 7),
  unless([{}], rule('logit_bias', REFUSED, { 50256: -100 }, 'Token numbers mean something to one model only.')),
  unless([false], rule('logprobs', REFUSED, true, 'The answer would lack them.')),
  unless([0], rule('top_logprobs', REFUSED, 3, 'The answer would lack them.')),
  unless([1], rule('n', REFUSED, 2, 'The others give one answer at a time.')),
  unless([['text'], []], rule('modalities', REFUSED, ['text', 'audio'], 'Only text can be asked for across formats.')),
  rule('audio', REFUSED, { format: 'mp3', voice: 'alloy' }, 'Spoken answers cannot be asked for across formats.'),
  rule('prediction', DROPPED, { type: 'content', content: 'x' }, 'Only makes the answer faster.'),
  rule('web_search_options', REFUSED, {}, 'The model would answer without having searched.'),
  rule('moderation', REFUSED, { model: 'omni-moderation-latest' }, 'Nothing would be moderated.'),
  rule('tools', MAPPED, [{ type: 'function', function: { name: 'f', parameters: { type: 'object' } } }]),
  rule('tools[].custom.format', REFUSED, { type: 'grammar' }, 'The tool could get text it cannot read.'),
  rule('tool_choice', MAPPED, 'required'),
  unless([true], rule('parallel_tool_calls', to('carried', 'mapped', 'dropped'), false)),
  rule('functions', MAPPED, [{ name: 'f', parameters: { type: 'object' } }], 'The form before tools.'),
  rule('function_call', MAPPED, 'auto', 'The form before tool_choice.'),
  rule('response_format', MAPPED, { type: 'json_object' }),
  rule('reasoning_effort', MAPPED, 'high'),
  rule('reasoning', MAPPED, { max_tokens: 2048 }, "OpenRouter's field."),
  rule('include_reasoning', MAPPED, true, "OpenRouter's older field."),
  rule('thinking', MAPPED, { type: 'enabled' }, 'A field of several compatible servers.'),
  rule('verbosity', to('mapped', 'dropped', 'dropped'), 'low'),
  rule('user', to('mapped', 'mapped', 'dropped'), 'user-1', 'safety_identifier wins where both are given.'),
  rule('safety_identifier', to('mapped', 'mapped', 'dropped'), 'user-1'),
  rule('prompt_cache_key', to('carried', 'dropped', 'dropped'), 'chat-1'),
  rule('prompt_cache_options', DROPPED, { mode: 'implicit' }, 'Saves money at one provider.'),
  rule('prompt_cache_retention', DROPPED, '24h', 'Saves money at one provider.'),
  unless(['auto', 'default'], rule('service_tier', DROPPED, 'flex', 'A tariff of one provider.')),
  unless([false], rule('store', DROPPED, true, 'Stored chats cannot be read through the gateway.')),
  unless([{}], rule('metadata', DROPPED, { topic: 'x' }, 'Tags for stored chats.')),
]
