import { describe, expect, it } from 'vitest'
import {
  continueStored,
  wantsStoring,
  withoutBackground,
} from '../../../../core/dialects/openai-responses/continue-stored'
import { ResponseStore } from '../../../../core/dialects/openai-responses/response-store'
import { responseOf } from '../../../../core/dialects/openai-responses/write-stream'
import { GatewayError } from '../../../../core/errors'
import { ManualClock } from '../../../support/manual-clock'
import { contextOf, parse, run, said } from './samples'

const LIMITS = { count: 3, size: 10_000, lifetimeMs: 1000 }
const message = (role: string, text: string) => ({ type: 'message', role, content: [{ type: 'input_text', text }] })
const answer = (id: string, text = 'A') => ({
  id,
  object: 'response',
  output: [{ id: `msg_${id}`, ...message('assistant', text) }],
})
const open = (limits: Partial<typeof LIMITS> = {}) => {
  const clock = new ManualClock()
  return { clock, store: new ResponseStore(clock, { ...LIMITS, ...limits }) }
}
const errorOf = (run: () => unknown): GatewayError => {
  try {
    run()
  } catch (error) {
    if (error instanceof GatewayError) return error
  }
  throw new Error('was not refused')
}

describe('the store of answers', () => {
  it('gives an answer as it was sent, until its time is over', () => {
    const { clock, store } = open()
    store.save('Q', answer('resp_1'))
    clock.advance(999)
    expect(store.get('resp_1')?.response).toEqual(answer('resp_1'))
    clock.advance(1)
    expect(store.get('resp_1')).toBeNull()
    expect(store.item('msg_resp_1')).toBeNull()
  })

  it('forgets what is deleted', () => {
    const { store } = open()
    store.save('Q', answer('resp_1'))
    expect([store.delete('resp_1'), store.delete('resp_1')]).toEqual([true, false])
    expect(store.get('resp_1')).toBeNull()
    expect(store.item('msg_resp_1')).toBeNull()
  })

  it('keeps only so many answers, the newest', () => {
    const { store } = open()
    for (const id of ['1', '2', '3', '4']) store.save('Q', answer(id))
    expect(['1', '2', '3', '4'].map((id) => store.get(id) !== null)).toEqual([false, true, true, true])
  })

  it('keeps only so much of them, and nothing that alone is too much', () => {
    const { store } = open()
    store.save('x'.repeat(6000), answer('1'))
    store.save('x'.repeat(6000), answer('2'))
    expect([store.get('1'), store.get('2')?.id]).toEqual([null, '2'])
    store.save('x'.repeat(20_000), answer('3'))
    expect([store.get('2')?.id, store.get('3')]).toEqual(['2', null])
  })

  it('frees what it no longer keeps', () => {
    const { store } = open({ count: 1000 })
    for (let round = 0; round < 50; round++) {
      store.save('x'.repeat(4000), answer('same'))
      store.save('x'.repeat(4000), answer(`other_${round}`))
      store.delete(`other_${round}`)
    }
    expect(store.get('same')?.id).toBe('same')
  })

  it('keeps nothing that has no id', () => {
    const { store } = open()
    store.save('Q', { object: 'response', output: [] })
    expect(store.get('')).toBeNull()
  })
})

describe('a request that continues an answer', () => {
  it('gets the whole conversation, turn after turn', () => {
    const { store } = open()
    store.save('Q1', answer('resp_1', 'A1'))
    const second = continueStored({ model: 'm', input: 'Q2', previous_response_id: 'resp_1' }, store)
    if (second.kind !== 'expanded') throw new Error(second.kind)
    expect(second.body).not.toHaveProperty('previous_response_id')
    store.save(second.body.input, answer('resp_2', 'A2'))
    const third = continueStored({ model: 'm', input: [message('user', 'Q3')], previous_response_id: 'resp_2' }, store)
    if (third.kind !== 'expanded') throw new Error(third.kind)
    const { turns } = parse(third.body).request
    expect(turns.map(({ parts }) => (parts[0] as { text: string }).text)).toEqual(['Q1', 'A1', 'Q2', 'A2', 'Q3'])
  })

  it('does not inherit the instructions of the answer before', () => {
    const { store } = open()
    store.save('Q', { ...answer('resp_1'), instructions: 'Be rude.' })
    const next = continueStored({ input: 'x', previous_response_id: 'resp_1' }, store)
    expect(JSON.stringify(next)).not.toContain('rude')
  })

  it('can give the result of a call the gateway wrote', () => {
    const { store } = open()
    const events = run(
      { kind: 'tool-call', index: 0, id: 'call_a', name: 'f', freeForm: false },
      { kind: 'tool-end', index: 0 },
      said('wait'),
    )
    const response = responseOf(events, contextOf())
    store.save('Q', response)
    const input = [{ type: 'function_call_output', call_id: 'call_a', output: 'r' }]
    const next = continueStored({ input, previous_response_id: response.id }, store)
    if (next.kind !== 'expanded') throw new Error(next.kind)
    expect(parse(next.body).request.turns.at(-1)?.parts[0]).toMatchObject({
      kind: 'tool-result',
      callId: 'call_a',
      name: 'f',
    })
  })

  it('gets the items it refers to', () => {
    const { store } = open()
    store.save('Q', answer('resp_1', 'A'))
    const next = continueStored(
      { input: [message('user', 'Q'), { type: 'item_reference', id: 'msg_resp_1' }, { id: 'msg_resp_1' }] },
      store,
    )
    if (next.kind !== 'expanded') throw new Error(next.kind)
    expect(next.body.input).toEqual([message('user', 'Q'), answer('resp_1').output[0], answer('resp_1').output[0]])
  })

  it('keeps references that only an upstream may know', () => {
    const { store } = open()
    expect(continueStored({ input: [{ type: 'item_reference', id: 'msg_up' }] }, store)).toEqual({ kind: 'unchanged' })
  })

  it('that continues nothing is unchanged', () => {
    const { store } = open()
    for (const body of [
      { input: 'x' },
      { input: [message('user', 'x')] },
      { input: 'x', previous_response_id: null },
    ]) {
      expect(continueStored(body, store)).toEqual({ kind: 'unchanged' })
    }
  })

  it('goes to the connection whose upstream has the answer', () => {
    const { store } = open()
    store.saveHeld('resp_up', 'con_1')
    expect(continueStored({ input: 'x', previous_response_id: 'resp_up' }, store)).toEqual({
      kind: 'held',
      connectionId: 'con_1',
    })
    expect(store.get('resp_up')).toEqual({ id: 'resp_up', input: null, response: null, connectionId: 'con_1' })
  })

  it('of an answer nobody has is told what to do', () => {
    const { store } = open()
    const error = errorOf(() => continueStored({ input: 'x', previous_response_id: 'resp_9' }, store))
    expect(error).toMatchObject({ code: 'previous_response_not_found', httpStatus: 400 })
    expect(error.message).toMatch(/resp_9.*Send the whole conversation/)
  })

  it('changes neither the body nor what is kept', () => {
    const { store } = open()
    store.save('Q', answer('resp_1'))
    const body = { input: [message('user', 'x')], previous_response_id: 'resp_1' }
    const before = JSON.stringify([body, store.get('resp_1')])
    continueStored(body, store)
    expect(JSON.stringify([body, store.get('resp_1')])).toBe(before)
  })
})

it('a request to run in the background is run at once', () => {
  const body = { input: 'x', background: true, background_options: { completion_window: '2h' } }
  expect(withoutBackground(body)).toEqual({ input: 'x' })
  expect(withoutBackground({ input: 'x', background: false })).toBeNull()
})

it('an answer is kept unless the client said otherwise', () => {
  expect([{}, { store: true }, { store: null }, { store: false }].map(wantsStoring)).toEqual([true, true, true, false])
})
