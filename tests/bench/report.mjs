// From the values of all rounds to rows, and from rows to a table.
import { ROWS, SIDES } from './aims.mjs'
import { median } from './numbers.mjs'

const TARGETS = ['direct', 'bare', 'gateway']
/** Above this share of its core the load side may be what is measured. */
const LOAD_LIMIT = 0.95
/** Below this share of its core the target was not the limit, or others used the core too. */
const TESTED_LIMIT = 0.85

/** @param values {Record<measure, Record<target, number[]>>} one number a round */
export function summarize(values) {
  return ROWS.filter(({ measure }) => values[measure] !== undefined).map((row) => summarizeRow(row, values))
}

function summarizeRow({ label, measure, digits, aim, added }, values) {
  const rounds = values[measure]
  const series = (name) =>
    added ? rounds[name]?.map((value, i) => value - (rounds.direct?.[i] ?? Number.NaN)) : rounds[name]
  const row = { label, measure, digits, added }
  for (const name of added ? TARGETS.slice(1) : TARGETS) row[name] = median(series(name) ?? [])
  // Round by round, then the middle: what slows the whole machine for a while slows both.
  const bare = series('bare') ?? []
  row.ratio = median((series('gateway') ?? []).map((value, i) => value / bare[i]))
  // A ratio to next to nothing is none.
  if (added && !(row.bare > 0.02)) row.ratio = Number.NaN
  if (aim === null) return row
  const value = aim.of === 'ratio' ? row.ratio : row.gateway
  return { ...row, aim: aim.text, met: Number.isFinite(value) ? aim.met(value) : null }
}

export function table(rows) {
  const lines = [['', 'direct', 'bare proxy', 'gateway', 'ratio', 'aim', '']]
  for (const row of rows) {
    const verdict = row.met === undefined || row.met === null ? '' : row.met ? 'met' : 'MISSED'
    lines.push([
      row.label,
      ...TARGETS.map((name) => number(row[name], row.digits)),
      number(row.ratio, 2),
      row.aim ?? '',
      verdict,
    ])
  }
  const widths = lines[0].map((_, column) => Math.max(...lines.map((line) => line[column].length)))
  const text = lines.map((line) =>
    line
      .map((cell, column) => (column === 0 || column > 4 ? cell.padEnd(widths[column]) : cell.padStart(widths[column])))
      .join('  ')
      .trimEnd(),
  )
  text.splice(1, 0, '─'.repeat(widths.reduce((sum, width) => sum + width + 2, -2)))
  return text.join('\n')
}

/** What makes some of the figures worth less. */
export function remarks(values, pinned) {
  const remarks = []
  if (!pinned) remarks.push('Not pinned to cores: the ratios are rough.')
  for (const side of SIDES) {
    for (const name of TARGETS.slice(1)) {
      const busy = median(values[`${side} busy`]?.[name] ?? [])
      const load = median(values[`${side} load busy`]?.[name] ?? [])
      const what = side === 'rps' ? 'requests/s' : 'fast streams'
      if (load > LOAD_LIMIT) remarks.push(`${what}, ${name}: the load side used its core up (${percent(load)}).`)
      else if (busy < TESTED_LIMIT)
        remarks.push(`${what}, ${name}: it had only ${percent(busy)} of its core; others may have used the machine.`)
    }
  }
  return remarks
}

const percent = (share) => `${Math.round(share * 100)} %`

const number = (value, digits) =>
  value === undefined || !Number.isFinite(value)
    ? ''
    : value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })
