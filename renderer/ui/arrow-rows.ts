import type { KeyboardEvent } from 'react'

/** Arrows move the focus between the rows of a list: everything inside that carries `data-row`. */
export function moveBetweenRows(event: KeyboardEvent<HTMLElement>): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  const target = event.target instanceof Element ? event.target.closest('[data-row]') : null
  if (step === 0 || target === null) return
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-row]')]
  const next = rows[rows.indexOf(target as HTMLElement) + step]
  if (next === undefined) return
  event.preventDefault()
  next.focus()
}
