import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../core/dialects/canonical'
import type { DialectModule } from '../../../core/dialects/dialect'
import { openAiChat } from '../../../core/dialects/openai-chat/openai-chat'
import { openAiResponses } from '../../../core/dialects/openai-responses/openai-responses'
import { ResponseStore } from '../../../core/dialects/openai-responses/response-store'
import { ClientRequest } from '../../../core/pipeline/client-request'
import { type Continued, continueConversation, keepingAnswer } from '../../../core/pipeline/conversation'
import { buildConnection, type Connection, type Endpoint } from '../../../core/providers/registry'
import { providerRow } from '../../support/judged'
import { ManualClock } from '../../support/manual-clock'
import { requestBodyOf } from '../dialects/request-body-of'

const connection = (id: string): Connection =>
  buildConnection(
    providerRow('openai'),
    { id, name: id, priority: 1, enabled: true, baseUrl: null },
    'sk-x',
    false,
    null,
  )
const endpointOf = (dialect: 'openai-chat' | 'openai-responses'): Endpoint => ({
  ...{ dialect, origin: 'https://api.example', basePath: '/v1', headers: [], pathTemplate: null, query: '' },
})
const RESPONSES = endpointOf('openai-responses')
const CHAT = endpointOf('openai-chat')

const store = (): ResponseStore => new ResponseStore(new ManualClock())
const message = (role: string, text: string) => ({ type: 'message', role, content: [{ type: 'input_text', text }] })
const answer = (id: string) => ({ id, object: 'response', output: [message('assistant', 'A1')] })

function requestOf(body: JsonObject, dialect: DialectModule = openAiResponses): ClientRequest {
  const text = requestBodyOf(JSON.stringify({ model: 'openai/gpt-5', ...body }), dialect)
  return new ClientRequest(dialect, dialect.readAsked(text, '/v1/responses'), text)
}

/** Where it may go: "any", or why not. */
const why = ({ unusableFor }: Continued, id: string, endpoint = RESPONSES): string | null =>
  unusableFor === null ? 'any' : unusableFor(connection(id), endpoint)

describe('a request that continues nothing', () => {
  it.each([
    ['of another dialect', requestOf({ messages: [], previous_response_id: 'resp_1' }, openAiChat)],
    ['of this one', requestOf({ input: 'Hi' })],
    ['with an empty id', requestOf({ input: 'Hi', previous_response_id: null })],
  ])('%s goes on as it came, to any connection', (_what, client) => {
    expect(continueConversation(client, store(), true)).toEqual({
      ...{ client, unusableFor: null, leftOut: [], repeated: null },
    })
  })
})

describe('a request for work in the background', () => {
  it('is done at once, and the caller is told', () => {
    const { client, leftOut } = continueConversation(requestOf({ input: 'Hi', background: true }), store(), true)
    expect(leftOut).toEqual(['background'])
    expect(client.json()).toEqual({ model: 'openai/gpt-5', input: 'Hi' })
  })

  it('that says no stays as it is', () => {
    const given = requestOf({ input: 'Hi', background: false })
    expect(continueConversation(given, store(), true)).toMatchObject({ client: given, leftOut: [] })
  })
})

describe('a request that continues an answer kept here', () => {
  it('has the whole conversation in it, and may go to any connection', () => {
    const kept = store()
    kept.save('Q1', answer('resp_1'))
    const continued = continueConversation(requestOf({ input: 'Q2', previous_response_id: 'resp_1' }), kept, false)
    expect(continued.client.json()).not.toHaveProperty('previous_response_id')
    expect(JSON.stringify(continued.client.json().input)).toMatch(/Q1.*A1.*Q2/)
    expect(why(continued, 'a', CHAT)).toBe('any')
    // The answer names it all the same.
    expect(continued.repeated).toEqual({ previous_response_id: 'resp_1' })
  })

  it('and asks for background work is both', () => {
    const kept = store()
    kept.save('Q1', answer('resp_1'))
    const given = requestOf({ input: 'Q2', previous_response_id: 'resp_1', background: true })
    const { client, leftOut } = continueConversation(given, kept, true)
    expect(leftOut).toEqual(['background'])
    expect(client.json()).not.toHaveProperty('background')
    expect(JSON.stringify(client.json().input)).toMatch(/Q1.*Q2/)
  })
})

describe('a request that continues an answer an upstream keeps', () => {
  it('goes to the connection that has it and nowhere else', () => {
    const kept = store()
    kept.saveHeld('resp_1', 'a')
    const given = requestOf({ input: 'Q2', previous_response_id: 'resp_1' })
    const continued = continueConversation(given, kept, true)
    expect(continued.client).toBe(given)
    expect([why(continued, 'a'), why(continued, 'b')]).toEqual([null, 'another connection keeps this conversation'])
  })

  it('that nobody here knows may go to a provider that speaks Responses itself, and to no other', () => {
    const given = requestOf({ input: 'Q2', previous_response_id: 'resp_9' })
    const continued = continueConversation(given, store(), true)
    expect(continued.client).toBe(given)
    expect([why(continued, 'a'), why(continued, 'a', CHAT)]).toEqual([null, 'the conversation is not kept here'])
    expect(() => continueConversation(given, store(), false)).toThrow('the answer "resp_9" is not kept here')
  })
})

describe('what is kept of an answer', () => {
  it('the id that an upstream gave it, with the connection', () => {
    const kept = store()
    const { onStart } = keepingAnswer(requestOf({ input: 'Hi' }), connection('a'), kept)
    onStart?.(
      'event: response.created\ndata: {"type":"response.created","response":{"id":"resp_7","object":"response"}}',
    )
    expect(kept.get('resp_7')).toMatchObject({ connectionId: 'a', response: null })
    onStart?.('data: nothing of that kind')
  })

  it('an answer of our own making whole, with what was asked', () => {
    const kept = store()
    keepingAnswer(requestOf({ input: 'Q1' }), connection('a'), kept).onConverted?.(answer('resp_8'))
    expect(kept.get('resp_8')).toMatchObject({ connectionId: null, response: answer('resp_8') })
    expect(JSON.stringify(kept.get('resp_8')?.input)).toContain('Q1')
  })

  it.each([
    ['of another dialect', requestOf({ messages: [] }, openAiChat)],
    ['that shall not be stored', requestOf({ input: 'Hi', store: false })],
  ])('nothing of a request %s', (_what, client) => {
    expect(keepingAnswer(client, connection('a'), store())).toEqual({ onStart: null, onConverted: null })
  })
})
