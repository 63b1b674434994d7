import { useEffect, useState } from 'react'
import type { Field } from '../../../core/contract/setting-fields'
import type { SettingView } from '../../../core/contract/views'
import { Segments, Switch } from '../../ui/field'
import { choiceWord, inWords } from './setting-words'

type Value = SettingView['value']

interface ControlProps {
  readonly id: string
  readonly field: Field
  readonly value: Value
  readonly fixed: boolean
  readonly invalid: boolean
  readonly describedBy: string
  readonly onCommit: (value: Value) => void
  /** Typing has begun again: an old error is not about this text. */
  readonly onEdit: () => void
}

export function SettingControl({ id, field, value, fixed, invalid, describedBy, onCommit, onEdit }: ControlProps) {
  switch (field.kind) {
    case 'bool':
      return (
        <Switch
          label={field.label}
          checked={value === true}
          disabled={fixed}
          onChange={onCommit}
          aria-describedby={describedBy}
        />
      )
    case 'choice':
      return (
        <Segments
          label={field.label}
          value={String(value)}
          choices={field.choices.map((choice) => ({ value: choice, label: choiceWord(choice) }))}
          disabled={fixed}
          onChange={onCommit}
        />
      )
    default:
      return <TextControl {...{ id, field, value, fixed, invalid, describedBy, onCommit, onEdit }} />
  }
}

const asText = (value: Value): string => (Array.isArray(value) ? value.join(', ') : String(value))

/** What the text means. A number that is none stays text, so that main says what it accepts. */
function fromText(field: Field, text: string): Value {
  if (field.kind === 'int') return /^\s*-?\d+\s*$/.test(text) ? Number(text) : text
  if (field.kind === 'list')
    return text
      .split(/[,\n]/)
      .map((entry) => entry.trim())
      .filter((entry) => entry !== '')
  return text.trim()
}

function TextControl({ id, field, value, fixed, invalid, describedBy, onCommit, onEdit }: ControlProps) {
  const [text, setText] = useState(asText(value))
  // A value that came from elsewhere replaces what is shown; one that was refused stays to be mended.
  useEffect(() => setText(asText(value)), [value])
  const commit = () => {
    if (text !== asText(value)) onCommit(fromText(field, text))
  }
  const unit = 'unit' in field ? field.unit : undefined
  return (
    <div className="setting__text">
      {field.kind === 'int' && <span className="muted small">{inWords(field, fromText(field, text))}</span>}
      <input
        id={id}
        className={field.kind === 'int' ? 'input setting__number' : 'input input--mono'}
        inputMode={field.kind === 'int' ? 'numeric' : 'text'}
        spellCheck={false}
        value={text}
        readOnly={fixed}
        placeholder={field.kind === 'list' ? 'none' : undefined}
        aria-invalid={invalid}
        aria-describedby={describedBy}
        onChange={(event) => {
          setText(event.target.value)
          onEdit()
        }}
        onBlur={commit}
        onKeyDown={(event) => {
          if (event.key === 'Enter') commit()
          if (event.key === 'Escape' && text !== asText(value)) {
            event.preventDefault()
            setText(asText(value))
            onEdit()
          }
        }}
      />
      {field.kind === 'int' && <span className="muted small setting__unit">{unit}</span>}
    </div>
  )
}
