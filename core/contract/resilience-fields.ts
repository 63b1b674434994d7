// The kinds of row in the table of resilience settings. Each knows how to check a value and how to read an environment
// variable, so that no reader of settings has to.
import { z } from 'zod'

export type ResilienceGroup =
  | 'Circuit breaker'
  | 'Provider cooldown'
  | 'Connection cooldown'
  | 'Model lockout'
  | 'Waiting'
  | 'Waiting, combos'
  | 'Streams'
  | 'Quota preflight'

export interface RowCommon {
  readonly group: ResilienceGroup
  readonly label: string
  /** One or two sentences: what it does, and what happens at the edges. */
  readonly help: string
  /** Environment variable that gives the default: a stored value comes before it. */
  readonly env?: string
  /** Shown behind the input: "ms", "steps". */
  readonly unit?: string
  /** `environment`: for operators only; not in the form, not stored, not over REST. */
  readonly reach?: 'environment'
}

export interface IntRow extends RowCommon {
  readonly kind: 'int'
  readonly fallback: number
  readonly min: number
  readonly max: number
  /** A change may not go beyond this, though the environment may. */
  readonly changeMax?: number
}
export interface BoolRow extends RowCommon {
  readonly kind: 'bool'
  readonly fallback: boolean
}
/** null: as the provider's own default is. */
export interface OptionalBoolRow extends RowCommon {
  readonly kind: 'optional-bool'
  readonly fallback: null
}
export interface IntListRow extends RowCommon {
  readonly kind: 'int-list'
  readonly fallback: readonly number[]
  readonly min: number
  readonly max: number
}
export type Row = IntRow | BoolRow | OptionalBoolRow | IntListRow

export type RowValue<R extends Row> = R extends IntRow
  ? number
  : R extends BoolRow
    ? boolean
    : R extends OptionalBoolRow
      ? boolean | null
      : readonly number[]
export type AnyValue = RowValue<Row>

type Without<R extends Row> = Omit<R, 'kind'>
export const int = (row: Without<IntRow>): IntRow => ({ kind: 'int', ...row })
export const bool = (row: Without<BoolRow>): BoolRow => ({ kind: 'bool', ...row })
export const optionalBool = (row: Omit<OptionalBoolRow, 'kind' | 'fallback'>): OptionalBoolRow => ({
  kind: 'optional-bool',
  fallback: null,
  ...row,
})
export const intList = (row: Without<IntListRow>): IntListRow => ({ kind: 'int-list', ...row })

const MAX_LIST = 100

/** A check whose message says what the row accepts. `change`: of a person's change, which may be narrower. */
export function schemaOf(row: Row, change = false): z.ZodType<AnyValue> {
  switch (row.kind) {
    case 'int':
      return whole(row.min, change ? (row.changeMax ?? row.max) : row.max)
    case 'bool':
      return z.boolean({ error: 'must be true or false' })
    case 'optional-bool':
      return z.boolean({ error: 'must be true, false or null' }).nullable()
    case 'int-list':
      return z.array(whole(row.min, row.max), { error: 'must be a list of whole numbers' }).max(MAX_LIST, {
        error: `must have at most ${MAX_LIST} entries`,
      })
  }
}

function whole(min: number, max: number): z.ZodType<number> {
  const message = `must be a whole number from ${min} to ${max}`
  return z.number({ error: message }).int(message).min(min, message).max(max, message)
}

/** Reads a value out of an environment variable; the result still has to pass `schemaOf`. */
export function parseEnv(row: Row, raw: string): unknown {
  const value = raw.trim()
  switch (row.kind) {
    case 'int':
      return value === '' ? Number.NaN : Number(value)
    case 'bool':
    case 'optional-bool': {
      const word = value.toLowerCase()
      return ['true', '1', 'on'].includes(word) ? true : ['false', '0', 'off'].includes(word) ? false : value
    }
    case 'int-list':
      return value
        .split(',')
        .map((entry) => entry.trim())
        .filter((entry) => entry !== '')
        .map(Number)
  }
}
