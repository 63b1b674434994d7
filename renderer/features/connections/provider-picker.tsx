// biome-ignore-all lint/a11y/useFocusableInteractive: the search field keeps the focus and points at the active row
// biome-ignore-all lint/a11y/useKeyWithClickEvents: the search field handles the keys of the rows
import './picker.css'
import { Search } from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react'
import type { ProviderView } from '../../../core/contract/views'
import { counted } from '../../ui/numbers'
import {
  type ChoiceGroup,
  CUSTOM_CHOICES,
  groupProviders,
  type ProviderChoice,
  searchProviders,
} from './find-providers'

const PAGE = 8

interface PickerProps {
  readonly providers: readonly ProviderView[]
  readonly onChoose: (id: string) => void
  /** Begins with the focus in the search. */
  readonly focus?: boolean
}

/** A search field over a list: typing narrows it, arrows move in it, Enter takes what is marked. */
export function ProviderPicker({ providers, onChoose, focus = false }: PickerProps) {
  const id = useId()
  const [search, setSearch] = useState('')
  const [marked, setMarked] = useState(0)
  const field = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const groups = useMemo(() => groupProviders(providers), [providers])
  const shown = useMemo(() => narrowed(groups, search), [groups, search])
  const flat = shown.flatMap(({ choices }) => choices)
  const active = Math.min(marked, flat.length - 1)
  const optionId = (choice: ProviderChoice): string => `${id}-${choice.id}`

  useEffect(() => {
    if (focus) field.current?.focus()
  }, [focus])
  const activeId = flat[active] === undefined ? undefined : optionId(flat[active])
  useEffect(() => {
    if (activeId !== undefined) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' })
  }, [activeId])

  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: active + 1,
      ArrowUp: active - 1,
      PageDown: active + PAGE,
      PageUp: active - PAGE,
    }
    const next = steps[event.key]
    const choice = flat[active]
    if (next !== undefined) {
      event.preventDefault()
      setMarked(Math.max(0, Math.min(flat.length - 1, next)))
    } else if (event.key === 'Enter') {
      event.preventDefault()
      if (choice !== undefined) onChoose(choice.id)
    } else if (event.key === 'Escape' && search !== '') {
      event.preventDefault()
      setSearch('')
      setMarked(0)
    }
  }

  return (
    <div className="picker">
      <label className="field__label" htmlFor={`${id}-search`}>
        Provider
      </label>
      <div className="search picker__search">
        <Search size={16} strokeWidth={1.75} aria-hidden="true" />
        <input
          ref={field}
          id={`${id}-search`}
          className="input"
          role="combobox"
          aria-expanded="true"
          aria-autocomplete="list"
          aria-controls={`${id}-list`}
          aria-activedescendant={activeId}
          placeholder="Name, or what you call it"
          autoComplete="off"
          spellCheck={false}
          value={search}
          onChange={(event) => {
            setSearch(event.target.value)
            setMarked(0)
            list.current?.scrollTo({ top: 0 })
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <p className="visually-hidden" role="status">
        {counted(flat.length, 'provider')}
      </p>
      <div className="picker__list" role="listbox" id={`${id}-list`} aria-label="Found providers" ref={list}>
        {shown.map(({ title, choices }, index) => (
          // biome-ignore lint/a11y/useSemanticElements: a group of a listbox
          <div key={title} role="group" aria-labelledby={`${id}-group-${index}`}>
            <div className="picker__group" id={`${id}-group-${index}`} role="presentation">
              {title}
            </div>
            {choices.map((choice) => (
              <Row
                key={choice.id}
                id={optionId(choice)}
                choice={choice}
                active={choice === flat[active]}
                onChoose={() => onChoose(choice.id)}
              />
            ))}
          </div>
        ))}
      </div>
    </div>
  )
}

/** All of it, or what was found; and the way out where nothing was. */
function narrowed(groups: readonly ChoiceGroup[], search: string): readonly ChoiceGroup[] {
  if (search.trim() === '') return groups
  const choices = searchProviders(groups, search)
  return choices.length > 0
    ? [{ title: 'Found', choices }]
    : [{ title: 'Not in the list: add it by its address', choices: CUSTOM_CHOICES }]
}

interface RowProps {
  readonly id: string
  readonly choice: ProviderChoice
  readonly active: boolean
  readonly onChoose: () => void
}

function Row({ id, choice, active, onChoose }: RowProps) {
  const { label, name, about, free, used } = choice
  return (
    <div className="picker__row" role="option" id={id} aria-selected={active} onClick={onChoose}>
      <span className="picker__words">
        <span className="line">
          <span className="picker__label truncate">{label}</span>
          <code className="picker__name muted truncate">{name}</code>
        </span>
        <span className="small muted truncate" title={about}>
          {about}
        </span>
      </span>
      {used > 0 ? (
        <span className="tag tag--accent">{counted(used, 'connection')}</span>
      ) : (
        free && <span className="tag tag--ok">Free tier</span>
      )}
    </div>
  )
}
