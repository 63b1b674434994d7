import { describe, expect, it } from 'vitest'
import { NOT_OURS } from '../../../../core/dialects/gemini/signature'
import { withoutThinking } from '../../../../core/dialects/gemini/without-thinking'

describe('a Gemini request without the reasoning of earlier turns', () => {
  const functionCall = { name: 'f', args: {} }
  const body = {
    contents: [
      { role: 'user', parts: [{ text: 'hi' }] },
      {
        role: 'model',
        parts: [
          { text: 'hm', thought: true, thoughtSignature: 'A' },
          { text: 'ok', thought_signature: 'B' },
          { functionCall, thoughtSignature: 'C' },
          { functionCall },
          { text: '', thoughtSignature: 'D' },
        ],
      },
      { role: 'model', parts: [{ text: 'only this', thought: true }] },
      { role: 'user', parts: [{ functionResponse: { name: 'f', response: {} } }] },
    ],
    generationConfig: { thinkingConfig: { thinkingBudget: 100 } },
  }

  it('keeps words, calls and results, and gives signed calls the word for a missing signature', () => {
    const before = structuredClone(body)
    expect(withoutThinking(body)).toEqual({
      ...body,
      contents: [
        body.contents[0],
        {
          role: 'model',
          parts: [{ text: 'ok' }, { functionCall, thoughtSignature: NOT_OURS }, { functionCall }],
        },
        body.contents[3],
      ],
    })
    expect(body).toEqual(before)
  })

  it('is not made twice, nor where there is none', () => {
    expect(withoutThinking(withoutThinking(body) ?? {})).toBeNull()
    expect(withoutThinking({ contents: [{ parts: [{ text: 'hi' }] }] })).toBeNull()
    expect(withoutThinking({ contents: 'x' })).toBeNull()
    expect(withoutThinking({})).toBeNull()
  })
})
