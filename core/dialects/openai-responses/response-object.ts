// The response object of the Responses API: the answer together with what the request asked for. The official SDKs and
// strict clients read many of its members without looking whether they are there.
import type { JsonObject } from '../canonical'
import type { WriteContext } from '../translation'

/** Of the request, repeated as the client wrote it; the default stands where it wrote nothing. */
const REPEATED: readonly (readonly [string, unknown])[] = [
  ['instructions', null],
  ['max_output_tokens', null],
  ['max_tool_calls', null],
  ['metadata', {}],
  ['parallel_tool_calls', true],
  ['previous_response_id', null],
  ['prompt_cache_key', null],
  ['safety_identifier', null],
  ['store', true],
  ['temperature', 1],
  ['text', { format: { type: 'text' } }],
  ['tool_choice', 'auto'],
  ['tools', []],
  ['top_p', 1],
  ['user', null],
]

/** What stays the same from the first event to the last. */
export interface ResponseFrame {
  readonly id: string
  readonly createdAt: number
  readonly repeated: JsonObject
}

export function responseFrame(id: string, { body, model, now }: WriteContext): ResponseFrame {
  const repeated: Record<string, unknown> = { model }
  for (const [name, usual] of REPEATED) repeated[name] = body[name] ?? usual
  repeated.reasoning = { effort: null, summary: null, ...(body.reasoning as object | null | undefined) }
  return { id, createdAt: Math.floor(now / 1000), repeated }
}

export interface ResponseState {
  readonly status: 'in_progress' | 'completed' | 'incomplete'
  readonly output: readonly JsonObject[]
  readonly usage: JsonObject | null
  /** Why it is incomplete. */
  readonly reason: string | null
}

export const responseObject = ({ id, createdAt, repeated }: ResponseFrame, state: ResponseState): JsonObject => ({
  id,
  object: 'response',
  created_at: createdAt,
  status: state.status,
  background: false,
  error: null,
  incomplete_details: state.reason === null ? null : { reason: state.reason },
  ...repeated,
  output: state.output,
  service_tier: 'default',
  top_logprobs: 0,
  truncation: 'disabled',
  usage: state.usage,
})
