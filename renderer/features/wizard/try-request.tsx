import { Send } from 'lucide-react'
import { type FormEvent, useId, useState } from 'react'
import { NONE, valueOr } from '../../app/loadable'
import { usePushed } from '../../app/pushed'
import { outcomeSentence } from '../../app/request-words'
import { Button } from '../../ui/button'
import { Callout } from '../../ui/callout'
import { Field } from '../../ui/field'
import { StateShape } from '../../ui/state-shape'
import { duration } from '../../ui/time'
import { PRACTICE_MODELS } from '../connections/practice-models'
import { Attempts } from '../log/attempts'
import { dialectFor } from './model-names'
import { type TryState, useTry } from './use-try'

const PROMPT = 'Say hello, and in one sentence what a breakwater is for.'
const PRACTICE_NAMES = PRACTICE_MODELS.map(({ id }) => `practice/${id}`)

interface TryProps {
  readonly model: string
  /** Suggested besides the practice models. */
  readonly models?: readonly string[]
  readonly onModel?: (model: string) => void
  readonly onDone?: () => void
}

/** Sends a real request and shows it arrive, then the way it took. */
export function TryRequest({ model: first, models = [], onModel }: TryProps) {
  const providers = usePushed(({ providers }) => valueOr(providers, NONE))
  const [model, setModel] = useState(first)
  const [prompt, setPrompt] = useState(PROMPT)
  const { state, send } = useTry()
  const listId = useId()
  const busy = state.at === 'sending' || state.at === 'arriving'
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (model.trim() === '' || prompt.trim() === '') return
    send(model.trim(), prompt, dialectFor(model.trim(), providers))
  }
  return (
    <div className="stack stack--loose">
      <form className="stack" onSubmit={submit}>
        <Field label="Model" help={practiceHelp(model) ?? 'provider/model, as a tool would write it.'}>
          {(wiring) => (
            <>
              <input
                className="input input--mono"
                {...wiring}
                list={listId}
                spellCheck={false}
                value={model}
                maxLength={200}
                onChange={(event) => {
                  setModel(event.target.value)
                  onModel?.(event.target.value)
                }}
              />
              <datalist id={listId}>
                {[...new Set([...models, ...PRACTICE_NAMES])].map((name) => (
                  <option key={name} value={name} />
                ))}
              </datalist>
            </>
          )}
        </Field>
        <Field label="Prompt">
          {(wiring) => (
            <textarea
              className="textarea"
              {...wiring}
              value={prompt}
              maxLength={4000}
              onChange={(event) => setPrompt(event.target.value)}
            />
          )}
        </Field>
        <div>
          <Button
            look={state.at === 'done' && state.error === null ? 'default' : 'primary'}
            type="submit"
            disabled={busy || model.trim() === '' || prompt.trim() === ''}
            icon={<Send size={16} strokeWidth={1.75} aria-hidden="true" />}
          >
            {busy ? 'Sending…' : 'Send'}
          </Button>
        </div>
      </form>
      <Answer state={state} />
    </div>
  )
}

function practiceHelp(model: string): string | null {
  const practice = PRACTICE_MODELS.find(({ id }) => `practice/${id}` === model)
  return practice === undefined ? null : practice.shows
}

export function Answer({ state }: { readonly state: TryState }) {
  if (state.at === 'idle') return null
  return (
    <section className="stack" aria-label="Answer">
      <div className="answer" aria-live="polite" aria-busy={state.at !== 'done'}>
        {state.text === '' && state.at !== 'done' ? (
          <span className="line muted">
            <StateShape shape="dashed" /> Waiting for the first word
          </span>
        ) : (
          state.text || <span className="muted">No word arrived.</span>
        )}
        {state.at === 'arriving' && <span className="answer__caret" aria-hidden="true" />}
      </div>
      {state.at === 'done' && state.error !== null && (
        <Callout tone="down" shape="cross" title="The request ended with an error" alert>
          <p>{state.error}</p>
        </Callout>
      )}
      {state.request !== null && (
        <div className="stack">
          <h2>In the log</h2>
          <p className="muted small">
            {outcomeSentence(state.request)}
            {state.request.firstByteMs !== null && ` First byte after ${duration(state.request.firstByteMs)},`} complete
            after {duration(state.request.totalMs)}.
          </p>
          <Attempts attempts={state.request.attempts} />
        </div>
      )}
    </section>
  )
}
