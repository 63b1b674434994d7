import { type FormEvent, useId, useState } from 'react'
import type { ExplainedFailure } from '../../../core/contract/explain'
import { call } from '../../app/client'
import { ProviderSelect } from '../../app/provider-select'
import { Button } from '../../ui/button'
import { Card } from '../../ui/card'
import { Field, FieldError } from '../../ui/field'
import {
  checkExplain,
  type ExplainDraft,
  type ExplainErrors,
  NO_ERROR,
  placeExplainError,
  takeApart,
  toExplain,
} from './explain-draft'
import { EXAMPLES } from './explain-examples'
import { explained } from './explain-words'

/** An error that someone has before them, explained with the settings and rules in force. Nothing is changed by it. */
export function ExplainTab() {
  const [draft, setDraft] = useState<ExplainDraft>(NO_ERROR)
  const [errors, setErrors] = useState<ExplainErrors>({})
  const [found, setFound] = useState<ExplainedFailure | null>(null)

  const explain = async (given: ExplainDraft) => {
    const wrong = checkExplain(given)
    setErrors(wrong)
    setFound(null)
    if (Object.keys(wrong).length > 0) return
    const answer = await call('failures:explain', toExplain(given))
    if (answer.ok) setFound(answer.value)
    else setErrors(placeExplainError(answer.error))
  }
  const change = (part: Partial<ExplainDraft>) => {
    setDraft({ ...draft, ...part })
    setErrors({})
    setFound(null)
  }
  const tryExample = (example: ExplainDraft) => {
    setDraft(example)
    void explain(example)
  }
  return (
    <div className="explain">
      <Card title="The error">
        <div className="card__body stack stack--loose">
          <Examples onTry={tryExample} />
          <ErrorForm {...{ draft, errors, change }} onSubmit={() => void explain(draft)} />
        </div>
      </Card>
      <Card title="What it means" className="explain__result">
        {found === null ? (
          <p className="card__body muted">
            Paste an error and see what the gateway takes it for, how long what rests, what it does next, and which rule
            decides. Nothing is sent anywhere, and nothing is changed.
          </p>
        ) : (
          <Result failure={found} />
        )}
      </Card>
    </div>
  )
}

function Examples({ onTry }: { readonly onTry: (example: ExplainDraft) => void }) {
  const id = useId()
  return (
    <section className="stack stack--tight" aria-labelledby={id}>
      <span id={id} className="small muted">
        Examples to try
      </span>
      <div className="line line--wrap">
        {EXAMPLES.map(({ label, ...example }) => (
          <Button key={label} small onClick={() => onTry(example)}>
            {label}
          </Button>
        ))}
      </div>
    </section>
  )
}

interface FormProps {
  readonly draft: ExplainDraft
  readonly errors: ExplainErrors
  readonly change: (part: Partial<ExplainDraft>) => void
  readonly onSubmit: () => void
}

function ErrorForm({ draft, errors, change, onSubmit }: FormProps) {
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSubmit()
  }
  return (
    <form className="stack" noValidate onSubmit={submit}>
      <div className="explain__facts">
        <Field label="Provider" error={errors.provider ?? null}>
          {(wiring) => (
            <ProviderSelect {...wiring} value={draft.provider} onChange={(provider) => change({ provider })} />
          )}
        </Field>
        <Field label="Status" error={errors.status ?? null}>
          {(wiring) => (
            <input
              className="input"
              {...wiring}
              inputMode="numeric"
              placeholder="429"
              value={draft.status}
              onChange={(event) => change({ status: event.target.value })}
            />
          )}
        </Field>
        <Field label="Model (optional)" error={errors.model ?? null}>
          {(wiring) => (
            <input
              className="input input--mono"
              {...wiring}
              spellCheck={false}
              maxLength={256}
              value={draft.model}
              onChange={(event) => change({ model: event.target.value })}
            />
          )}
        </Field>
      </div>
      <Field label="Headers (optional)" error={errors.headers ?? null} help="One a line, such as retry-after: 20.">
        {(wiring) => (
          <textarea
            className="textarea input--mono"
            {...wiring}
            rows={3}
            spellCheck={false}
            value={draft.headers}
            onChange={(event) => change({ headers: event.target.value })}
          />
        )}
      </Field>
      <Field
        label="Body"
        error={errors.body ?? null}
        help="As it came. A whole answer with its status line, as curl -i prints it, is taken apart."
      >
        {(wiring) => (
          <textarea
            className="textarea input--mono"
            {...wiring}
            rows={8}
            spellCheck={false}
            value={draft.body}
            onChange={(event) => change(takeApart(event.target.value) ?? { body: event.target.value })}
          />
        )}
      </Field>
      {errors.general !== undefined && <FieldError message={errors.general} />}
      <div className="line">
        <Button look="primary" type="submit">
          Explain
        </Button>
        <Button look="quiet" onClick={() => change(NO_ERROR)}>
          Start over
        </Button>
      </div>
    </form>
  )
}

function Result({ failure }: { readonly failure: ExplainedFailure }) {
  const { title, about, wait, follows, next, decided } = explained(failure)
  const { kind, reason, scope, retryAfterMs, rule, consequences } = failure
  return (
    <div className="card__body stack stack--loose" role="status">
      <div className="stack stack--tight">
        <strong className="explain__title">{title}</strong>
        <p>{about}</p>
      </div>
      <section className="stack stack--tight" aria-label="How long, and what follows">
        <h3>How long, and what follows</h3>
        <p>{wait}</p>
        {follows.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
      </section>
      <section className="stack stack--tight" aria-label="What happens next">
        <h3>What happens next</h3>
        <p>{next}</p>
      </section>
      <section className="stack stack--tight" aria-label="Which rule decided">
        <h3>Which rule decided</h3>
        <p>{decided}</p>
      </section>
      <details className="more">
        <summary>In the words of the interface</summary>
        <dl className="facts more__body">
          <dt>kind</dt>
          <dd className="mono">{kind ?? 'null'}</dd>
          <dt>reason</dt>
          <dd className="mono">{reason}</dd>
          <dt>scope</dt>
          <dd className="mono">{scope}</dd>
          <dt>retryAfterMs</dt>
          <dd className="mono">{retryAfterMs ?? 'null'}</dd>
          <dt>rule</dt>
          <dd className="mono">{rule}</dd>
          <dt>lockout</dt>
          <dd className="mono">{consequences.lockout?.key ?? 'null'}</dd>
        </dl>
      </details>
      <p className="small muted">As if it were the first failure, with the settings and rules in force now.</p>
    </div>
  )
}
