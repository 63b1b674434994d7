import { beforeEach, describe, expect, it } from 'vitest'
import type { RequestView } from '../../../core/contract/views'
import type { RequestsTable } from '../../../core/store/requests-table'
import { BATCH, createRequestLog, FLUSH_MS, MAX_QUEUED, type RequestLog } from '../../../core/telemetry/request-log'
import { ManualClock } from '../../support/manual-clock'
import { requestRecord } from '../../support/request-records'
import { quietLogger } from '../management/open-config'

const DAY = 86_400_000

let clock: ManualClock
let written: string[][]
let announced: string[][]
let trimmed: { before: number; maxRows: number; slice: number }[]
let errors: string[]
let disk: 'works' | 'full'
let surplus: number
let retention = { historyDays: 30, historyMaxRequests: 1_000 }
let log: RequestLog

beforeEach(() => {
  clock = new ManualClock()
  written = []
  announced = []
  trimmed = []
  errors = []
  disk = 'works'
  surplus = 0
  retention = { historyDays: 30, historyMaxRequests: 1_000 }
  const table: Pick<RequestsTable, 'insertBatch' | 'trim'> = {
    insertBatch(records) {
      if (disk === 'full') throw new Error('database or disk is full')
      written.push(idsOf(records))
    },
    trim(before, maxRows, slice) {
      if (disk === 'full') throw new Error('database or disk is full')
      trimmed.push({ before, maxRows, slice })
      const removed = Math.min(surplus, slice)
      surplus -= removed
      return removed
    },
  }
  const logger = { ...quietLogger(), error: (_: object, message: string) => void errors.push(message) }
  log = createRequestLog(
    table as RequestsTable,
    clock,
    logger,
    () => retention,
    (records) => void announced.push(idsOf(records)),
  )
})

const idsOf = (records: readonly RequestView[]): string[] => records.map(({ id }) => id)
function add(count: number, first = 0): void {
  for (let n = first; n < first + count; n++) log.add(requestRecord({ id: `r${n}` }))
}

describe('entries', () => {
  it('are written together, soon after the first', () => {
    add(2)
    clock.advance(FLUSH_MS - 1)
    expect(written).toEqual([])
    add(1, 2)
    clock.advance(1)
    expect(written).toEqual([['r0', 'r1', 'r2']])
    expect(announced).toEqual(written)
  })

  it('are not written while they are added, however many come: at once afterwards', () => {
    add(BATCH + 50)
    expect(written).toEqual([])
    clock.advance(0)
    expect(written.map((batch) => batch.length)).toEqual([BATCH + 50])
  })

  it('that follow a full batch wait their own time, and are not cut into small ones', () => {
    for (let round = 0; round < 5; round++) {
      add(BATCH)
      clock.advance(20)
    }
    add(10)
    clock.advance(FLUSH_MS - 1)
    expect(written.map((batch) => batch.length)).toEqual([200, 200, 200, 200, 200])
    clock.advance(1)
    expect(written).toHaveLength(6)
  })

  it('are written before the end, and nothing runs on', () => {
    add(3)
    log.close()
    expect(written).toEqual([['r0', 'r1', 'r2']])
    expect(clock.waiting).toBe(0)
  })
})

describe('a disk that cannot be written', () => {
  it('is told once, counted, and told again only after it has worked', () => {
    disk = 'full'
    for (let round = 1; round <= 3; round++) {
      add(2)
      clock.advance(FLUSH_MS)
      expect(log.lost).toBe(2 * round)
    }
    expect(errors).toHaveLength(1)
    disk = 'works'
    add(1, 9)
    clock.advance(FLUSH_MS)
    expect(written).toEqual([['r9']])
    disk = 'full'
    add(1)
    clock.advance(FLUSH_MS)
    expect(errors).toHaveLength(2)
  })

  it('does not hide the requests from who is watching', () => {
    disk = 'full'
    add(2)
    clock.advance(FLUSH_MS)
    expect(announced).toEqual([['r0', 'r1']])
  })

  it('does not stop trimming for good', () => {
    disk = 'full'
    clock.advance(DAY)
    disk = 'works'
    clock.advance(60_000)
    expect(trimmed).toHaveLength(1)
  })
})

it('memory is bounded: the oldest go first, and are counted', () => {
  add(MAX_QUEUED + 3)
  log.flush()
  expect(log.lost).toBe(3)
  expect(written[0]).toHaveLength(MAX_QUEUED)
  expect(written[0]?.[0]).toBe('r3')
})

describe('retention', () => {
  it('goes by the settings of the moment', () => {
    clock.advance(60_000)
    retention = { historyDays: 1, historyMaxRequests: 50 }
    clock.advance(60_000)
    expect(trimmed).toMatchObject([
      { before: clock.now() - 60_000 - 30 * DAY, maxRows: 1_000 },
      { before: clock.now() - DAY, maxRows: 50 },
    ])
  })

  it('takes slices with pauses between them until all is gone, then waits', () => {
    surplus = 1_700
    clock.advance(60_000)
    expect(trimmed).toHaveLength(1)
    clock.advance(1_000)
    expect(surplus).toBe(0)
    expect(trimmed).toHaveLength(4)
    expect(new Set(trimmed.map(({ slice }) => slice)).size).toBe(1)
  })

  it('ends with the log, also between two slices', () => {
    surplus = 10_000
    clock.advance(60_000)
    log.close()
    clock.advance(DAY)
    expect(trimmed).toHaveLength(1)
    expect(clock.waiting).toBe(0)
  })
})
