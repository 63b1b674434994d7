import { describe, expect, it } from 'vitest'
import { translation } from '../../../../core/dialects/openai-chat/translation'

const { withoutThinking } = translation
const call = { id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } }
const text = { type: 'text', text: 'Hi' }

describe('a Chat request without the reasoning of earlier turns', () => {
  it.each<[string, object, object]>([
    ['plain reasoning', { content: 'x', reasoning_content: 'hm' }, { content: 'x' }],
    ['reasoning by its other name', { content: 'x', reasoning: 'hm' }, { content: 'x' }],
    ['details', { content: 'x', reasoning_details: [{}] }, { content: 'x' }],
    [
      'signatures of tool calls',
      { content: null, tool_calls: [{ ...call, extra_content: { google: {} } }, call] },
      { content: null, tool_calls: [call, call] },
    ],
    ['thoughts in the content', { content: [{ type: 'thinking', thinking: [] }, text] }, { content: [text] }],
    [
      'thoughts alone',
      { content: [{ type: 'thinking', thinking: [] }], tool_calls: [call] },
      { content: null, tool_calls: [call] },
    ],
  ])('loses %s and nothing else, and the given one keeps it', (_what, given, left) => {
    const user = { role: 'user', content: 'x', reasoning: 'of a user' }
    const body = { model: 'm', messages: [user, { role: 'assistant', ...given }], stream: true }
    const before = structuredClone(body)
    expect(withoutThinking(body)).toEqual({ ...body, messages: [user, { role: 'assistant', ...left }] })
    expect(body).toEqual(before)
  })

  it('is none where there is no reasoning', () => {
    const messages = [
      { role: 'user', content: [text] },
      { role: 'assistant', content: [text], tool_calls: [call] },
      null,
    ]
    expect(withoutThinking({ messages })).toBeNull()
    expect(withoutThinking({})).toBeNull()
    expect(withoutThinking({ messages: 'x' })).toBeNull()
  })
})
