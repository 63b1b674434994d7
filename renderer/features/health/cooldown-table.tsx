import { useEffect, useRef } from 'react'
import type { CooldownRow } from '../../../core/contract/health-views'
import { NONE, valueOr } from '../../app/loadable'
import { usePushed } from '../../app/pushed'
import { sentence } from '../../app/sentence'
import { openConnection } from '../../app/ui-state'
import { Button } from '../../ui/button'
import { Empty } from '../../ui/card'
import { Countdown } from '../../ui/countdown'
import { Moment } from '../../ui/moment'
import { StateBadge } from '../../ui/state-shape'
import { canClear, lastReturn, selectedRows, toggleAll, toggleOne } from './cooldown-rows'
import { clearCooldowns, select, setFilter, useHealth } from './health-store'
import { locksWords, rowEnding, STATUS_LOOKS, TERMINAL_WORDS } from './health-words'

interface TableProps {
  readonly rows: readonly CooldownRow[]
  /** Whether others may be hidden by the filter. */
  readonly filtered: boolean
}

export function CooldownTable({ rows, filtered }: TableProps) {
  if (rows.length === 0)
    return (
      <div className="card">
        {filtered ? (
          <Empty text="No connection matches.">
            <Button onClick={() => setFilter({ provider: '', shown: 'out' })}>Show all that are out</Button>
          </Empty>
        ) : (
          <Empty text="Nothing rests, and nothing needs you." />
        )}
      </div>
    )
  return (
    <div className="card table-scroll">
      <table className="table cooldowns">
        <thead>
          <tr>
            <th scope="col">
              <SelectAll rows={rows} />
            </th>
            <th scope="col">Connection</th>
            <th scope="col">State</th>
            <th scope="col" className="wide-only">
              Since
            </th>
            <th scope="col">Returns</th>
            <th scope="col" className="wide-only">
              What ends it
            </th>
            <th scope="col">
              <span className="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={row.id} row={row} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function SelectAll({ rows }: { readonly rows: readonly CooldownRow[] }) {
  const selected = useHealth(({ selected }) => selected)
  const box = useRef<HTMLInputElement>(null)
  const clearable = rows.filter(canClear).length
  const chosen = selectedRows(rows, selected).length
  useEffect(() => {
    if (box.current !== null) box.current.indeterminate = chosen > 0 && chosen < clearable
  }, [chosen, clearable])
  return (
    <input
      ref={box}
      type="checkbox"
      className="tick"
      aria-label="Select all that can be cleared"
      disabled={clearable === 0}
      checked={clearable > 0 && chosen === clearable}
      onChange={() => select(toggleAll(rows, selected))}
    />
  )
}

function Row({ row }: { readonly row: CooldownRow }) {
  const { id, provider, name, status, gate, lastErrorAt } = row
  const selected = useHealth(({ selected }) => selected)
  const label = usePushed(({ providers }) => valueOr(providers, NONE).find((each) => each.id === provider)?.label)
  return (
    <tr aria-selected={selected.has(id)}>
      <td>
        <input
          type="checkbox"
          className="tick"
          aria-label={`Select ${name}`}
          disabled={!canClear(row)}
          checked={selected.has(id) && canClear(row)}
          onChange={() => select(toggleOne(selected, id))}
        />
      </td>
      <td className="breakable">
        <button type="button" className="row-button" onClick={() => openConnection(id)}>
          <span className="muted">{label ?? provider} · </span>
          <span className="connections__name">{name}</span>
        </button>
      </td>
      <td>
        <div className="line line--wrap">
          <StateBadge look={STATUS_LOOKS[status]} />
          <span className="muted breakable">{whyWords(row)}</span>
        </div>
      </td>
      <td className="wide-only muted">
        {gate !== null ? <Moment at={gate.since} /> : lastErrorAt !== null && <Moment at={Date.parse(lastErrorAt)} />}
      </td>
      <td>
        <Returns row={row} />
      </td>
      <td className="wide-only muted">{rowEnding(row)}</td>
      <td className="num">
        {status === 'terminal' || status === 'unavailable' ? (
          <Button small aria-label={`Open ${name}`} onClick={() => openConnection(id)}>
            Open
          </Button>
        ) : (
          <Button
            small
            aria-label={`Clear ${name}`}
            disabled={!canClear(row)}
            onClick={() => void clearCooldowns({ connectionIds: [id] })}
          >
            Clear
          </Button>
        )}
      </td>
    </tr>
  )
}

function whyWords(row: CooldownRow): string {
  const { gate, testStatus } = row
  if (gate === null) return locksWords(row)
  const head = gate.gate === 'terminal' ? `${TERMINAL_WORDS[testStatus] ?? ''} ` : ''
  return `${head}${sentence(gate.why)} ${locksWords(row)}`.trim()
}

/** Of a connection whose models rest: the last of them. */
function Returns({ row: { id, gate } }: { readonly row: CooldownRow }) {
  const lockouts = useHealth(({ health }) => valueOr(health, null)?.lockouts ?? NONE)
  if (gate !== null && gate.until === null) return <span className="muted">not by itself</span>
  const until = gate?.until ?? lastReturn(lockouts, id)
  return until === null ? null : <Countdown until={until} />
}
