import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { AttemptView, RequestView } from '../../../core/contract/views'
import { createFile, openFile } from '../../../core/store/database-file'
import { migrate } from '../../../core/store/migrate'
import { openRequestsTable, type RequestsTable } from '../../../core/store/requests-table'
import { folderForTest, memoryDatabase } from '../../support/memory-databases'
import { MIGRATIONS } from './folder'

const START = Date.UTC(2026, 4, 6, 12)
const MINUTE = 60_000

let database: Database.Database
let table: RequestsTable
beforeEach(() => {
  database = new Database(':memory:')
  migrate(database, join(MIGRATIONS, 'history'))
  table = openRequestsTable(database)
})
afterEach(() => {
  database.close()
})

const attempt = (index: number, fields: Partial<AttemptView> = {}): AttemptView => ({
  index,
  provider: 'openai',
  model: 'gpt-5',
  connectionId: `con_${index}`,
  connectionName: `key ${index}`,
  outcome: 'failed',
  status: 429,
  reason: 'rate_limit_exceeded',
  message: 'slow down',
  next: 'the next connection is tried',
  startedAt: START + index,
  firstByteMs: 12.25,
  totalMs: 15.5,
  ...fields,
})

const request = (n: number, fields: Partial<RequestView> = {}): RequestView => ({
  id: `req_${n}`,
  at: START + n,
  clientKey: 'laptop',
  tool: 'curl',
  endpoint: '/v1/chat/completions',
  dialect: 'openai-chat',
  model: 'openai/gpt-5',
  target: 'openai/gpt-5',
  stream: false,
  outcome: 'ok',
  status: 200,
  code: null,
  message: '',
  firstByteMs: 20.5,
  totalMs: 100.25,
  inputTokens: 10,
  outputTokens: 20,
  attempts: [attempt(0, { outcome: 'ok', status: 200, reason: null, message: '', next: '' })],
  ...fields,
})

const many = (count: number, fields: Partial<RequestView> = {}): RequestView[] =>
  Array.from({ length: count }, (_, n) => request(n, fields))
const ids = (records: readonly RequestView[]): string[] => records.map(({ id }) => id)
const rows = (name: string): unknown => database.prepare(`SELECT count(*) FROM ${name}`).pluck().get()

describe('the request log', () => {
  it('gives back what was written, attempts in order, nothing lost on the way', () => {
    const full = request(1, {
      stream: true,
      outcome: 'truncated',
      code: 'stream_stall',
      message: 'it broke off',
      attempts: [attempt(0), attempt(1, { outcome: 'aborted' }), attempt(2)],
    })
    const bare = request(2, {
      target: null,
      outcome: 'failed',
      status: 503,
      firstByteMs: null,
      inputTokens: null,
      outputTokens: null,
      dialect: 'anthropic',
      attempts: [],
    })
    const first = attempt(0, { status: null, reason: null, firstByteMs: null })
    const odd = request(3, { model: "it's; DROP TABLE requests --\u0000", attempts: [first] })
    table.insertBatch([full, bare, odd])
    expect(table.list({ limit: 10 })).toEqual([odd, bare, full])
  })

  it('writes a batch whole or not at all', () => {
    const broken = request(2, { totalMs: 1n as unknown as number })
    expect(() => table.insertBatch([...many(120), broken])).toThrow('BigInt')
    expect(['request_blocks', 'minutes'].map(rows)).toEqual([0, 0])
    table.insertBatch(many(120))
    expect(table.count()).toBe(120)
  })

  it('is empty at first', () => {
    table.insertBatch([])
    expect(table.list({ limit: 10 })).toEqual([])
    expect(table.list({ limit: 10, search: 'x' })).toEqual([])
    expect(table.count()).toBe(0)
    expect(table.totalsSince(0)).toEqual({ requests: 0, failed: 0, failedOver: 0 })
    expect(table.trim(START, 100, 10)).toBe(0)
  })
})

describe('paging', () => {
  it('shows every request once, newest first, whatever is added meanwhile', () => {
    table.insertBatch(many(10))
    const seen: string[] = []
    let last: RequestView | undefined
    for (let page = 0; page < 4; page++) {
      const shown = table.list({ limit: 3, before: last })
      seen.push(...ids(shown))
      last = shown.at(-1)
      table.insertBatch([request(100 + page)])
    }
    expect(seen).toEqual(['req_9', 'req_8', 'req_7', 'req_6', 'req_5', 'req_4', 'req_3', 'req_2', 'req_1', 'req_0'])
    expect(table.list({ limit: 3, before: last })).toEqual([])
  })

  it('goes by the order in which requests ended, also where two share a moment', () => {
    table.insertBatch(['a', 'b', 'c'].map((id) => request(0, { id })))
    expect(ids(table.list({ limit: 2 }))).toEqual(['c', 'b'])
    expect(ids(table.list({ limit: 2, before: { id: 'b', at: START } }))).toEqual(['a'])
  })

  it('shows nothing more after a row that was trimmed meanwhile', () => {
    table.insertBatch(many(3))
    expect(table.list({ limit: 3, before: { id: 'req_gone', at: START } })).toEqual([])
  })

  it('goes on within what is filtered', () => {
    table.insertBatch(Array.from({ length: 10 }, (_, n) => request(n, { outcome: n % 2 === 0 ? 'failed' : 'ok' })))
    const first = table.list({ limit: 2, outcome: 'failed' })
    expect(ids(first)).toEqual(['req_8', 'req_6'])
    expect(ids(table.list({ limit: 9, outcome: 'failed', before: first.at(-1) }))).toEqual(['req_4', 'req_2', 'req_0'])
  })
})

describe('searching', () => {
  beforeEach(() => {
    table.insertBatch([
      request(0, { id: 'req_needle' }),
      request(1, { model: 'team/Needle' }),
      request(2, { target: 'openai/needle', outcome: 'failed' }),
      request(3, { target: null, clientKey: 'needle-key' }),
      request(4, { tool: 'NEEDLE/1.0' }),
      request(5, { code: 'needle_error', outcome: 'failed' }),
      request(6, { message: 'a needle in it' }),
      request(7, { status: 418 }),
      request(8),
    ])
  })

  it('looks at id, model, target, key, tool, code and message, whatever the case', () => {
    expect(ids(table.list({ limit: 20, search: ' NeedLe ' }))).toEqual(
      ['req_6', 'req_5', 'req_4', 'req_3', 'req_2', 'req_1', 'req_needle'], // newest first
    )
  })

  it.each([
    ['418', undefined, ['req_7']],
    ['needle', 'failed', ['req_5', 'req_2']],
    ['nowhere', undefined, []],
    ['%', undefined, []],
    ['needle_', undefined, ['req_5']],
    ["'", undefined, []],
    ['  ', 'failed', ['req_5', 'req_2']],
  ] as const)('finds for "%s" with outcome %s: %j', (search, outcome, expected) => {
    expect(ids(table.list({ limit: 20, search, outcome }))).toEqual(expected)
  })

  it('finds other letters than those of ASCII, too, whatever the case', () => {
    table.insertBatch([request(9, { clientKey: 'KÜCHE' })])
    expect(ids(table.list({ limit: 20, search: 'Küche' }))).toEqual(['req_9'])
  })

  it('shows everything for white space alone', () => {
    expect(table.list({ limit: 20, search: '   ' })).toHaveLength(9)
  })

  it('looks at the newest 5,000 only', () => {
    // Of the nine, the newest three are still among them.
    table.insertBatch(many(4_997, { attempts: [] }))
    expect(ids(table.list({ limit: 20, search: 'a needle' }))).toEqual(['req_6'])
    expect(table.list({ limit: 20, search: 'needle_error' })).toEqual([])
  })
})

describe('trimming', () => {
  it('gives back to the disk what it has freed', () => {
    const file = join(folderForTest(), 'history.db')
    createFile(file, join(MIGRATIONS, 'history'))
    const onDisk = openFile(file, 'NORMAL')
    const requests = openRequestsTable(onDisk)
    const size = (): number => {
      onDisk.pragma('wal_checkpoint(TRUNCATE)')
      return statSync(file).size
    }
    requests.insertBatch(many(40_000))
    const full = size()
    while (requests.trim(0, 100, 5_000) > 0);
    for (let slice = 0; slice < 20; slice++) requests.trim(0, 100, 500)
    expect(size()).toBeLessThan(full / 2)
    expect(onDisk.pragma('integrity_check', { simple: true })).toBe('ok')
    onDisk.close()
  })

  it('removes what is older, with its minutes, and nothing else', () => {
    table.insertBatch([request(0), request(1 * MINUTE), request(2 * MINUTE), request(3 * MINUTE)])
    expect(table.trim(START + 2 * MINUTE, 1_000, 100)).toBe(2)
    expect(table.list({ limit: 10 }).map(({ at }) => at - START)).toEqual([3 * MINUTE, 2 * MINUTE])
    expect([table.count(), rows('minutes')]).toEqual([2, 2])
    expect(table.trim(START + 2 * MINUTE, 1_000, 100)).toBe(0)
  })

  it('removes what is beyond the number, oldest first', () => {
    table.insertBatch(many(10, { attempts: [attempt(0), attempt(1)] }))
    expect(table.trim(0, 4, 100)).toBe(6)
    expect(ids(table.list({ limit: 10 }))).toEqual(['req_9', 'req_8', 'req_7', 'req_6'])
    expect(table.count()).toBe(4)
  })

  it('takes one slice at a time', () => {
    table.insertBatch(many(25))
    const removed = [1, 2, 3, 4].map(() => table.trim(START + MINUTE, 1_000, 10))
    expect(removed).toEqual([10, 10, 5, 0])
    expect([table.count(), rows('request_blocks')]).toEqual([0, 0])
  })

  it('goes through a log of any batches one slice at a time, oldest first, and removes no other', () => {
    const batches = fc.array(fc.integer({ min: 1, max: 130 }), { minLength: 1, maxLength: 5 })
    const limits = fc.record({ age: fc.nat(300), rows: fc.nat(300), slice: fc.integer({ min: 1, max: 90 }) })
    fc.assert(
      fc.property(batches, limits, (sizes, { age, rows, slice }) => {
        const log = openRequestsTable(memoryDatabase('history'))
        let n = 0
        for (const size of sizes) log.insertBatch(Array.from({ length: size }, () => request(n++)))
        const before = ids(log.list({ limit: 1_000 }))
        const expected = before.slice(0, Math.min(rows, Math.max(0, n - age)))
        let removed = slice
        for (let total = n; removed === slice; total = log.count()) {
          removed = log.trim(START + age, rows, slice)
          expect(log.count()).toBe(total - removed)
        }
        expect(ids(log.list({ limit: 1_000 }))).toEqual(expected)
        const middle = expected[Math.floor(expected.length / 2)]
        if (middle === undefined) return
        const at = START + Number(middle.slice(4))
        const rest = expected.slice(expected.indexOf(middle) + 1)
        expect(ids(log.list({ limit: 1_000, before: { at, id: middle } }))).toEqual(rest)
      }),
      { numRuns: 60 },
    )
  })

  it('does not begin the order anew: the page after a trimmed log is still right', () => {
    table.insertBatch(many(5))
    table.trim(0, 2, 100)
    table.insertBatch([request(50), request(51)])
    expect(ids(table.list({ limit: 10 }))).toEqual(['req_51', 'req_50', 'req_4', 'req_3'])
    expect(table.count()).toBe(4)
  })
})

it('keeps the attempts of a log that an earlier version wrote', () => {
  const old = new Database(':memory:')
  old.exec(readFileSync(join(MIGRATIONS, 'history/0001-requests-attempts.sql'), 'utf8'))
  old.pragma('user_version = 1')
  const insert = old.prepare(
    `INSERT INTO requests VALUES (?, ?, ?, 'laptop', 'curl', '/v1/chat/completions', 'openai-chat', 'openai/gpt-5',
     'openai/gpt-5', 0, 'ok', 200, NULL, '', 20.5, 100.25, 10, 20)`,
  )
  for (const n of [1, 2]) insert.run(n, `req_${n}`, START + n)
  const insertAttempt = old.prepare(
    `INSERT INTO attempts VALUES (2, ?, 'openai', 'gpt-5', ?, ?, 'failed', 429, 'rate_limit_exceeded', 'say "please"',
     'the next connection is tried', ?, 12.25, 15.5)`,
  )
  for (const n of [1, 0]) insertAttempt.run(n, `con_${n}`, `key ${n}`, START + n)
  migrate(old, join(MIGRATIONS, 'history'))
  const failed = [0, 1].map((n) => attempt(n, { message: 'say "please"' }))
  expect(openRequestsTable(old).list({ limit: 10 })).toEqual([
    request(2, { attempts: failed }),
    request(1, { attempts: [] }),
  ])
  old.close()
})

describe('totals', () => {
  it('count failures and fail-overs by the minute, over several batches', () => {
    const two = [attempt(0), attempt(1, { outcome: 'ok' })]
    table.insertBatch([
      request(0, { outcome: 'failed' }),
      request(MINUTE),
      request(MINUTE + 1, { attempts: two }),
      request(MINUTE + 2, { outcome: 'truncated', attempts: two }),
    ])
    table.insertBatch([
      request(MINUTE + 3, { outcome: 'aborted', attempts: two }),
      request(2 * MINUTE, { outcome: 'failed', attempts: two }),
    ])
    expect(table.totalsSince(START)).toEqual({ requests: 6, failed: 3, failedOver: 1 })
    expect(table.totalsSince(START + MINUTE)).toEqual({ requests: 5, failed: 2, failedOver: 1 })
    expect(table.totalsSince(START + 2 * MINUTE)).toEqual({ requests: 1, failed: 1, failedOver: 0 })
    expect(table.totalsSince(START + 3 * MINUTE)).toEqual({ requests: 0, failed: 0, failedOver: 0 })
  })

  it('stay when requests go because there are too many', () => {
    table.insertBatch(many(10))
    table.trim(0, 1, 100)
    expect(table.count()).toBe(1)
    expect(table.totalsSince(START).requests).toBe(10)
  })
})
