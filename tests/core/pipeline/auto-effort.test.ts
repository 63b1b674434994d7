import { describe, expect, it } from 'vitest'
import type { Dialect } from '../../../core/contract/kinds'
import type { DialectModule } from '../../../core/dialects/dialect'
import { dialectModules } from '../../../core/dialects/dialects'
import { embeddings } from '../../../core/dialects/openai-chat/embeddings'
import { withChosenEffort } from '../../../core/pipeline/auto-effort'
import { ClientRequest } from '../../../core/pipeline/client-request'
import { NO_FACTS } from '../../../core/routing/strategies/request-facts'
import { requestBodyOf } from '../dialects/request-body-of'

function requestOf(body: object, dialect: DialectModule): ClientRequest {
  const read = requestBodyOf(JSON.stringify(body), dialect)
  return new ClientRequest(dialect, dialect.readAsked(read, '/v1beta/models/c:generateContent'), read)
}

const FACTS = { ...NO_FACTS, task: 'debugging' } as const
const SAID = [{ role: 'user', content: 'Hi' }]
const PLAIN: Readonly<Record<Dialect, object>> = {
  'openai-chat': { model: 'c', messages: SAID, custom: 1 },
  'openai-responses': { model: 'c', input: 'Hi', reasoning: { summary: null } },
  anthropic: { model: 'c', max_tokens: 9, messages: SAID },
  gemini: { contents: [{ parts: [{ text: 'Hi' }] }], generation_config: { temperature: 0 } },
}
const added = (dialect: Dialect, model: string, more: object = {}): unknown =>
  withChosenEffort(requestOf({ ...PLAIN[dialect], ...more }, dialectModules[dialect]), FACTS, model)?.json() ?? null

describe('the effort', () => {
  it('goes into the request as its dialect says it, and the rest stays', () => {
    expect(added('openai-chat', 'gpt-5')).toEqual({ ...PLAIN['openai-chat'], reasoning_effort: 'high' })
    expect(added('openai-responses', 'gpt-5')).toMatchObject({ input: 'Hi', reasoning: { effort: 'high' } })
    expect(added('anthropic', 'claude-opus-4-7')).toMatchObject({ output_config: { effort: 'high' } })
    expect(added('gemini', 'gemini-2.5-pro')).toMatchObject({
      generationConfig: { temperature: 0, thinkingConfig: { thinkingBudget: 24_576 } },
    })
  })

  it.each<[Dialect, object]>([
    ['openai-chat', { reasoning_effort: 'low' }],
    ['openai-responses', { reasoning: { effort: 'low' } }],
    ['anthropic', { thinking: { type: 'disabled' } }],
    ['gemini', { generationConfig: { thinkingConfig: { thinkingBudget: 0 } } }],
  ])('is left alone where the client says it itself: %s', (dialect, more) => {
    expect(added(dialect, 'claude-opus-4-7', more)).toBeNull()
  })

  it('is not said to models that would refuse it', () => {
    expect(added('anthropic', 'claude-sonnet-4-5')).toBeNull()
    expect(added('gemini', 'gemini-1.5-pro')).toBeNull()
    expect(withChosenEffort(requestOf({ model: 'e', input: 'Hi' }, embeddings), FACTS, 'e')).toBeNull()
  })
})
