import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { fingerprint, openWith, sealWith } from '../../../core/node/sealing'

const key = randomBytes(32)

describe('a sealed secret', () => {
  it.each(['sk-abc', '', 'ключ 🔑', 'x'.repeat(100_000)])('opens again with its key', (plain) => {
    expect(openWith(key, sealWith(key, plain))).toBe(plain)
    expect(openWith(key, new Uint8Array(sealWith(key, plain)))).toBe(plain)
  })

  it('shows nothing of the text, and is never the same twice', () => {
    const sealed = [sealWith(key, 'sk-a-long-secret'), sealWith(key, 'sk-a-long-secret')] as const
    expect(sealed[0].equals(sealed[1])).toBe(false)
    for (const data of sealed) expect(data.includes('secret')).toBe(false)
  })

  it('does not open with another key', () => {
    expect(openWith(randomBytes(32), sealWith(key, 'sk-abc'))).toBeNull()
    expect(openWith(Buffer.alloc(5), sealWith(key, 'sk-abc'))).toBeNull()
  })

  it('does not open once a single bit of it was changed, or a byte is missing', () => {
    const sealed = sealWith(key, 'sk-abc')
    for (let i = 0; i < sealed.length; i++) {
      const changed = Buffer.from(sealed)
      changed.writeUInt8(sealed.readUInt8(i) ^ 1, i)
      expect(openWith(key, changed)).toBeNull()
      expect(openWith(key, sealed.subarray(0, i))).toBeNull()
    }
  })
})

describe('the fingerprint of a key', () => {
  it('tells keys apart and says nothing about them', () => {
    expect(fingerprint(key)).toMatch(/^[0-9a-f]{12}$/)
    expect(fingerprint(Buffer.from(key))).toBe(fingerprint(key))
    expect(fingerprint(randomBytes(32))).not.toBe(fingerprint(key))
    expect(key.toString('hex')).not.toContain(fingerprint(key))
  })
})
