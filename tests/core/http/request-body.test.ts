import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { JsonScanner } from '../../../core/http/json-scanner'
import { RequestBody } from '../../../core/http/request-body'

function bodyOf(text: string, cut: number): RequestBody {
  const bytes = Buffer.from(text)
  const chunks = [bytes.subarray(0, cut % bytes.length), bytes.subarray(cut % bytes.length)]
  const scanner = new JsonScanner(new Set(['model', 'stream']))
  for (const chunk of chunks) scanner.feed(chunk)
  return new RequestBody(chunks, scanner.end())
}

describe('a request body', () => {
  it('reads a short string, whatever chunk it is cut by', () => {
    const text = '{"x":1,"model":"prov\\u0069der/m\\"1","stream":true}'
    for (let cut = 0; cut < text.length; cut++) {
      expect(bodyOf(text, cut).string('model')).toBe('provider/m"1')
      expect(bodyOf(text, cut).isTrue('stream')).toBe(true)
    }
  })

  it('keeps every other byte when a value is replaced', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), fc.string(), fc.nat(500), (before, after, model, cut) => {
        const head = `{ "a" : ${JSON.stringify(before)},"n":12345678901234567890, "model":`
        const tail = `  ,"b":${JSON.stringify(after)}}`
        const body = bodyOf(`${head}${JSON.stringify(model)}${tail}`, cut)
        const field = body.notes.fields.get('model')
        if (field === undefined) throw new Error('no model')
        const edited = Buffer.concat(body.edited([{ start: field.start, end: field.end, text: '"m1"' }]))
        expect(edited.toString()).toBe(`${head}"m1"${tail}`)
      }),
    )
  })

  it('puts a member in front without touching the rest', () => {
    const body = bodyOf('{ "model":"m"}', 3)
    const at = body.notes.firstMember
    expect(Buffer.concat(body.edited([{ start: at, end: at, text: '"s":1,' }])).toString()).toBe('{"s":1, "model":"m"}')
  })
})
