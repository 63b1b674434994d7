import { describe, expect, it, vi } from 'vitest'
import { openAiChat } from '../../../core/dialects/openai-chat/openai-chat'
import { GatewayError } from '../../../core/errors'
import { CapturedResponse } from '../../../core/pipeline/captured-response'
import { ClientAnswer } from '../../../core/pipeline/client-answer'
import { ManualClock } from '../../support/manual-clock'

function begin() {
  const response = new CapturedResponse()
  const answer = new ClientAnswer(response.asResponse, openAiChat, 'req_1', new ManualClock())
  const gone = vi.fn()
  answer.listen(gone, null)
  return { response, answer, gone }
}

describe('a captured answer', () => {
  it('keeps a whole one as it was sent', () => {
    const { response, answer, gone } = begin()
    answer.sendWhole(200, ['content-type', 'application/json', 'X-Mine', '1'], '{"é":1}')
    expect(response.status).toBe(200)
    expect(response.json()).toEqual({ é: 1 })
    expect(response.headersWithout(new Set(['content-length', 'x-mine']))).toEqual(['content-type', 'application/json'])
    expect([response.isWhole, gone.mock.calls.length]).toEqual([true, 0])
  })

  it('keeps bytes that were sent as latin1', () => {
    const { response, answer } = begin()
    answer.sendWhole(200, [], Buffer.from('{"é":1}').toString('latin1'), 'latin1')
    expect(response.json()).toEqual({ é: 1 })
  })

  it('puts together one that comes in pieces', () => {
    const { response, answer } = begin()
    answer.commit(200, ['content-type', 'application/json'], false)
    expect(answer.write(Buffer.from('{"a":'), true)).toBe(true)
    expect(response.json()).toBeNull()
    answer.write('1}', true)
    answer.end()
    expect(response.json()).toEqual({ a: 1 })
  })

  it('has nothing to say of one that broke off, or that is no JSON', () => {
    const broken = begin()
    broken.answer.commit(200, [], false)
    broken.answer.write('{"a":1}', true)
    broken.answer.fail(new GatewayError('bad_gateway', 502, 'It broke.'))
    expect([broken.response.isWhole, broken.response.json()]).toEqual([false, null])
    const other = begin()
    other.answer.sendWhole(200, [], 'Sign in')
    expect([other.response.isWhole, other.response.json()]).toEqual([true, null])
  })

  it('is given up like any client that goes away', () => {
    const { response, answer, gone } = begin()
    response.leave()
    expect([answer.gone, gone.mock.calls.length]).toEqual([true, 1])
    answer.sendWhole(200, [], '{}')
    expect(response.status).toBe(0)
  })

  it('cannot be given up any more once it is complete', () => {
    const { response, answer, gone } = begin()
    answer.sendWhole(200, [], '{}')
    response.leave()
    expect([answer.gone, gone.mock.calls.length]).toEqual([false, 0])
  })
})
