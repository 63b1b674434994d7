import { describe, expect, it } from 'vitest'
import { type Backup, backupName, backupsToRemove, parseBackupName } from '../../../core/store/backups'

const START = Date.UTC(2026, 0, 1)
const backup = (day: number, version: number): Backup => {
  const madeAt = START + day * 86_400_000
  return { name: backupName(madeAt, version), madeAt, version }
}
const kept = (backups: readonly Backup[]): readonly Backup[] => {
  const gone = new Set(backupsToRemove(backups))
  return backups.filter((one) => !gone.has(one))
}

describe('the name of a copy', () => {
  it('says when it was made and for which schema', () => {
    expect(backupName(Date.UTC(2026, 1, 3, 4, 5, 6, 7), 12)).toBe('breakwater-2026-02-03T04-05-06-007Z-v12.db')
    expect(parseBackupName(backup(40, 3).name)).toEqual(backup(40, 3))
  })

  it.each(['unfinished.db', 'breakwater.db', 'breakwater-2026-02-03T04-05-06-007Z-v1.db.bak', 'x-v1.db', ''])(
    'is not seen in "%s"',
    (name) => {
      expect(parseBackupName(name)).toBeNull()
    },
  )
})

describe('the copies that stay', () => {
  it('are the newest three, in whatever order they are given', () => {
    const all = [3, 0, 4, 1, 2].map((day) => backup(day, 1))
    expect(kept(all).map(({ madeAt }) => madeAt)).toEqual([3, 4, 2].map((day) => backup(day, 1).madeAt))
  })

  it('are all of them while there are few', () => {
    expect(backupsToRemove([])).toEqual([])
    expect(backupsToRemove([backup(0, 1), backup(1, 1), backup(2, 1)])).toEqual([])
  })

  it('include the newest of the schema before, the way back after an update', () => {
    const all = [backup(0, 1), backup(1, 1), ...[2, 3, 4, 5, 6].map((day) => backup(day, 2))]
    expect(kept(all)).toEqual([backup(1, 1), backup(4, 2), backup(5, 2), backup(6, 2)])
  })

  it('are few even after many updates', () => {
    const all = Array.from({ length: 60 }, (_, day) => backup(day, 1 + Math.floor(day / 4)))
    expect(kept(all).length).toBeLessThanOrEqual(7)
    expect(kept(all)).toContainEqual(backup(55, 14))
  })
})
