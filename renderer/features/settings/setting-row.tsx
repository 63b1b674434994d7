import { RotateCcw } from 'lucide-react'
import { useId, useState } from 'react'
import type { Field } from '../../../core/contract/setting-fields'
import type { SettingView } from '../../../core/contract/views'
import { messageAtField } from '../../app/error-words'
import { IconButton } from '../../ui/button'
import { FieldError } from '../../ui/field'
import { changeSetting } from './change'
import { SettingControl } from './setting-control'
import { appliesWords, isFixed, sourceWords, valueWords } from './setting-words'

/** One setting: what it is, its control, where its value came from, and what was wrong with the last change. */
export function SettingRow({ field, view }: { readonly field: Field; readonly view: SettingView }) {
  const id = useId()
  const [error, setError] = useState<string | null>(null)
  const fixed = isFixed(field, view)
  const commit = async (value: SettingView['value'] | null) => {
    const refused = await changeSetting(view.key, value)
    setError(refused === null ? null : messageAtField(refused))
  }
  const hasLabelFor = field.kind === 'int' || field.kind === 'text' || field.kind === 'list'
  return (
    <div className="setting" data-setting={view.key}>
      <div className="setting__words">
        {hasLabelFor ? (
          <label htmlFor={id} className="field__label">
            {field.label}
          </label>
        ) : (
          <span className="field__label">{field.label}</span>
        )}
        <p className="field__help" id={`${id}-help`}>
          {field.help} {appliesWords(field)}
        </p>
        {view.warning !== null && <p className="small setting__warning">Ignored: {view.warning}</p>}
        {error !== null && <FieldError message={error} />}
      </div>
      <div className="setting__value">
        <SettingControl
          id={id}
          field={field}
          value={view.value}
          fixed={fixed}
          invalid={error !== null}
          describedBy={`${id}-help`}
          onCommit={(value) => void commit(value)}
          onEdit={() => setError(null)}
        />
        <Source field={field} view={view} fixed={fixed} onReset={() => void commit(null)} />
      </div>
    </div>
  )
}

interface SourceProps {
  readonly field: Field
  readonly view: SettingView
  readonly fixed: boolean
  readonly onReset: () => void
}

function Source({ field, view, fixed, onReset }: SourceProps) {
  const words = sourceWords(field, view)
  if (words === '') return null
  const overridden = fixed && view.stored !== null
  return (
    <div className="setting__source small muted">
      <span>
        {words}
        {overridden && `; stored here: ${valueWords(view.stored ?? '')}`}
      </span>
      {view.stored !== null && (
        <IconButton
          label={
            overridden
              ? `Remove the stored value of ${field.label}`
              : `Reset ${field.label} to ${valueWords(defaultOf(field))}`
          }
          onClick={onReset}
        >
          <RotateCcw size={14} strokeWidth={1.75} aria-hidden="true" />
        </IconButton>
      )}
    </div>
  )
}

const defaultOf = (field: Field): SettingView['value'] => (field.kind === 'list' ? [...field.fallback] : field.fallback)
