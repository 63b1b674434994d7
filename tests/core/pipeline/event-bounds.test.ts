import { describe, expect, it } from 'vitest'
import { lastEventEnd, nextEventEnd } from '../../../core/pipeline/event-bounds'

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
