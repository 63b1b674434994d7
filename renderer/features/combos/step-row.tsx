import { ChevronDown, ChevronRight, X } from 'lucide-react'
import { useId } from 'react'
import type { AnyStrategyName } from '../../../core/contract/combo-strategies'
import { NONE, valueOr } from '../../app/loadable'
import { usePushed } from '../../app/pushed'
import { IconButton } from '../../ui/button'
import { FieldError } from '../../ui/field'
import { StateShape } from '../../ui/state-shape'
import { usesWeight } from './combo-words'
import { DragHandle, MoveButtons } from './move-buttons'
import { StepDetails } from './step-details'
import { type StepDraft, type StepErrors, stepNotes } from './step-draft'
import type { DragRows } from './use-drag-rows'

interface StepRowProps {
  readonly step: StepDraft
  readonly place: number
  readonly count: number
  readonly strategy: AnyStrategyName
  readonly errors: StepErrors
  readonly warning: string | null
  readonly unfolded: boolean
  readonly drag: DragRows
  readonly move: (from: number, to: number) => void
  readonly onUnfold: (open: boolean) => void
  readonly onChange: (step: StepDraft) => void
  readonly onRemove: () => void
}

export function StepRow(props: StepRowProps) {
  const { step, place, count, strategy, errors, warning, unfolded, drag, move, onUnfold, onChange, onRemove } = props
  const id = useId()
  const providers = usePushed(({ providers }) => valueOr(providers, NONE))
  const notes = stepNotes(step, strategy, providers)
  const Chevron = unfolded ? ChevronDown : ChevronRight
  // What is wrong inside is said there; folded, it is said here.
  const hidden = unfolded ? [] : [errors.name, errors.connections, errors.prompt].flatMap((each) => each ?? [])
  return (
    <li className="combo-step" data-drag-row {...drag.row(place)}>
      <div className="combo-step__head">
        <DragHandle handle={drag.handle(place)} />
        <button
          type="button"
          className="combo-step__name"
          aria-expanded={unfolded}
          aria-controls={unfolded ? id : undefined}
          onClick={() => onUnfold(!unfolded)}
        >
          <Chevron size={14} strokeWidth={1.75} aria-hidden="true" />
          <span className="muted">{place + 1}</span>
          <span className="mono truncate" title={step.name}>
            {step.name === '' ? 'no model' : step.name}
          </span>
          {step.kind === 'combo' && <span className="tag">Combo</span>}
        </button>
        {usesWeight(strategy) && (
          <label className="combo-step__weight">
            <span className="small muted">Weight</span>
            <input
              className="input"
              inputMode="decimal"
              aria-label={`Weight of step ${place + 1}`}
              aria-invalid={errors.weight !== undefined}
              value={step.weight}
              onChange={(event) => onChange({ ...step, weight: event.target.value })}
            />
          </label>
        )}
        <MoveButtons what={`step ${place + 1}`} place={place} count={count} onMove={move} />
        <IconButton label={`Remove step ${place + 1}`} onClick={onRemove}>
          <X size={14} strokeWidth={1.75} aria-hidden="true" />
        </IconButton>
      </div>
      {notes.length > 0 && !unfolded && <p className="combo-step__note small muted">{notes.join(' · ')}</p>}
      {warning !== null && (
        <p className="combo-step__note small line state--warn">
          <StateShape shape="triangle" size={14} />
          <span>
            <span className="visually-hidden">Warning: </span>
            {warning}
          </span>
        </p>
      )}
      {errors.weight !== undefined && <FieldError message={errors.weight} />}
      {hidden.map((message) => (
        <FieldError key={message} message={message} />
      ))}
      {unfolded && (
        <div id={id} className="combo-step__body">
          <StepDetails {...{ step, strategy, errors, onChange }} />
        </div>
      )}
    </li>
  )
}
