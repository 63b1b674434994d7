import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DIALECTS, type Dialect } from '../../../core/contract/kinds'
import type { AnswerEvent } from '../../../core/dialects/canonical'
import { dialectModules } from '../../../core/dialects/dialects'
import type { Translation } from '../../../core/dialects/translation'
import { createAnswerSource } from '../../../core/pipeline/answer-source'
import { wholeAnswer, writeContext } from '../../support/answer-events'

const translationOf = (dialect: Dialect): Translation => dialectModules[dialect].translation as Translation

function read(dialect: Dialect, chunks: readonly Buffer[]): { events: AnswerEvent[]; unreadable: string | null } {
  const source = createAnswerSource(translationOf(dialect), writeContext())
  const events = chunks.flatMap((chunk) => [...source.feed(chunk)])
  return { events: [...events, ...source.end()], unreadable: source.unreadable }
}

function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const sorted = [0, ...places.map((place) => place % (bytes.length + 1)), bytes.length].sort((a, b) => a - b)
  return sorted.slice(1).map((to, i) => bytes.subarray(sorted[i], to))
}

function streamOf(dialect: Dialect, events: readonly AnswerEvent[]): string {
  const writer = translationOf(dialect).createStreamWriter(writeContext())
  return events.map((event) => writer.write(event)).join('')
}

const text = (events: readonly AnswerEvent[]): string =>
  events.map((event) => (event.kind === 'text' ? event.text : '')).join('')

const calls = (events: readonly AnswerEvent[]): string[] => {
  const found: string[] = []
  for (const event of events) {
    if (event.kind === 'tool-call') found[event.index] = `${event.name} `
    if (event.kind === 'tool-arguments') found[event.index] += event.piece
  }
  return found
}

describe.each(DIALECTS)('a %s stream', (dialect) => {
  it('gives the same events however the network cuts its bytes', () => {
    fc.assert(
      fc.property(wholeAnswer, fc.array(fc.nat(), { maxLength: 12 }), (answer, places) => {
        const bytes = Buffer.from(streamOf(dialect, answer))
        expect(read(dialect, cut(bytes, places))).toEqual(read(dialect, [bytes]))
      }),
    )
  })

  it('one byte at a time loses no character', () => {
    const answer: AnswerEvent[] = [
      { kind: 'start', id: 'x', model: 'm' },
      { kind: 'text', text: '北京🌍' },
      { kind: 'tool-call', index: 0, id: 'call_a', name: 'read', freeForm: false },
      { kind: 'tool-arguments', index: 0, piece: '{"p":"北京🌍"}' },
      { kind: 'tool-end', index: 0 },
      { kind: 'stop', reason: 'tool-calls', sequence: null },
      { kind: 'end' },
    ]
    const bytes = Buffer.from(streamOf(dialect, answer))
    const { events } = read(
      dialect,
      cut(
        bytes,
        Array.from(bytes, (_, i) => i),
      ),
    )
    expect(text(events)).toBe('北京🌍')
    expect(calls(events)).toEqual(['read {"p":"北京🌍"}'])
  })

  it.each([
    ['with CRLF', (stream: string) => stream.replaceAll('\n', '\r\n')],
    ['without the space behind the colon', (stream: string) => stream.replaceAll(/^data: /gm, 'data:')],
    ['behind a byte order mark', (stream: string) => `\uFEFF${stream}`],
    ['among comments', (stream: string) => `: PROCESSING\n\n${stream.replaceAll('\n\n', '\n\n: still here\n\n')}`],
    ['without its last blank line', (stream: string) => stream.trimEnd()],
  ])('%s says the same', (_how, change) => {
    fc.assert(
      fc.property(wholeAnswer, (answer) => {
        const stream = streamOf(dialect, answer)
        expect(read(dialect, [Buffer.from(change(stream))])).toEqual(read(dialect, [Buffer.from(stream)]))
      }),
      { numRuns: 30 },
    )
  })

  it('says what was written into it', () => {
    fc.assert(
      fc.property(wholeAnswer, (answer) => {
        const { events } = read(dialect, [Buffer.from(streamOf(dialect, answer))])
        expect(text(events)).toBe(text(answer))
        expect(calls(events).map(withoutSpaces)).toEqual(calls(answer).map(withoutSpaces))
        expect(events.at(-1)).toEqual({ kind: 'end' })
      }),
    )
  })

  it('that ends in the middle has no end', () => {
    fc.assert(
      fc.property(wholeAnswer, (answer) => {
        const cutOff = answer.filter(({ kind }) => kind !== 'stop' && kind !== 'end')
        const { events } = read(dialect, [Buffer.from(streamOf(dialect, cutOff))])
        expect(events.map(({ kind }) => kind)).not.toContain('end')
      }),
    )
  })
})

/** Gemini sends arguments as an object: their spaces are not kept. */
const withoutSpaces = (call: string): string => call.replace(/\s/g, '')

describe.each(DIALECTS)('a whole %s answer', (dialect) => {
  it('gives the events its stream would give', () => {
    fc.assert(
      fc.property(wholeAnswer, fc.array(fc.nat(), { maxLength: 4 }), (answer, places) => {
        const bytes = Buffer.from(translationOf(dialect).writeAnswer(answer, writeContext()))
        const { events, unreadable } = read(dialect, cut(bytes, places))
        expect(unreadable).toBeNull()
        expect(text(events)).toBe(text(answer))
        expect(calls(events).map(withoutSpaces)).toEqual(calls(answer).map(withoutSpaces))
        expect(events.at(-1)).toEqual({ kind: 'end' })
      }),
    )
  })

  it.each([
    ['a page of HTML', '<!doctype html><title>Sign in</title>'],
    ['JSON that is no answer', '{"hello":"world"}'],
    ['broken JSON', '{"choices":['],
    ['a list', '[1,2]'],
  ])('%s is unreadable, and its beginning is kept', (_what, body) => {
    expect(read(dialect, [Buffer.from(body)])).toEqual({ events: [], unreadable: body })
  })

  it('an error in place of an answer is a fault', () => {
    const { events } = read(dialect, [Buffer.from('{"error":{"message":"No.","type":"rate_limit_error","code":429}}')])
    expect(events).toMatchObject([{ kind: 'fault', status: 429 }])
  })

  it('nothing at all says nothing', () => {
    expect(read(dialect, [Buffer.from('\n \n')])).toEqual({ events: [], unreadable: null })
  })
})
