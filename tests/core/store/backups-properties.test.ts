import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Backup, backupName, backupsToRemove, parseBackupName } from '../../../core/store/backups'

const backup = (madeAt: number, version: number): Backup => ({ name: backupName(madeAt, version), madeAt, version })
const anyBackups = fc
  .uniqueArray(fc.integer({ min: 0, max: 2_000_000_000_000 }), { maxLength: 20 })
  .chain((times) =>
    fc.tuple(...times.map((at) => fc.integer({ min: 1, max: 8 }).map((version) => backup(at, version)))),
  )
const newest = (backups: readonly Backup[]) => backups.toSorted((a, b) => b.madeAt - a.madeAt)

describe('the name of a copy', () => {
  it('says when it was made, and of which schema', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4_000_000_000_000 }), fc.nat(9_999), (madeAt, version) => {
        expect(parseBackupName(backupName(madeAt, version))).toEqual(backup(madeAt, version))
      }),
    )
  })

  it.each(['unfinished.db', 'breakwater.db', 'breakwater-2025-v1.db', `${backupName(0, 1)}-wal`])(
    'is not that of %s, which is left alone',
    (name) => expect(parseBackupName(name)).toBeNull(),
  )
})

describe('the copies that go', () => {
  const kept = (all: readonly Backup[]): Backup[] => all.filter((each) => !backupsToRemove(all).includes(each))

  it('are never among the newest three, nor the newest of the last schema before', () => {
    fc.assert(
      fc.property(anyBackups, (all) => {
        expect(kept(all)).toEqual(expect.arrayContaining(newest(all).slice(0, 3)))
        const versions = [...new Set(all.map(({ version }) => version))].toSorted((a, b) => b - a)
        for (const version of versions.slice(0, 2)) {
          expect(kept(all)).toContain(newest(all).find((each) => each.version === version))
        }
      }),
    )
  })

  it('are all others: the folder does not grow', () => {
    fc.assert(
      fc.property(anyBackups, (all) => {
        expect(kept(all).length).toBeLessThanOrEqual(7)
      }),
    )
    const daily = Array.from({ length: 9 }, (_, day) => backup(day * 86_400_000, 1))
    expect(kept(daily)).toEqual(daily.slice(-3))
  })

  it('do not have the way back after an update among them, however many days have passed', () => {
    const before = backup(0, 1)
    const after = Array.from({ length: 9 }, (_, day) => backup((day + 1) * 86_400_000, 2))
    expect(kept([before, ...after])).toEqual([before, ...after.slice(-3)])
  })
})
