import type { Database } from 'better-sqlite3'
import { isComboConfigKey, type SetConfig } from '../contract/combo-config'
import { strategyNamed } from '../contract/combo-strategies'
import { type Combo, configFault, Step } from '../contract/combos'
import { newId } from './ids'

export interface StoredCombo extends Combo {
  readonly id: string
  readonly createdAt: number
  readonly updatedAt: number
}

export interface CombosTable {
  /** Without the removed ones, in the user's order. */
  list(): StoredCombo[]
  /** At the end of the list. */
  insert(combo: Combo, now: number): StoredCombo
  update(id: string, combo: Combo, now: number): void
  /** The new order; those that are not named keep their places behind them. */
  reorder(ids: readonly string[]): void
  softRemove(id: string, now: number): void
  /** A removed one that can still come back. */
  removed(id: string): StoredCombo | null
  restore(id: string): void
  purgeRemoved(): void
  /** All of it or nothing. */
  transaction(run: () => void): void
}

interface Row {
  id: string
  name: string
  strategy: string
  config: string
  steps: string
  created_at: number
  updated_at: number
}

const COLUMNS = 'id, name, strategy, config, steps, created_at, updated_at'

export function openCombosTable(database: Database): CombosTable {
  const list = database.prepare<[], Row>(
    `SELECT ${COLUMNS} FROM combos WHERE removed_at IS NULL ORDER BY position, created_at, id`,
  )
  const removed = database.prepare<[string], Row>(
    `SELECT ${COLUMNS} FROM combos WHERE id = ? AND removed_at IS NOT NULL`,
  )
  const insert = database.prepare(
    `INSERT INTO combos (${COLUMNS}, position) VALUES
     (@id, @name, @strategy, @config, @steps, @now, @now, (SELECT ifnull(max(position), 0) + 1 FROM combos))`,
  )
  const update = database.prepare(
    `UPDATE combos SET name = @name, strategy = @strategy, config = @config, steps = @steps, updated_at = @now
     WHERE id = @id`,
  )
  const place = database.prepare('UPDATE combos SET position = ? WHERE id = ?')
  const softRemove = database.prepare('UPDATE combos SET removed_at = ? WHERE id = ?')
  const restore = database.prepare('UPDATE combos SET removed_at = NULL WHERE id = ?')
  const purge = database.prepare('DELETE FROM combos WHERE removed_at IS NOT NULL')
  const values = (id: string, { name, strategy, config, steps }: Combo, now: number) => ({
    ...{ id, name, strategy, now },
    config: JSON.stringify(config),
    steps: JSON.stringify(steps),
  })
  const read = (): StoredCombo[] => list.all().map(toCombo)
  const transaction = (run: () => void): void => database.transaction(run)()
  return {
    list: read,
    insert(combo, now) {
      const id = newId('combo')
      insert.run(values(id, combo, now))
      return { ...combo, id, createdAt: now, updatedAt: now }
    },
    update: (id, combo, now) => void update.run(values(id, combo, now)),
    reorder(ids) {
      const first = new Set(ids)
      const others = read().filter(({ id }) => !first.has(id))
      transaction(() => {
        for (const [i, id] of [...first, ...others.map((combo) => combo.id)].entries()) place.run(i + 1, id)
      })
    },
    softRemove: (id, now) => void softRemove.run(now, id),
    removed(id) {
      const row = removed.get(id)
      return row === undefined ? null : toCombo(row)
    },
    restore: (id) => void restore.run(id),
    purgeRemoved: () => void purge.run(),
    transaction,
  }
}

/** What this version would not take is left out: the combo then says what is missing, and the others are as they were. */
const toCombo = (row: Row): StoredCombo => ({
  id: row.id,
  name: row.name,
  strategy: strategyNamed(row.strategy),
  config: toConfig(parsed(row.config)),
  steps: toSteps(parsed(row.steps)),
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

function toConfig(config: unknown): SetConfig {
  if (typeof config !== 'object' || config === null) return {}
  const entries = Object.entries(config)
  return Object.fromEntries(
    entries.filter(([key, value]) => isComboConfigKey(key) && configFault(key, value) === null),
  ) as SetConfig
}

const toSteps = (steps: unknown): Step[] =>
  (Array.isArray(steps) ? steps : []).flatMap((step) => {
    const read = Step.safeParse(step)
    return read.success ? [read.data] : []
  })

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
