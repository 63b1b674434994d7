import type { AnyStrategyName } from '../../../core/contract/combo-strategies'
import { NONE, valueOr } from '../../app/loadable'
import { STATE_LOOKS } from '../../app/looks'
import { usePushed } from '../../app/pushed'
import { Field, FieldError } from '../../ui/field'
import { StateBadge } from '../../ui/state-shape'
import { useModels } from '../models/models-store'
import { usesPrompt, usesQuotaReserve } from './combo-words'
import { connectionsFor, type NamedConnection, type StepDraft, type StepErrors } from './step-draft'

interface DetailsProps {
  readonly step: StepDraft
  readonly strategy: AnyStrategyName
  readonly errors: StepErrors
  readonly onChange: (step: StepDraft) => void
}

export function StepDetails({ step, strategy, errors, onChange }: DetailsProps) {
  return (
    <div className="stack">
      {step.kind === 'model' && (
        <>
          <Field
            label="Model"
            error={errors.name ?? null}
            help={
              usesPrompt(strategy) ? (
                'provider/model, or a plain name.'
              ) : (
                <>
                  provider/model, or a plain name. <code>*</code> stands for anything: each model that fits is a target.
                </>
              )
            }
          >
            {(wiring) => (
              <input
                className="input input--mono"
                {...wiring}
                spellCheck={false}
                autoComplete="off"
                maxLength={256}
                value={step.name}
                onChange={(event) => onChange({ ...step, name: event.target.value })}
              />
            )}
          </Field>
          <Connections {...{ step, errors, onChange }} />
        </>
      )}
      {step.kind === 'combo' && <p className="small muted">It chooses among its own steps, by its own strategy.</p>}
      {step.kind === 'combo' && errors.name !== undefined && <FieldError message={errors.name} />}
      {usesPrompt(strategy) && (
        <Field label="Prompt" error={errors.prompt ?? null} help="What this step is to do. Empty: it just answers.">
          {(wiring) => (
            <textarea
              className="textarea"
              {...wiring}
              maxLength={32_768}
              value={step.prompt}
              onChange={(event) => onChange({ ...step, prompt: event.target.value })}
            />
          )}
        </Field>
      )}
      {usesQuotaReserve(strategy) && (
        <label className="checkbox">
          <input
            type="checkbox"
            checked={step.afterQuota}
            onChange={(event) => onChange({ ...step, afterQuota: event.target.checked })}
          />
          <span>
            Only after a quota is spent
            <span className="field__help combo-step__help">
              Passed over until another step of the same request has failed for a spent quota or for want of credit.
            </span>
          </span>
        </label>
      )}
    </div>
  )
}

const SOME = 'some'

/** Any, only some, or one of them. */
function Connections({ step, errors, onChange }: Pick<DetailsProps, 'step' | 'errors' | 'onChange'>) {
  const providers = usePushed(({ providers }) => valueOr(providers, NONE))
  const models = useModels(({ models }) => valueOr(models, null)?.models ?? NONE)
  const choices = connectionsFor(step.name, providers, models)
  const several = new Set(choices.map(({ provider }) => provider.id)).size > 1
  const nameOf = ({ connection, provider }: NamedConnection): string =>
    several ? `${provider.label} · ${connection.name}` : connection.name
  const known = (id: string): boolean => choices.some(({ connection }) => connection.id === id)
  const choose = (value: string) => {
    if (value === '') onChange({ ...step, by: 'any' })
    else if (value === SOME) onChange({ ...step, by: 'some' })
    else onChange({ ...step, by: 'one', one: value.slice('one:'.length) })
  }
  const toggle = (id: string, on: boolean) =>
    onChange({ ...step, some: on ? [...step.some, id] : step.some.filter((each) => each !== id) })
  return (
    <>
      <Field label="By connection" error={errors.connections ?? null} help={helpOf(step.by)}>
        {(wiring) => (
          <select
            className="select"
            {...wiring}
            value={step.by === 'any' ? '' : step.by === 'some' ? SOME : `one:${step.one}`}
            onChange={(event) => choose(event.target.value)}
          >
            <option value="">Any connection</option>
            <option value={SOME}>Only some of them</option>
            {choices.map((choice) => (
              <option key={choice.connection.id} value={`one:${choice.connection.id}`}>
                Only {nameOf(choice)}
              </option>
            ))}
            {step.by === 'one' && !known(step.one) && (
              <option value={`one:${step.one}`}>{step.one === '' ? 'Choose one' : `Only ${step.one} (gone)`}</option>
            )}
          </select>
        )}
      </Field>
      {step.by === 'some' && (
        <fieldset className="combo-step__some">
          <legend className="visually-hidden">Allowed connections</legend>
          {choices.map((choice) => (
            <label key={choice.connection.id} className="checkbox">
              <input
                type="checkbox"
                checked={step.some.includes(choice.connection.id)}
                onChange={(event) => toggle(choice.connection.id, event.target.checked)}
              />
              <span className="grow truncate">{nameOf(choice)}</span>
              <StateBadge look={STATE_LOOKS[choice.connection.state]} />
            </label>
          ))}
          {step.some
            .filter((id) => !known(id))
            .map((id) => (
              <label key={id} className="checkbox">
                <input type="checkbox" checked onChange={() => toggle(id, false)} />
                <span className="grow truncate">{id} (gone, or of another provider)</span>
              </label>
            ))}
        </fieldset>
      )}
    </>
  )
}

function helpOf(by: StepDraft['by']): string {
  switch (by) {
    case 'any':
      return 'Whichever of the provider’s connections can serve.'
    case 'one':
      return 'When it cannot serve, the next step is asked.'
    case 'some':
      return 'The others are not asked for this step.'
  }
}
