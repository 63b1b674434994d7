import { Copy, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { ComboView } from '../../../core/contract/combo-views'
import { moveBetweenRows } from '../../ui/arrow-rows'
import { IconButton } from '../../ui/button'
import { StateBadge } from '../../ui/state-shape'
import { comboLook, stepsInShort, strategyWords } from './combo-words'
import { duplicateCombo, moveCombo, NEW, openCombo, removeCombo, useCombos } from './combos-store'
import { DragHandle, MoveButtons } from './move-buttons'
import { type DragRows, useDragRows } from './use-drag-rows'

/** In the user's order, which is also the order of the lists that tools get. */
export function ComboList({ combos }: { readonly combos: readonly ComboView[] }) {
  const [said, setSaid] = useState('')
  const move = (from: number, to: number) => {
    setSaid(`${combos[from]?.name} is at place ${to + 1} of ${combos.length}.`)
    void moveCombo(from, to)
  }
  const drag = useDragRows(move)
  const isNew = useCombos(({ edits }) => edits[NEW] !== undefined)
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: arrows move between the rows inside */}
      <div className="card combos__card" onKeyDown={moveBetweenRows}>
        <table className="table combos">
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col" className="combos__wide">
                Strategy
              </th>
              <th scope="col" className="combos__wide">
                Steps
              </th>
              <th scope="col">State</th>
              <th scope="col">
                <span className="visually-hidden">Order, copy and delete</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {combos.map((combo, place) => (
              <Row key={combo.id} {...{ combo, place, drag, move }} count={combos.length} />
            ))}
          </tbody>
        </table>
      </div>
      {isNew && (
        <p className="small muted">
          A combo that you began is not saved yet.{' '}
          <button type="button" className="link-button" onClick={() => openCombo(NEW)}>
            Go on with it
          </button>
        </p>
      )}
      <p className="visually-hidden" role="status">
        {said}
      </p>
    </>
  )
}

interface RowProps {
  readonly combo: ComboView
  readonly place: number
  readonly count: number
  readonly drag: DragRows
  readonly move: (from: number, to: number) => void
}

function Row({ combo, place, count, drag, move }: RowProps) {
  const open = useCombos(({ open }) => open === combo.id)
  const edited = useCombos(({ edits }) => edits[combo.id] !== undefined)
  const { label } = strategyWords(combo.strategy)
  const steps = stepsInShort(combo)
  return (
    // The button in the row is the way by keyboard; the whole row is a larger target for the pointer.
    <tr data-openable="true" data-open={open} data-drag-row onClick={() => openCombo(combo.id)} {...drag.row(place)}>
      <td>
        <div className="line">
          <DragHandle handle={drag.handle(place)} />
          <button type="button" className="row-button combos__name mono truncate" data-row aria-expanded={open}>
            {combo.name}
          </button>
        </div>
        <div className="combos__narrow small muted truncate">
          {label} · {steps}
        </div>
      </td>
      <td className="combos__wide">{label}</td>
      <td className="combos__wide mono combos__steps" title={steps}>
        {steps}
      </td>
      <td>
        <div className="line line--wrap">
          <StateBadge look={comboLook(combo)} />
          {edited && <span className="tag tag--accent">Not saved</span>}
        </div>
      </td>
      <td>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: keeps clicks on its buttons from opening the row */}
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: keeps clicks on its buttons from opening the row */}
        <div className="combos__tools" onClick={(event) => event.stopPropagation()}>
          <MoveButtons what={combo.name} place={place} count={count} onMove={move} />
          <IconButton label={`Duplicate ${combo.name}`} onClick={() => void duplicateCombo(combo)}>
            <Copy size={14} strokeWidth={1.75} aria-hidden="true" />
          </IconButton>
          <IconButton label={`Delete ${combo.name}`} onClick={() => void removeCombo(combo)}>
            <Trash2 size={14} strokeWidth={1.75} aria-hidden="true" />
          </IconButton>
        </div>
      </td>
    </tr>
  )
}
