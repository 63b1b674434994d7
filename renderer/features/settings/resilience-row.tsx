import { RotateCcw } from 'lucide-react'
import { Fragment, useId, useState } from 'react'
import type { Row } from '../../../core/contract/resilience-fields'
import type { ResilienceSettingView } from '../../../core/contract/resilience-merge'
import { type ResilienceKey, rowOf } from '../../../core/contract/resilience-settings'
import { IconButton } from '../../ui/button'
import { FieldError, Segments, Switch } from '../../ui/field'
import { CommittedInput } from './committed-input'
import { changeResilience } from './resilience-store'
import {
  asText,
  inWords,
  type ResilienceValue,
  readText,
  refusalWords,
  resetWords,
  sourceWords,
} from './resilience-words'

interface RowProps {
  readonly settingKey: ResilienceKey
  readonly view: ResilienceSettingView
}

/** One setting: what it is, its control, where its value came from, and what was wrong with the last change. */
export function ResilienceRow({ settingKey, view }: RowProps) {
  const id = useId()
  const row = rowOf(settingKey)
  const [error, setError] = useState<string | null>(null)
  const commit = async (value: ResilienceValue) => {
    const refused = await changeResilience(settingKey, value)
    setError(refused === null ? null : refusalWords(refused, settingKey))
  }
  const isText = row.kind === 'int' || row.kind === 'int-list'
  return (
    <div className="setting" data-setting={settingKey}>
      <div className="setting__words">
        {isText ? (
          <label htmlFor={id} className="field__label">
            {row.label}
          </label>
        ) : (
          <span className="field__label">{row.label}</span>
        )}
        <p className="field__help" id={`${id}-help`}>
          {row.help}
        </p>
        {view.warning !== null && <p className="small setting__warning">Ignored: {view.warning}</p>}
        {error !== null && <FieldError message={error} />}
      </div>
      <div className="setting__value">
        <Control
          {...{ id, row }}
          value={view.value}
          invalid={error !== null}
          onCommit={(value) => void commit(value)}
          onRefuse={setError}
        />
        <Source {...{ row, view }} onReset={() => void commit(null)} />
      </div>
    </div>
  )
}

interface ControlProps {
  readonly id: string
  readonly row: Row
  readonly value: ResilienceValue
  readonly invalid: boolean
  readonly onCommit: (value: ResilienceValue) => void
  /** null: nothing is wrong any more. */
  readonly onRefuse: (message: string | null) => void
}

const CHOICES = [
  { value: 'usual', label: 'Usual' },
  { value: 'on', label: 'On' },
  { value: 'off', label: 'Off' },
] as const

function Control({ id, row, value, invalid, onCommit, onRefuse }: ControlProps) {
  switch (row.kind) {
    case 'bool':
      return <Switch label={row.label} checked={value === true} onChange={onCommit} aria-describedby={`${id}-help`} />
    case 'optional-bool':
      return (
        <Segments
          label={row.label}
          value={value === null ? 'usual' : value === true ? 'on' : 'off'}
          choices={CHOICES}
          onChange={(choice) => onCommit(choice === 'usual' ? null : choice === 'on')}
        />
      )
    default:
      return (
        <CommittedInput
          {...{ id, invalid }}
          text={asText(value)}
          numeric={row.kind === 'int'}
          fixed={false}
          describedBy={`${id}-help`}
          placeholder={row.kind === 'int-list' ? 'none' : undefined}
          unit={row.unit}
          {...(row.kind === 'int' ? { inWords: (text: string) => inWords(row, text) } : {})}
          onCommit={(text) => {
            const read = readText(row, text)
            if (read.ok) onCommit(read.value)
            else onRefuse(read.message)
          }}
          onEdit={() => onRefuse(null)}
        />
      )
  }
}

interface SourceProps {
  readonly row: Row
  readonly view: ResilienceSettingView
  readonly onReset: () => void
}

function Source({ row, view, onReset }: SourceProps) {
  const words = sourceWords(row, view)
  if (words === '') return null
  return (
    <div className="setting__source small muted">
      <span>
        {words.split(/(?<=_)/).map((part, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text
          <Fragment key={index}>
            {part}
            <wbr />
          </Fragment>
        ))}
      </span>
      {view.source === 'stored' && (
        <IconButton label={resetWords(row)} onClick={onReset}>
          <RotateCcw size={14} strokeWidth={1.75} aria-hidden="true" />
        </IconButton>
      )}
    </div>
  )
}
