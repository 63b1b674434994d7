import { describe, expect, it } from 'vitest'
import { withoutThinking } from '../../../../core/dialects/anthropic/without-thinking'
import type { JsonObject } from '../../../../core/dialects/canonical'

const thinking = { type: 'thinking', thinking: 'a', signature: 'S' }
const redacted = { type: 'redacted_thinking', data: 'D' }
const text = { type: 'text', text: 'x' }
const call = { type: 'tool_use', id: 't', name: 'read', input: {} }
const result = { type: 'tool_result', tool_use_id: 't' }
const talk = (...contents: (JsonObject[] | string)[]): JsonObject[] =>
  contents.map((content, at) => ({ role: at % 2 === 0 ? 'user' : 'assistant', content }))

describe('a request without the thinking of earlier turns', () => {
  it('keeps everything else, and the given body as it was', () => {
    const body = {
      model: 'm',
      messages: talk('hi', [thinking, redacted, text], 'go on'),
      thinking: { type: 'adaptive' },
    }
    const before = structuredClone(body)
    expect(withoutThinking(body)).toEqual({ ...body, messages: talk('hi', [text], 'go on') })
    expect(body).toEqual(before)
  })

  it('has a word where a message held nothing else', () => {
    expect(withoutThinking({ messages: talk('hi', [thinking], 'go on') })).toEqual({
      messages: talk('hi', [{ type: 'text', text: '.' }], 'go on'),
    })
  })

  it.each<[string, JsonObject]>([
    ['no thinking', { messages: talk('hi', [text, call], [result]) }],
    ['no messages', {}],
    ['messages of another kind', { messages: [1, { content: 'x' }] }],
  ])('is none where there is %s', (_what, body) => {
    expect(withoutThinking(body)).toBeNull()
  })

  it('does not demand thinking by a budget amid a tool loop, nor clear what is not there', () => {
    const loop = { messages: talk('hi', [thinking, call], [result]) }
    const bare = { messages: talk('hi', [call], [result]) }
    const enabled = { thinking: { type: 'enabled', budget_tokens: 2048 } }
    const clear = { type: 'clear_thinking_20251015', keep: 'all' }
    const tools = { type: 'clear_tool_uses_20250919' }
    expect(withoutThinking({ ...loop, ...enabled })).toEqual(bare)
    expect(withoutThinking({ ...loop, thinking: { type: 'adaptive' } })).toEqual({
      ...bare,
      thinking: { type: 'adaptive' },
    })
    expect(withoutThinking({ ...loop, ...enabled, context_management: { edits: [clear] } })).toEqual(bare)
    expect(withoutThinking({ ...loop, ...enabled, context_management: { edits: [clear, tools] } })).toEqual({
      ...bare,
      context_management: { edits: [tools] },
    })
  })

  it('may still demand it of a new turn', () => {
    const body = { messages: talk('hi', [thinking, text], 'go on'), thinking: { type: 'enabled', budget_tokens: 2048 } }
    expect(withoutThinking(body)).toHaveProperty('thinking')
  })
})
