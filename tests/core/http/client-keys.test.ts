import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ClientKey, findKey, hashKey, presentedKey } from '../../../core/http/client-keys'

const keyOf = (id: string, plain: string): ClientKey => ({ id, name: id, hash: hashKey(plain), scopes: [] })

describe('the key a client presents', () => {
  it.each<[string, Record<string, string>, string | null]>([
    ['as a bearer', { authorization: 'Bearer bw-1' }, 'bw-1'],
    ['as a bearer in any case', { authorization: 'bEARER bw-1' }, 'bw-1'],
    ['with spaces around it', { authorization: 'Bearer   bw-1 ' }, 'bw-1'],
    ['as Anthropic’s clients do', { 'x-api-key': ' bw-1 ' }, 'bw-1'],
    ['as Google’s clients do', { 'x-goog-api-key': 'bw-1' }, 'bw-1'],
    ['as a bearer before the others', { authorization: 'Bearer bw-1', 'x-api-key': 'bw-2' }, 'bw-1'],
    ['beside a scheme that is not ours', { authorization: 'Basic abc', 'x-api-key': 'bw-2' }, 'bw-2'],
    ['not at all', {}, null],
    ['in an empty header', { 'x-api-key': '' }, null],
    ['without its scheme', { authorization: 'bw-1' }, null],
    ['with the scheme glued on', { authorization: 'Bearerbw-1' }, null],
    ['in a cookie', { cookie: 'x-api-key=bw-1' }, null],
  ])('%s', (_what, headers, key) => {
    expect(presentedKey(headers)).toBe(key)
  })

  it('is read from a header that is no list', () => {
    expect(presentedKey({ 'x-api-key': ['bw-1', 'bw-2'] })).toBeNull()
  })
})

describe('the set of keys', () => {
  it('keeps SHA-256 of a key and nothing else of it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (plain) => {
        const text = plain.toWellFormed()
        expect(hashKey(text).equals(createHash('sha256').update(text).digest())).toBe(true)
      }),
    )
  })

  it('finds each of its keys and no other', () => {
    const some = fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 8 })
    fc.assert(
      fc.property(some, fc.string(), (plains, other) => {
        const keys = plains.map((plain, i) => keyOf(`key_${i}`, plain))
        plains.forEach((plain, i) => {
          expect(findKey(plain, keys)?.id).toBe(`key_${i}`)
        })
        if (!plains.includes(other)) expect(findKey(other, keys)).toBeNull()
      }),
    )
  })

  it('takes neither a part of a key, nor its hash, nor nothing', () => {
    const keys = [keyOf('a', 'bw-12345678')]
    for (const wrong of ['bw-1234567', 'bw-123456789', 'BW-12345678', hashKey('bw-12345678').toString('hex'), '']) {
      expect(findKey(wrong, keys)).toBeNull()
    }
    expect(findKey('bw-12345678', [])).toBeNull()
  })

  it('is looked through to its end, wherever the key stands', () => {
    for (const at of [0, 1, 2]) {
      const looked: string[] = []
      const keys = ['a', 'b', 'c'].map((id, i) => ({
        id,
        name: id,
        scopes: [],
        get hash() {
          looked.push(id)
          return hashKey(i === at ? 'right' : `wrong ${id}`)
        },
      }))
      expect(findKey('right', keys)?.id).toBe(['a', 'b', 'c'][at])
      expect(looked).toEqual(['a', 'b', 'c'])
    }
  })
})
