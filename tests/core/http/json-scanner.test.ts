import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { JsonScanner, JsonSyntaxError, MAX_DEPTH } from '../../../core/http/json-scanner'

const WANTED = new Set(['model', 'stream', 'messages', 'stream_options', 'stream_options.include_usage'])

function scan(text: string | Uint8Array, cuts: readonly number[] = []) {
  const bytes = Buffer.from(text as string)
  const scanner = new JsonScanner(WANTED)
  let at = 0
  for (const cut of [...cuts].map((n) => n % (bytes.length + 1)).sort((a, b) => a - b)) {
    scanner.feed(bytes.subarray(at, cut))
    at = cut
  }
  scanner.feed(bytes.subarray(at))
  return scanner.end()
}

const accepts = (text: string | Uint8Array, cuts?: readonly number[]): boolean => {
  try {
    scan(text, cuts)
    return true
  } catch (error) {
    if (error instanceof JsonSyntaxError) return false
    throw error
  }
}

const parses = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const cuts = fc.array(fc.nat(10_000), { maxLength: 6 })

describe('the JSON scanner', () => {
  it('accepts whatever JSON.stringify writes, wherever the chunks are cut', () => {
    fc.assert(fc.property(fc.jsonValue(), cuts, (value, at) => accepts(JSON.stringify(value), at)))
  })

  it('agrees with JSON.parse about text that is damaged in one place', () => {
    const damaged = fc
      .tuple(
        fc.jsonValue(),
        fc.nat(),
        fc.constantFrom('', ',', '"', '{', '}', '[', ']', ':', '0', '-', '.', 'e', 't', '\\', ' ', '\n', 'é'),
      )
      .map(([value, at, put]) => {
        const text = JSON.stringify(value, null, 1)
        const place = at % (text.length + 1)
        return text.slice(0, place) + put + text.slice(place + 1)
      })
    fc.assert(
      fc.property(damaged, cuts, (text, at) => {
        expect(accepts(text, at)).toBe(parses(text))
      }),
      { numRuns: 2_000 },
    )
  })

  it.each([
    '',
    ' ',
    '{',
    '{"a":1',
    '{"a" 1}',
    '{a:1}',
    "{'a':1}",
    '{"a":1,}',
    '[1,]',
    '[,1]',
    '01',
    '-',
    '1.',
    '1e',
    '.5',
    '+1',
    'nul',
    'nulll',
    'true false',
    '"\\x"',
    '"\\u12g4"',
    '"\n"',
    '{}{}',
    '[1]]',
    'NaN',
    'Infinity',
    '// c\n1',
    '"abc',
  ])('refuses %j', (text) => {
    expect(accepts(text)).toBe(false)
    expect(parses(text)).toBe(false)
  })

  it.each([
    '1',
    '-0',
    '1.5e+10',
    '0.0',
    '"\\u00e9\\n"',
    ' [ ] ',
    '{ }',
    '\t\r\n{"a":[{}]} ',
    'null',
    'true',
    'false',
    '"é漢😀"',
  ])('accepts %j', (text) => {
    expect(accepts(text)).toBe(true)
  })

  it('notes where wanted members stand, as bytes, and only at the top', () => {
    const text = '{"ü":"x", "messages":[{"model":"inner"}],"model": "a/b" , "stream":true,"big":12345678901234567890}'
    const { fields, root } = scan(text)
    const model = fields.get('model')
    expect(root).toBe('object')
    expect(Buffer.from(text).subarray(model?.start, model?.end).toString()).toBe('"a/b"')
    expect(fields.get('stream')?.kind).toBe('true')
    expect(fields.get('messages')).toMatchObject({ kind: 'array', hasOtherThanObjects: false })
  })

  it('notes the same places wherever the chunks are cut', () => {
    const text =
      '{"model":"ab\\"c","messages":[{"a":[1,2]},{"b":"é"}],"stream_options":{"include_usage":true},"stream":false}'
    const whole = scan(text)
    fc.assert(
      fc.property(cuts, (at) => {
        expect(scan(text, at).fields).toEqual(whole.fields)
      }),
    )
    expect(whole.fields.get('stream_options.include_usage')?.kind).toBe('true')
  })

  it('sees a member whose name is written with escapes', () => {
    expect(scan('{"mod\\u0065l":"x"}').fields.get('model')?.kind).toBe('string')
  })

  it('tells of a wanted member that is given twice', () => {
    expect([...scan('{"model":"a","x":1,"x":2,"model":"b"}').repeated]).toEqual(['model'])
  })

  it('sees that a list holds something else than objects', () => {
    expect(scan('{"messages":[{},null]}').fields.get('messages')?.hasOtherThanObjects).toBe(true)
    expect(scan('{"messages":[{"a":[1]}]}').fields.get('messages')?.hasOtherThanObjects).toBe(false)
  })

  it('refuses bytes that are no UTF-8, also when a chunk ends inside them', () => {
    for (const bad of [
      [0xff, 0xfe],
      [0xc3, 0x28],
      [0xe2, 0x82],
      [0xed, 0xa0, 0x80],
    ]) {
      const bytes = Buffer.concat([Buffer.from('{"a":"'), Buffer.from(bad), Buffer.from('"}')])
      for (let cut = 0; cut <= bytes.length; cut++) expect(accepts(bytes, [cut])).toBe(false)
    }
  })

  it('says at which byte the fault is', () => {
    expect(() => scan('{"model":')).toThrow('the JSON ends too early at byte 9')
    expect(() => scan('{"a":1,}')).toThrow('at byte 7')
  })

  it('gives up on nesting that is too deep instead of exhausting anything', () => {
    expect(accepts('['.repeat(MAX_DEPTH) + ']'.repeat(MAX_DEPTH))).toBe(true)
    expect(accepts('['.repeat(100_000))).toBe(false)
  })
})
