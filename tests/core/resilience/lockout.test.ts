// One model of one connection rests: what is locked by what, for how long, and what ends it.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mergeResilience } from '../../../core/contract/resilience-merge'
import type { Admission, LockOrder, ProviderFacts } from '../../../core/resilience/health-events'
import { LockBook, type LockMark, lockKey, lockScope, MAX_LOCKS } from '../../../core/resilience/lockout'

const SETTINGS = mergeResilience({ env: {}, stored: undefined }).settings.modelLockout
const NOW = 1_000_000
const MINUTE = 60_000
const codex: ProviderFacts = {
  id: 'codex',
  class: 'oauth',
  quotaFamilies: [
    { family: 'spark', models: /spark/i },
    { family: 'codex', models: /./ },
  ],
}
const openai: ProviderFacts = { id: 'openai', class: 'apikey', quotaFamilies: [] }

let seq = 0
const admit = (model: string, facts = openai, connectionId = 'a'): Admission => {
  seq++
  return {
    kind: 'admitted',
    providerId: facts.id,
    connectionId,
    model,
    seq,
    breaker: null,
    ticket: { epoch: 0, probe: 0 },
  }
}
const QUOTA: LockOrder = { scope: 'quota', ms: null, isReset: false }
const EXACT: LockOrder = { ...QUOTA, scope: 'exact' }
const mark = (part: Partial<LockMark> = {}): LockMark => {
  seq++
  return { reason: 'rate_limit_exceeded', message: '', seq, resetTimeoutMs: 30_000, ...part }
}

interface Shape {
  readonly facts?: ProviderFacts
  readonly order?: LockOrder
  readonly now?: number
  readonly admission?: Admission
  readonly settings?: typeof SETTINGS
}
function record(book: LockBook, model: string, { facts = openai, order = QUOTA, now = NOW, ...rest }: Shape = {}) {
  const admission = rest.admission ?? admit(model, facts)
  return book.record(facts, admission, order, mark(), rest.settings ?? SETTINGS, now)
}
const isLocked = (book: LockBook, model: string, now = NOW, facts = openai, connectionId = 'a'): boolean =>
  book.find(facts, { providerId: facts.id, connectionId, model }, now) !== null

describe('the key of a lock', () => {
  it.each([
    [402, 'codex:a:codex'],
    [403, 'codex:a:codex'],
    [429, 'codex:a:codex'],
    [404, 'codex:a:GPT-5.1'],
    [500, 'codex:a:exact:gpt-5.1'],
    [502, 'codex:a:exact:gpt-5.1'],
    [null, 'codex:a:exact:gpt-5.1'],
  ])('after %s is %s', (status, key) => {
    expect(lockKey(codex, { providerId: 'codex', connectionId: 'a', model: 'GPT-5.1' }, lockScope(status))).toBe(key)
  })

  it('of a quota is the model itself where no models share one', () => {
    expect(lockKey(openai, { providerId: 'openai', connectionId: 'a', model: 'gpt-5' }, 'quota')).toBe('openai:a:gpt-5')
  })
})

it('5xx on one codex model leaves its sibling models routable; 429 does not', () => {
  const book = new LockBook()
  record(book, 'gpt-5.1', { facts: codex, order: EXACT })
  expect(['gpt-5.1', 'GPT-5.1', 'gpt-5.2'].map((model) => isLocked(book, model, NOW, codex))).toEqual([
    true,
    true,
    false,
  ])
  record(book, 'gpt-5.2', { facts: codex })
  expect(isLocked(book, 'gpt-5.3', NOW, codex)).toBe(true)
  expect(isLocked(book, 'gpt-5.3-spark', NOW, codex)).toBe(false)
  expect(isLocked(book, 'gpt-5.3', NOW, codex, 'b')).toBe(false)
})

describe('the time of a lock', () => {
  const msOf = (order: Partial<LockOrder>, settings = SETTINGS): number => {
    const lock = record(new LockBook(), 'm', { order: { ...QUOTA, ...order }, settings })
    return (lock?.until ?? 0) - NOW
  }

  it.each<[string, Partial<LockOrder>, number]>([
    ['nothing said: the first step', {}, 2 * MINUTE],
    ['a rule’s time, capped', { ms: 6 * 60 * MINUTE }, 30 * MINUTE],
    ['a short rule’s time', { ms: 1_000 }, 1_000],
    ['the upstream’s own reset, beyond the cap', { ms: 19 * 60 * MINUTE, isReset: true }, 19 * 60 * MINUTE],
    ['a stated wait, at most as long as it is believed', { ms: 9e9, isReset: true, longestMs: 86_400_000 }, 86_400_000],
    ['a stated "at once": a second', { ms: 0, isReset: true }, 1_000],
    ['nonsense: the first step', { ms: Number.NaN, isReset: true }, 2 * MINUTE],
  ])('%s', (_what, order, ms) => {
    expect(msOf(order)).toBe(ms)
  })

  it('doubles with each failure inside the window, within the cap, and begins anew outside', () => {
    const book = new LockBook()
    let now = NOW
    const minutes = Array.from({ length: 6 }, () => {
      const lock = record(book, 'm', { now })
      const ms = (lock?.until ?? now) - now
      now += ms + 1
      return ms / MINUTE
    })
    expect(minutes).toEqual([2, 4, 8, 16, 30, 30])
    now += 30_000
    expect(record(book, 'm', { now })?.failureCount).toBe(1)
  })

  it('stays as it is without exponential backoff, and after the last step', () => {
    const flat = { ...SETTINGS, useExponentialBackoff: false }
    const few = { ...SETTINGS, maxBackoffSteps: 1 }
    for (const [settings, expected] of [
      [flat, [2, 2, 2]],
      [few, [2, 4, 4]],
    ] as const) {
      const book = new LockBook()
      let now = NOW
      const minutes = expected.map(() => {
        const ms = (record(book, 'm', { now, settings })?.until ?? now) - now
        now += ms + 1
        return ms / MINUTE
      })
      expect(minutes).toEqual(expected)
    }
  })

  it('an existing longer lock is kept, a later reset lengthens it', () => {
    const book = new LockBook()
    const first = record(book, 'm', { order: { ...QUOTA, ms: 10 * MINUTE, isReset: true } })
    expect(record(book, 'm', { order: { ...QUOTA, ms: MINUTE, isReset: true }, now: NOW + 1 })).toEqual(first)
    expect(record(book, 'm', { now: NOW + 1 })).toEqual(first)
    const longer = record(book, 'm', { order: { ...QUOTA, ms: 20 * MINUTE, isReset: true }, now: NOW + 1 })
    expect(longer?.until).toBe(NOW + 1 + 20 * MINUTE)
  })

  it('failures that come together are one', () => {
    const book = new LockBook()
    const together = [admit('m'), admit('m'), admit('m')]
    for (const admission of together) record(book, 'm', { admission })
    expect(book.list(NOW)).toMatchObject([{ failureCount: 1 }])
    const late = record(book, 'm', { admission: together[0] as Admission, now: NOW + 2 * MINUTE + 1 })
    expect(late?.failureCount).toBe(1)
  })
})

describe('a lock ends', () => {
  it('by its time', () => {
    const book = new LockBook()
    record(book, 'm')
    expect([2 * MINUTE - 1, 2 * MINUTE].map((ms) => isLocked(book, 'm', NOW + ms))).toEqual([true, false])
  })

  it('no later under a clock that was set back', () => {
    const book = new LockBook()
    record(book, 'm')
    const earlier = NOW - 86_400_000
    expect(isLocked(book, 'm', earlier)).toBe(true)
    expect(isLocked(book, 'm', earlier + 2 * MINUTE)).toBe(false)
  })

  it('by a person, for one connection or for all of the provider', () => {
    const book = new LockBook()
    for (const connection of ['a', 'b']) record(book, 'm', { admission: admit('m', openai, connection) })
    expect(book.remove(openai, 'a', 'm')).toBe(1)
    expect(isLocked(book, 'm', NOW, openai, 'b')).toBe(true)
    record(book, 'm', { order: EXACT })
    expect(book.remove(openai, null, 'm')).toBe(2)
    expect(book.remove(openai, null, 'm')).toBe(0)
    expect(book.size).toBe(0)
  })

  it('by its family’s name too', () => {
    const book = new LockBook()
    record(book, 'gpt-5.1', { facts: codex })
    expect(book.list(NOW)).toMatchObject([{ model: 'codex' }])
    expect(book.remove(codex, 'a', 'codex')).toBe(1)
  })
})

describe('success', () => {
  it('halves the failure count and removes it at 0, for every key of the model', () => {
    const book = new LockBook()
    let now = NOW
    for (let i = 0; i < 5; i++) now = (record(book, 'm', { now })?.until ?? now) + 1
    record(book, 'm', { order: EXACT, now })
    const counts = Array.from({ length: 3 }, () => {
      book.succeeded(openai, admit('m'))
      return book.size
    })
    expect(counts).toEqual([1, 1, 0])
  })

  it('of another model, or of a request that was under way before, changes nothing', () => {
    const book = new LockBook()
    const before = admit('m')
    record(book, 'm')
    book.succeeded(openai, before)
    book.succeeded(openai, admit('other'))
    expect(isLocked(book, 'm')).toBe(true)
  })
})

it('holds a thousand; only what has ended makes room', () => {
  const book = new LockBook()
  for (let i = 0; i < MAX_LOCKS; i++) record(book, `m${i}`)
  expect(record(book, 'one more')).toBeNull()
  expect(book.size).toBe(MAX_LOCKS)
  const later = NOW + 2 * MINUTE
  expect(record(book, 'one more', { now: later })).not.toBeNull()
  expect(book.size).toBe(1)
})

it('forgets what neither rests nor adds up any more', () => {
  const book = new LockBook()
  record(book, 'm')
  book.cleanUp(NOW + 2 * MINUTE + 30_000)
  expect(book.size).toBe(1)
  book.cleanUp(NOW + 2 * MINUTE + 30_001)
  expect(book.size).toBe(0)
})

it('lists those in force, the longest first', () => {
  const book = new LockBook()
  record(book, 'short', { order: { ...QUOTA, ms: MINUTE } })
  record(book, 'long', { order: { ...QUOTA, ms: 3 * MINUTE } })
  expect(book.list(NOW).map(({ model }) => model)).toEqual(['long', 'short'])
  expect(book.list(NOW + MINUTE).map(({ model }) => model)).toEqual(['long'])
  expect(book.ofConnection('b', NOW)).toEqual([])
})

it('counts its locks right, whatever is done with them', () => {
  const step = fc.record({
    do: fc.constantFrom('record', 'record', 'succeed', 'remove', 'clean', 'connection'),
    model: fc.constantFrom('m', 'n'),
    connection: fc.constantFrom('a', 'b'),
    scope: fc.constantFrom('quota', 'not-found', 'exact'),
    ms: fc.nat(300_000),
  } as const)
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const book = new LockBook()
      let now = NOW
      for (const { do: what, model, connection, scope, ms } of steps) {
        now += ms
        const admission = admit(model, openai, connection)
        if (what === 'record') record(book, model, { admission, order: { ...QUOTA, scope }, now })
        else if (what === 'succeed') book.succeeded(openai, admission)
        else if (what === 'remove') book.remove(openai, connection, model)
        else if (what === 'clean') book.cleanUp(now)
        else book.clearConnection(connection)
        expect(book.list(now).length).toBeLessThanOrEqual(book.size)
        for (const lock of book.list(now)) expect(lock.until - now).toBeLessThanOrEqual(SETTINGS.maxCooldownMs)
      }
      expect(book.clear()).toBeGreaterThanOrEqual(0)
      expect([book.size, book.list(now)]).toEqual([0, []])
    }),
  )
})
