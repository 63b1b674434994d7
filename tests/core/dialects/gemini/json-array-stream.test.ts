import { describe, expect, it } from 'vitest'
import { createArrayStream } from '../../../../core/dialects/gemini/json-array-stream'

describe('a stream as one JSON array', () => {
  it('is valid JSON when it is complete', () => {
    const stream = createArrayStream()
    const text = [
      stream.write('data: {"a":1}\n\ndata: {"b":"\\n\\n"}\n\n'),
      stream.write(': comment\n\n'),
      stream.write('data:{"c":3}\r\n\r\n'),
      stream.element('{"d":4}'),
      stream.end(),
    ].join('')
    expect(JSON.parse(text)).toEqual([{ a: 1 }, { b: '\n\n' }, { c: 3 }, { d: 4 }])
  })

  it('gives each element as soon as it comes', () => {
    const stream = createArrayStream()
    expect(stream.write('data: {"a":1}\n\n')).toBe('[{"a":1}')
    expect(stream.write('data: {"b":2}\n\n')).toBe(',\n{"b":2}')
  })

  it('is an empty array where nothing came', () => {
    expect(createArrayStream().end()).toBe('[]')
  })
})
