import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { anthropic } from '../../../core/dialects/anthropic/anthropic'
import type { DialectModule } from '../../../core/dialects/dialect'
import { openAiChat } from '../../../core/dialects/openai-chat/openai-chat'
import { GatewayError } from '../../../core/errors'
import { ClientAnswer } from '../../../core/pipeline/client-answer'
import { FakeResponse } from '../../support/fake-response'
import { ManualClock } from '../../support/manual-clock'

const SILENCE = 10_000

function begin(dialect: DialectModule = openAiChat) {
  const clock = new ManualClock()
  const response = new FakeResponse()
  return { clock, response, answer: new ClientAnswer(response.real, dialect, 'req_1', clock) }
}

const failure = new GatewayError('bad_gateway', 502, 'Nobody answered.')
const streamHead = (): string[] => ['content-type', 'text/event-stream']

describe('an answer that is held', () => {
  it('writes nothing while attempts go on', () => {
    const { clock, response, answer } = begin()
    answer.openAfter(60_000)
    clock.advance(59_999)
    expect(response.status).toBeNull()
    expect([answer.isOpen, answer.isCommitted, answer.status]).toEqual([false, false, 0])
  })

  it.each(['ASCII', 'é漢😀', 'x'.repeat(20_000)])('sends a whole body byte for byte, with its length (%#)', (text) => {
    for (const body of [text, Buffer.from(text)]) {
      const { response, answer } = begin()
      answer.sendWhole(201, ['content-type', 'application/json'], body)
      expect(response.status).toBe(201)
      expect(response.text).toBe(text)
      expect(response.header('content-length')).toBe(String(Buffer.byteLength(text)))
      expect(response.ended).toBe(true)
    }
  })

  it('sends any bytes of a whole body as they are, also such that are no UTF-8', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        const { response, answer } = begin()
        answer.sendWhole(200, [], Buffer.from(bytes))
        expect(response.body.equals(bytes)).toBe(true)
      }),
    )
  })

  it('tells of a failure as an answer with its status, id and retry-after', () => {
    const { response, answer } = begin()
    answer.fail(new GatewayError('busy', 503, 'Later.', { retryAfterS: 7 }), ['x-breakwater-attempts', '2'])
    expect(response.status).toBe(503)
    expect(response.header('retry-after')).toBe('7')
    expect(response.header('x-request-id')).toBe('req_1')
    expect(response.header('x-breakwater-attempts')).toBe('2')
    expect(JSON.parse(response.text).error).toMatchObject({ code: 'busy', message: 'Later.', retry_after: 7 })
    expect(answer.status).toBe(503)
  })

  it('no longer opens once it has been answered', () => {
    const { clock, response, answer } = begin()
    answer.openAfter(1_000)
    answer.sendWhole(200, [], '{}')
    expect(clock.waiting).toBe(0)
    clock.advance(60_000)
    expect(response.text).toBe('{}')
  })

  it('reads away the rest of an upload that it answers early', () => {
    const { response, answer } = begin()
    response.req.complete = false
    const resume = vi.spyOn(response.req, 'resume')
    answer.fail(failure)
    expect(resume).toHaveBeenCalledOnce()
  })
})

describe('an answer that is opened early', () => {
  it.each([
    [openAiChat, ': keep-alive\n\n'],
    [anthropic, 'event: ping\ndata: {"type":"ping"}\n\n'],
  ])('gives the status and a first sign of life, in the words of the dialect (%#)', (dialect, beat) => {
    const { clock, response, answer } = begin(dialect)
    answer.openAfter(2_000)
    clock.advance(2_000)
    expect(response.status).toBe(200)
    expect(response.header('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(response.header('x-request-id')).toBe('req_1')
    expect(response.text).toBe(beat)
    expect([answer.isOpen, answer.isCommitted, answer.status]).toEqual([true, false, 200])
  })

  it('stays alive for as long as nothing comes, and never is silent for 15 seconds', () => {
    const { clock, response, answer } = begin()
    answer.openAfter(0)
    for (let second = 0, before = 0; second < 300; second += 15, before = response.writes.length) {
      clock.advance(15_000)
      expect(response.writes.length).toBeGreaterThan(before)
    }
    expect(response.text.replaceAll(openAiChat.heartbeat, '')).toBe('')
  })

  it('takes content without a second head', () => {
    const { clock, response, answer } = begin()
    answer.openAfter(0)
    clock.advance(0)
    answer.commit(200, ['content-type', 'text/plain'], true)
    answer.write('data: a\n\n', true)
    answer.end()
    expect(response.header('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(response.text).toBe(': keep-alive\n\ndata: a\n\n')
    expect(clock.waiting).toBe(0)
  })

  it('tells of a failure as an event, and closes the connection', () => {
    const { clock, response, answer } = begin()
    answer.openAfter(0)
    clock.advance(0)
    answer.fail(failure)
    expect(response.text).toBe(openAiChat.heartbeat + openAiChat.streamError(failure, 'req_1'))
    expect(response.ended).toBe(true)
    expect(response.socketEnds).toEqual(['end'])
    expect(clock.waiting).toBe(0)
  })
})

describe('an answer that is committed', () => {
  function committed(dialect?: DialectModule) {
    const parts = begin(dialect)
    parts.answer.openAfter(1_000)
    parts.answer.commit(200, streamHead(), true)
    return parts
  }

  it('is not opened a second time', () => {
    const { clock, response } = committed()
    clock.advance(1_000)
    expect(response.writes).toHaveLength(0)
  })

  it('beats only in silence', () => {
    const { clock, response, answer } = committed()
    for (let second = 0; second < 60; second++) {
      answer.write('data: a\n\n', true)
      clock.advance(1_000)
    }
    expect(response.text).not.toContain('keep-alive')
    clock.advance(SILENCE + 5_000)
    expect(response.text).toContain('keep-alive')
  })

  it('is never silent for more than 15 seconds, whenever it last wrote and however long it may be held', () => {
    const times = fc.record({ hold: fc.nat(20_000), commit: fc.nat(8_000), write: fc.nat(20_000) })
    fc.assert(
      fc.property(times, ({ hold, commit, write }) => {
        const { clock, response, answer } = begin()
        answer.openAfter(hold)
        clock.advance(commit)
        answer.commit(200, streamHead(), true)
        answer.write('data: a\n\n', true)
        clock.advance(write)
        answer.write('data: b\n\n', true)
        const before = response.writes.length
        clock.advance(5_000)
        expect(response.writes).toHaveLength(before)
        clock.advance(10_000)
        expect(response.writes.length).toBeGreaterThan(before)
      }),
    )
  })

  it('has no signs of life when it is no stream', () => {
    const { clock, response, answer } = begin()
    answer.openAfter(1_000)
    answer.commit(200, ['content-type', 'application/json'], false)
    answer.write('{"a":', true)
    clock.advance(60_000)
    expect(response.text).toBe('{"a":')
  })

  it('puts nothing inside half an event', () => {
    const { clock, response, answer } = committed()
    answer.write('data: {"a', false)
    clock.advance(120_000)
    expect(response.text).toBe('data: {"a')
    answer.write('":1}\n\n', true)
    clock.advance(15_000)
    expect(response.text).toMatch(/^data: \{"a":1\}\n\n(: keep-alive\n\n)+$/)
  })

  it('does not pile up signs of life for a client that does not read', () => {
    const { clock, response, answer } = committed()
    response.takes = false
    expect(answer.write('data: a\n\n', true)).toBe(false)
    clock.advance(120_000)
    expect(response.text).toBe('data: a\n\n')
  })

  it.each([
    [true, 'data: a\n\n', ''],
    [false, 'data: {"a', '\n\n'],
  ])('a failure ends it with one error event of its own (between events: %s)', (between, sent, gap) => {
    const { response, answer } = committed(anthropic)
    answer.write(sent, between)
    answer.fail(failure)
    answer.fail(failure)
    expect(response.text).toBe(sent + gap + anthropic.streamError(failure, 'req_1'))
    expect(response.socketEnds).toEqual(['end'])
  })

  it('says when a slow client has caught up', () => {
    const { response, answer } = committed()
    const onDrain = vi.fn()
    answer.listen(() => {}, onDrain)
    response.takes = false
    expect(answer.write('data: a\n\n', true)).toBe(false)
    expect(onDrain).not.toHaveBeenCalled()
    response.drain()
    expect(onDrain).toHaveBeenCalledOnce()
    expect(answer.write('data: b\n\n', true)).toBe(true)
  })
})

describe('an answer that has ended', () => {
  it.each<[string, (answer: ClientAnswer) => void]>([
    ['end', (answer) => answer.end()],
    ['fail', (answer) => answer.fail(failure)],
    ['a whole answer', (answer) => answer.sendWhole(200, [], '{}')],
    ['stop', (answer) => answer.stop(failure)],
    ['an end after an error', (answer) => answer.endAfterError()],
  ])('is not touched by %s', (_what, act) => {
    const { response, answer } = begin()
    answer.sendWhole(200, [], '{"a":1}')
    act(answer)
    expect(response.text).toBe('{"a":1}')
    expect(answer.isCommitted).toBe(true)
  })

  it('does not take its own closing for a client that left', () => {
    const { response, answer } = begin()
    const onGone = vi.fn()
    answer.listen(onGone, null)
    answer.sendWhole(200, [], '{}')
    expect(response.ended).toBe(true)
    expect(answer.gone).toBe(false)
    expect(onGone).not.toHaveBeenCalled()
  })
})

describe('a client that leaves', () => {
  it('is noticed by the attempt under way, and by one that begins later', () => {
    const { clock, response, answer } = begin()
    const first = vi.fn()
    const second = vi.fn()
    answer.openAfter(1_000)
    answer.listen(first, null)
    response.leave()
    expect(first).toHaveBeenCalledOnce()
    answer.listen(second, null)
    expect(second).toHaveBeenCalledOnce()
    clock.advance(60_000)
    answer.fail(failure)
    expect(answer.write('data: a\n\n', true)).toBe(true)
    expect(response.status).toBeNull()
  })
})

describe('the gateway stops', () => {
  it('while the answer is held: the client gets the error as its answer', () => {
    const { response, answer } = begin()
    const onGone = vi.fn()
    answer.listen(onGone, null)
    answer.stop(failure)
    expect(response.status).toBe(502)
    expect(onGone).toHaveBeenCalledOnce()
  })

  it('in a stream: the client gets an error event', () => {
    const { clock, response, answer } = begin()
    answer.commit(200, streamHead(), true)
    answer.write('data: a\n\n', true)
    answer.stop(failure)
    expect(response.text).toBe(`data: a\n\n${openAiChat.streamError(failure, 'req_1')}`)
    expect(clock.waiting).toBe(0)
  })

  it.each<[string, (answer: ClientAnswer) => void]>([
    ['a stop', (answer) => answer.stop(failure)],
    ['a failure', (answer) => answer.fail(failure)],
  ])('in a body that is no stream: %s cuts the connection, so that nobody takes it for whole', (_what, act) => {
    const { response, answer } = begin()
    answer.commit(200, ['content-type', 'application/json'], false)
    answer.write('{"a":', true)
    act(answer)
    expect(response.destroyed).toBe(true)
    expect(response.text).toBe('{"a":')
    expect(response.ended).toBe(false)
  })
})
