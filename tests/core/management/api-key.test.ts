import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { GatewayError } from '../../../core/errors'
import { normalizeApiKey } from '../../../core/management/api-key'

function refusal(raw: string, field?: string): GatewayError {
  try {
    normalizeApiKey(raw, field)
  } catch (error) {
    if (error instanceof GatewayError) return error
    throw error
  }
  throw new Error('taken')
}

const visible = fc.string({
  unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
  minLength: 1,
  maxLength: 80,
})

describe('a pasted key', () => {
  it.each([
    ['sk-1234567890ab', 'sk-1234567890ab', '90ab'],
    ['  sk-1234567890ab\r\n', 'sk-1234567890ab', '90ab'],
    ['Bearer sk-1234567890ab', 'sk-1234567890ab', '90ab'],
    ['bearer   sk-1234567890ab ', 'sk-1234567890ab', '90ab'],
    ['bearer-token-1', 'bearer-token-1', 'en-1'],
    ['\u00a0sk-1234567890ab\ufeff', 'sk-1234567890ab', '90ab'],
    ['exactly12chr', 'exactly12chr', '2chr'],
    ['only11chars', 'only11chars', null],
    ['x', 'x', null],
  ])('%j is the key %s, of which %s is shown', (raw, value, tail) => {
    expect(normalizeApiKey(raw)).toEqual({ value, tail })
  })

  it.each([
    '',
    '   ',
    '\n',
    'sk-12 34',
    'sk-12\n34',
    'sk-12\t34',
    'sk-12\u200b34',
    'sk-12…34',
    'sk-12\0',
    'schlüssel',
    'Bearer sk a',
  ])('%j is refused', (raw) => {
    expect(refusal(raw)).toMatchObject({ httpStatus: 400, details: { field: 'apiKey' } })
  })

  it('is refused under the name of its field', () => {
    expect(refusal('', 'connections[2].apiKey').message).toBe('connections[2].apiKey: The key is empty.')
  })

  it('may stand in a header, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (raw) => {
        try {
          expect(normalizeApiKey(raw).value).toMatch(/^[\x21-\x7e]+$/)
        } catch (error) {
          expect(error).toBeInstanceOf(GatewayError)
        }
      }),
    )
  })

  it('shows at most its last four characters, and of a short one nothing', () => {
    fc.assert(
      fc.property(visible, (raw) => {
        const { value, tail } = normalizeApiKey(raw)
        expect(tail).toBe(value.length < 12 ? null : value.slice(-4))
      }),
    )
  })

  it('is never in the words of its refusal', () => {
    fc.assert(
      fc.property(visible, (key) => {
        fc.pre(key.length > 6)
        expect(refusal(`${key} ${key}`).message).not.toContain(key)
      }),
    )
  })
})
