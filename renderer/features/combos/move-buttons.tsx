import { ArrowDown, ArrowUp, GripVertical } from 'lucide-react'
import type { DragRows } from './use-drag-rows'

interface MoveProps {
  /** Whose place it is: the accessible name. */
  readonly what: string
  readonly place: number
  readonly count: number
  readonly onMove: (from: number, to: number) => void
}

/** Up and down, by keyboard too. At an end they stay reachable, so that the focus is not lost. */
export function MoveButtons({ what, place, count, onMove }: MoveProps) {
  const button = (to: number, word: string, Icon: typeof ArrowUp) => {
    const can = to >= 0 && to < count
    return (
      <button
        type="button"
        className="button button--quiet button--small button--icon move-button"
        aria-label={`Move ${what} ${word}`}
        title={`Move ${word}`}
        aria-disabled={!can}
        onClick={(event) => {
          event.stopPropagation()
          const { currentTarget } = event
          if (can) onMove(place, to)
          // A row that is taken to another place in the page loses the focus.
          requestAnimationFrame(() => currentTarget.focus())
        }}
      >
        <Icon size={14} strokeWidth={1.75} aria-hidden="true" />
      </button>
    )
  }
  return (
    <span className="move-buttons">
      {button(place - 1, 'up', ArrowUp)}
      {button(place + 1, 'down', ArrowDown)}
    </span>
  )
}

/** For the pointer only. */
export function DragHandle({ handle }: { readonly handle: ReturnType<DragRows['handle']> }) {
  return (
    <span className="drag-handle" aria-hidden="true" title="Drag to another place" {...handle}>
      <GripVertical size={14} strokeWidth={1.75} />
    </span>
  )
}
