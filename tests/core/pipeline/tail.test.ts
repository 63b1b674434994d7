import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Tail } from '../../../core/pipeline/tail'

function tailOf(chunks: readonly Buffer[]): string {
  const tail = new Tail()
  for (const chunk of chunks) tail.push(chunk)
  return tail.text()
}

describe('the tail of a stream', () => {
  it('is empty before anything came', () => {
    expect(tailOf([])).toBe('')
  })

  it('always holds the last 8 KB, or everything, whatever the chunks are', () => {
    const chunks = fc.array(
      fc.nat(20_000).map((length) => Buffer.alloc(length, `${length} `)),
      { maxLength: 20 },
    )
    fc.assert(
      fc.property(chunks, (list) => {
        const whole = Buffer.concat(list).toString('latin1')
        const kept = tailOf(list)
        expect(whole.endsWith(kept)).toBe(true)
        expect(kept.length).toBeGreaterThanOrEqual(Math.min(whole.length, 8192))
        expect(kept.length).toBeLessThanOrEqual(16_384)
      }),
    )
  })

  it('keeps ASCII readable beside characters that were cut', () => {
    expect(tailOf([Buffer.from('漢').subarray(1), Buffer.from('data: [DONE]\n\n')])).toMatch(/data: \[DONE\]\n\n$/)
  })
})
