// Rows that are dragged to another place by a handle. The keyboard has buttons of its own for it.
import { type DragEvent, useState } from 'react'

interface Drag {
  readonly from: number
  readonly over: number
}

export interface DragRows {
  /** For the row itself; `data-drop` says where a line is to be drawn. */
  readonly row: (place: number) => {
    readonly onDragOver: (event: DragEvent) => void
    readonly onDrop: (event: DragEvent) => void
    readonly 'data-dragged': boolean
    readonly 'data-drop': 'above' | 'below' | undefined
  }
  readonly handle: (place: number) => {
    readonly draggable: true
    readonly onDragStart: (event: DragEvent) => void
    readonly onDragEnd: () => void
  }
}

export function useDragRows(onMove: (from: number, to: number) => void): DragRows {
  const [drag, setDrag] = useState<Drag | null>(null)
  return {
    row: (place) => ({
      onDragOver: (event) => {
        if (drag === null) return
        event.preventDefault()
        event.dataTransfer.dropEffect = 'move'
        if (drag.over !== place) setDrag({ ...drag, over: place })
      },
      onDrop: (event) => {
        event.preventDefault()
        if (drag !== null && drag.from !== place) onMove(drag.from, place)
        setDrag(null)
      },
      'data-dragged': drag?.from === place,
      'data-drop': drag?.over !== place || drag.from === place ? undefined : drag.from < place ? 'below' : 'above',
    }),
    handle: (place) => ({
      draggable: true,
      onDragStart: (event) => {
        event.dataTransfer.effectAllowed = 'move'
        // Without data some systems do not begin.
        event.dataTransfer.setData('text/plain', '')
        const row = event.currentTarget.closest('[data-drag-row]')
        if (row !== null) event.dataTransfer.setDragImage(row, 12, 12)
        setDrag({ from: place, over: place })
      },
      onDragEnd: () => setDrag(null),
    }),
  }
}
