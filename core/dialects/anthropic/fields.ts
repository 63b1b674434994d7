// What becomes of each member of a Messages request on its way to another dialect: platform.claude.com/docs/en/api/
// messages, with the members of its betas.
import type { FieldFate, FieldRule } from '../translation'

type Fates = FieldRule['to']

const everywhere = (fate: FieldFate): Fates => ({ 'openai-chat': fate, 'openai-responses': fate, gemini: fate })

const openAiAndGemini = (openAi: FieldFate, gemini: FieldFate): Fates => ({
  'openai-chat': openAi,
  'openai-responses': openAi,
  gemini,
})

const MAPPED = everywhere('mapped')
const DROPPED = everywhere('dropped')
const REFUSED = everywhere('refused')

const CACHE_MARK = { type: 'ephemeral' }
const CACHE_NOTE = 'Other dialects cache by themselves.'

export const fields: readonly FieldRule[] = [
  { field: 'model', to: MAPPED, example: 'anthropic/claude-sonnet-4-5' },
  { field: 'messages', to: MAPPED, example: [{ role: 'user', content: 'Hello' }] },
  { field: 'system', to: MAPPED, example: [{ type: 'text', text: 'Be brief.' }] },
  { field: 'max_tokens', to: MAPPED, example: 4096 },
  { field: 'stream', to: MAPPED, example: true },
  { field: 'temperature', to: openAiAndGemini('carried', 'mapped'), example: 0.5 },
  { field: 'top_p', to: openAiAndGemini('carried', 'mapped'), example: 0.9 },
  { field: 'top_k', to: openAiAndGemini('dropped', 'mapped'), note: 'OpenAI has no such limit.', example: 40 },
  {
    field: 'stop_sequences',
    to: { 'openai-chat': 'mapped', 'openai-responses': 'dropped', gemini: 'mapped' },
    harmless: [[]],
    note: 'Responses has no stop words.',
    example: ['END'],
  },
  { field: 'tools', to: MAPPED, example: [{ name: 'read', input_schema: { type: 'object', properties: {} } }] },
  { field: 'tool_choice', to: MAPPED, example: { type: 'auto' } },
  { field: 'thinking', to: MAPPED, example: { type: 'enabled', budget_tokens: 2048 } },
  { field: 'output_config', to: MAPPED, example: { effort: 'high' } },
  {
    field: 'output_format',
    to: MAPPED,
    note: 'The older place of output_config.format.',
    example: { type: 'json_schema', schema: { type: 'object', properties: {} } },
  },
  {
    field: 'metadata',
    to: openAiAndGemini('mapped', 'dropped'),
    harmless: [{}],
    note: 'Its user_id; Gemini has no place for it.',
    example: { user_id: 'u-1' },
  },
  { field: 'service_tier', to: DROPPED, harmless: ['auto'], note: 'A tier of Anthropic.', example: 'standard_only' },
  { field: 'speed', to: DROPPED, harmless: ['standard'], note: 'A mode of Anthropic.', example: 'fast' },
  { field: 'cache_control', to: DROPPED, note: CACHE_NOTE, example: CACHE_MARK },
  {
    field: 'context_management',
    to: DROPPED,
    harmless: [{}],
    note: 'Other dialects are sent the whole conversation.',
    example: { edits: [{ type: 'clear_thinking_20251015' }] },
  },
  {
    field: 'betas',
    to: DROPPED,
    harmless: [[]],
    note: 'Names of Anthropic’s betas.',
    example: ['context-1m-2025-08-07'],
  },
  {
    field: 'diagnostics',
    to: DROPPED,
    note: 'About Anthropic’s prompt cache.',
    example: { previous_message_id: null },
  },
  { field: 'fallbacks', to: DROPPED, harmless: [[]], note: 'Combos do this here.', example: 'default' },
  { field: 'fallback_credit_token', to: DROPPED, note: 'About Anthropic’s billing.', example: 'token' },
  {
    field: 'billing_policy',
    to: DROPPED,
    note: 'About Anthropic’s billing.',
    example: { type: 'billing_policy', bill_to: 'self' },
  },
  {
    field: 'mcp_servers',
    to: REFUSED,
    harmless: [[]],
    note: 'Anthropic itself calls these servers.',
    example: [{ type: 'url', name: 'docs', url: 'https://mcp.example.com' }],
  },
  { field: 'container', to: REFUSED, note: 'Its files and skills are with Anthropic.', example: 'container_1' },
  { field: 'thread', to: REFUSED, note: 'The conversation is kept by Anthropic.', example: { type: 'create' } },
  {
    field: 'compaction',
    to: REFUSED,
    note: 'It asks for a summary only Anthropic can read.',
    example: { type: 'enabled' },
  },
  {
    field: 'inference_geo',
    to: REFUSED,
    harmless: ['global'],
    note: 'No other provider promises the region.',
    example: 'us',
  },
  { field: 'system[].cache_control', to: DROPPED, note: CACHE_NOTE, example: CACHE_MARK },
  { field: 'messages[].content[].cache_control', to: DROPPED, note: CACHE_NOTE, example: CACHE_MARK },
  { field: 'messages[].content[].content[].cache_control', to: DROPPED, note: CACHE_NOTE, example: CACHE_MARK },
  { field: 'messages[].content[].citations', to: DROPPED, note: 'No other dialect cites.', example: { enabled: true } },
  {
    field: 'messages[].content[].transformations',
    to: DROPPED,
    note: 'The other side scales images itself.',
    example: {},
  },
  {
    field: 'messages[].content[].source.file_id',
    to: REFUSED,
    note: 'The file is with Anthropic.',
    example: 'file_1',
  },
  {
    field: 'messages[].content[].signature',
    to: MAPPED,
    note: 'Thinking goes back to the dialect that issued its signature, and is left out elsewhere.',
    example: 'bw1:gemini:c2ln',
  },
  { field: 'tools[].cache_control', to: DROPPED, note: CACHE_NOTE, example: CACHE_MARK },
  {
    field: 'tools[].type',
    to: REFUSED,
    harmless: ['custom'],
    note: 'Tools that Anthropic runs or defines. A tool search is dropped: the tools it finds are sent along.',
    example: 'web_search_20250305',
  },
  { field: 'tools[].strict', to: openAiAndGemini('carried', 'dropped'), harmless: [false], example: true },
  { field: 'tools[].input_examples', to: DROPPED, example: [{ path: 'a' }] },
  { field: 'tools[].defer_loading', to: DROPPED, harmless: [false], note: 'All tools are sent.', example: true },
  {
    field: 'tools[].allowed_callers',
    to: DROPPED,
    note: 'Only the model calls tools elsewhere.',
    example: ['direct'],
  },
  { field: 'tools[].eager_input_streaming', to: DROPPED, harmless: [false], example: true },
  { field: 'tool_choice.disable_parallel_tool_use', to: openAiAndGemini('mapped', 'dropped'), example: true },
  { field: 'output_config.effort', to: MAPPED, example: 'max' },
  {
    field: 'output_config.format',
    to: MAPPED,
    example: { type: 'json_schema', schema: { type: 'object', properties: {} } },
  },
  { field: 'output_config.task_budget', to: DROPPED, example: { type: 'tokens', total: 20_000 } },
]
