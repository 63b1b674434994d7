import { describe, expect, it } from 'vitest'
import { lastEventEnd, nextEventEnd, plainEvent } from '../../../core/pipeline/event-bounds'

describe('where events end', () => {
  it.each([
    ['data: a\n\n', 9],
    ['data: a\r\n\r\n', 11],
    ['data: a\n\ndata: b', 9],
    ['data: a\r\n\r\ndata: b\n', 11],
    ['data: a', 0],
    ['', 0],
    ['\n', 0],
  ])('the last in %j is at %i', (text, end) => {
    expect(lastEventEnd(Buffer.from(text))).toBe(end)
  })

  it('the next is found in either line ending', () => {
    const bytes = Buffer.from('data: a\n\ndata: b\r\n\r\ndata: c')
    expect(nextEventEnd(bytes, 0)).toBe(9)
    expect(nextEventEnd(bytes, 9)).toBe(20)
    expect(nextEventEnd(bytes, 20)).toBe(-1)
  })
})

describe('a plain event', () => {
  it.each([
    ['data: a\n\n', { name: undefined, data: 'a', end: 9 }],
    ['data: é\n\ndata: b\n\n', { name: undefined, data: 'é', end: 10 }],
    ['event: ping\ndata: {}\n\n', { name: 'ping', data: '{}', end: 22 }],
    ['data: a\n', null],
    ['data: a', null],
    ['data: a\nid: 1\n\n', null],
    ['data: a\ndata: b\n\n', null],
    ['data: a\r\n\r\n', null],
    ['data: a\rdata: b\n\n', null],
    ['event: a\rb\ndata: c\n\n', null],
    ['data:a\n\n', null],
    [': hi\n\n', null],
    ['event: a\n\n', null],
    ['event: a', null],
    ['', null],
  ])('%j is read as %j', (text, event) => {
    expect(plainEvent(Buffer.from(text), 0)).toEqual(event)
    const later = plainEvent(Buffer.from(`data: x\n\n${text}`), 9)
    expect(later).toEqual(event === null ? null : { ...event, end: event.end + 9 })
  })
})
