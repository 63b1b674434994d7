import { describe, expect, it } from 'vitest'
import { nextReturn } from '../../../core/resilience/next-return'

const provider = (until: number | null, ...connections: (number | null)[]) => ({
  until,
  connections: connections.map((each) => ({ until: each })),
})

describe('the next change that time brings', () => {
  it('is the first end among providers, connections and breakers', () => {
    expect(nextReturn([provider(90, 70), provider(null, 40, null)], [{ until: 60 }], 10)).toBe(40)
    expect(nextReturn([provider(90, 70)], [{ until: 20 }], 10)).toBe(20)
    expect(nextReturn([provider(30, 70)], [], 10)).toBe(30)
  })

  it('is none where nothing rests, or only a person ends it', () => {
    expect(nextReturn([], [], 10)).toBeNull()
    expect(nextReturn([provider(null, null)], [{ until: null }], 10)).toBeNull()
  })

  it('is not what is over already', () => {
    expect(nextReturn([provider(10, 5)], [{ until: 9 }], 10)).toBeNull()
  })
})
