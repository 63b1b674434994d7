// biome-ignore-all lint/a11y/useFocusableInteractive: the search field keeps the focus and points at the active row
// biome-ignore-all lint/a11y/useKeyWithClickEvents: the search field handles the keys of the rows
import { Search } from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useMemo, useState } from 'react'
import { NONE, valueOr } from '../../app/loadable'
import { counted } from '../../ui/numbers'
import { useModels } from '../models/models-store'
import { useCombos } from './combos-store'
import { type FoundTarget, findTargets } from './find-targets'

interface SearchProps {
  readonly comboId: string | null
  readonly onChoose: (target: FoundTarget) => void
}

/** Typing narrows the list of models and combos, arrows move in it, Enter adds what is marked; then the next. */
export function TargetSearch({ comboId, onChoose }: SearchProps) {
  const id = useId()
  const [typed, setTyped] = useState('')
  const [open, setOpen] = useState(false)
  const [marked, setMarked] = useState(0)
  const models = useModels(({ models }) => valueOr(models, null)?.models ?? NONE)
  const combos = useCombos(({ combos }) => valueOr(combos, NONE))
  const found = useMemo(
    () => (open ? findTargets({ models, combos: combos.filter((each) => each.id !== comboId) }, typed) : NONE),
    [open, models, combos, comboId, typed],
  )
  const active = Math.min(marked, found.length - 1)
  const activeId = found[active] === undefined ? undefined : `${id}-${active}`
  useEffect(() => {
    if (activeId !== undefined) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' })
  }, [activeId])

  const show = () => {
    if (!open) setMarked(0)
    setOpen(true)
  }
  const choose = (target: FoundTarget | undefined) => {
    if (target === undefined) return
    onChoose(target)
    setTyped('')
    setOpen(false)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      if (!open) return show()
      const next = active + (event.key === 'ArrowDown' ? 1 : -1)
      setMarked(Math.max(0, Math.min(found.length - 1, next)))
    } else if (event.key === 'Enter') {
      event.preventDefault()
      if (open) choose(found[active])
      else show()
    } else if (event.key === 'Escape' && (open || typed !== '')) {
      event.preventDefault()
      setTyped('')
      setOpen(false)
    }
  }
  return (
    <div className="target-search">
      <div className="search picker__search">
        <Search size={16} strokeWidth={1.75} aria-hidden="true" />
        <input
          className="input"
          role="combobox"
          aria-label="Add a model or a combo"
          aria-expanded={open}
          aria-autocomplete="list"
          aria-controls={open ? `${id}-list` : undefined}
          aria-activedescendant={activeId}
          placeholder="Add a model or a combo"
          autoComplete="off"
          spellCheck={false}
          maxLength={256}
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value)
            setMarked(0)
            setOpen(true)
          }}
          onClick={show}
          onBlur={() => setOpen(false)}
          onKeyDown={onKeyDown}
        />
      </div>
      <p className="visually-hidden" role="status">
        {open ? counted(found.length, 'choice') : ''}
      </p>
      {open && (
        <div className="target-search__list" role="listbox" id={`${id}-list`} aria-label="Models and combos">
          {found.length === 0 && (
            <p className="target-search__none small muted">No model is known yet. Type its name: provider/model.</p>
          )}
          {found.map((target, place) => (
            <div
              key={`${target.kind} ${target.name}`}
              className="picker__row"
              role="option"
              id={`${id}-${place}`}
              aria-selected={place === active}
              // The field keeps the focus, so that the list does not close before the click.
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => choose(target)}
            >
              <code className="grow truncate">{target.name}</code>
              <span className="small muted truncate">{target.about}</span>
            </div>
          ))}
        </div>
      )}
    </div>
  )
}
