// Terminal states of connections: part of the configuration, because only a person ends them.
import type { Database } from 'better-sqlite3'
import { TERMINAL_STATES, type TerminalState } from '../contract/health-words'

export interface StoredTerminal {
  readonly connectionId: string
  readonly state: TerminalState
  readonly since: number
  readonly why: string
  /** HTTP status; null: none came. */
  readonly status: number | null
}

export interface TerminalStatesTable {
  /** Those of connections that are gone, and those this version does not know, are left out. */
  all(): StoredTerminal[]
  /** Replaces what is known of these connections; one without a row is not terminal. */
  save(connectionIds: readonly string[], rows: readonly StoredTerminal[]): void
  /** Forgets those of connections that are gone for good. */
  purge(): void
}

interface Row {
  connection_id: string
  state: string
  since: number
  why: string
  status: number | null
}

export function openTerminalStatesTable(database: Database): TerminalStatesTable {
  const all = database.prepare<[], Row>(
    `SELECT * FROM terminal_states WHERE connection_id IN (SELECT id FROM connections WHERE removed_at IS NULL)
     ORDER BY connection_id`,
  )
  const remove = database.prepare('DELETE FROM terminal_states WHERE connection_id = ?')
  const add = database.prepare(
    'INSERT INTO terminal_states (connection_id, state, since, why, status) VALUES (?, ?, ?, ?, ?)',
  )
  const purge = database.prepare('DELETE FROM terminal_states WHERE connection_id NOT IN (SELECT id FROM connections)')
  return {
    all: () =>
      all.all().flatMap(({ connection_id, state, ...row }) => {
        const known = TERMINAL_STATES.find((each) => each === state)
        return known === undefined ? [] : [{ connectionId: connection_id, state: known, ...row }]
      }),
    save: database.transaction((ids: readonly string[], rows: readonly StoredTerminal[]) => {
      for (const id of ids) remove.run(id)
      for (const { connectionId, state, since, why, status } of rows) add.run(connectionId, state, since, why, status)
    }),
    purge: () => void purge.run(),
  }
}
