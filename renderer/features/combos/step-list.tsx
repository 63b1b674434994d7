import { useState } from 'react'
import type { AnyStrategyName } from '../../../core/contract/combo-strategies'
import { FieldError } from '../../ui/field'
import type { ComboErrors } from './combo-draft'
import { moved, newStep, type StepDraft } from './step-draft'
import { StepRow } from './step-row'
import { TargetSearch } from './target-search'
import { useDragRows } from './use-drag-rows'

interface StepsProps {
  readonly steps: readonly StepDraft[]
  readonly strategy: AnyStrategyName
  readonly errors: ComboErrors
  /** What stands in the way of a step, by its key. */
  readonly warnings: Readonly<Record<string, string>>
  /** The combo itself, which can be no step of its own; null: it is new. */
  readonly comboId: string | null
  readonly onChange: (steps: readonly StepDraft[]) => void
}

export function StepList({ steps, strategy, errors, warnings, comboId, onChange }: StepsProps) {
  const [unfolded, setUnfolded] = useState<string | null>(null)
  const [said, setSaid] = useState('')
  const move = (from: number, to: number) => {
    onChange(moved(steps, from, to))
    setSaid(`${steps[from]?.name} is step ${to + 1} of ${steps.length}.`)
  }
  const drag = useDragRows(move)
  const change = (step: StepDraft) => onChange(steps.map((each) => (each.key === step.key ? step : each)))
  const remove = (step: StepDraft) => {
    onChange(steps.filter(({ key }) => key !== step.key))
    setSaid(`${step.name} is no step any more.`)
  }
  return (
    <section className="stack" aria-label="Steps">
      <h3>Steps</h3>
      {steps.length > 0 && (
        <ol className="combo-steps">
          {steps.map((step, place) => (
            <StepRow
              key={step.key}
              {...{ step, place, strategy, drag, move }}
              count={steps.length}
              errors={errors.ofSteps[step.key] ?? {}}
              warning={warnings[step.key] ?? null}
              unfolded={unfolded === step.key}
              onUnfold={(open) => setUnfolded(open ? step.key : null)}
              onChange={change}
              onRemove={() => remove(step)}
            />
          ))}
        </ol>
      )}
      <TargetSearch
        comboId={comboId}
        onChoose={({ kind, name }) => {
          onChange([...steps, newStep(kind, name)])
          setSaid(`${name} is step ${steps.length + 1}.`)
        }}
      />
      {errors.steps !== undefined && <FieldError message={errors.steps} />}
      <p className="visually-hidden" role="status">
        {said}
      </p>
    </section>
  )
}
