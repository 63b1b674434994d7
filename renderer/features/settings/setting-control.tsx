import type { Field } from '../../../core/contract/setting-fields'
import type { SettingView } from '../../../core/contract/views'
import { Segments, Switch } from '../../ui/field'
import { CommittedInput } from './committed-input'
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

/** More choices stand in a list. */
const MOST_SEGMENTS = 5

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
      return field.choices.length > MOST_SEGMENTS ? (
        <select
          {...{ id, value: String(value), disabled: fixed }}
          className="select"
          aria-label={field.label}
          aria-describedby={describedBy}
          aria-invalid={invalid}
          onChange={(event) => onCommit(event.target.value)}
        >
          {field.choices.map((choice) => (
            <option key={choice} value={choice}>
              {choiceWord(choice)}
            </option>
          ))}
        </select>
      ) : (
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
  return (
    <CommittedInput
      {...{ id, fixed, invalid, describedBy, onEdit }}
      text={asText(value)}
      numeric={field.kind === 'int'}
      placeholder={field.kind === 'list' ? 'none' : undefined}
      unit={'unit' in field ? field.unit : undefined}
      {...(field.kind === 'int' ? { inWords: (text: string) => inWords(field, fromText(field, text)) } : {})}
      onCommit={(text) => onCommit(fromText(field, text))}
    />
  )
}
