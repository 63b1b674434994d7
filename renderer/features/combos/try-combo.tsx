import { Send } from 'lucide-react'
import { useState } from 'react'
import type { ComboTest, ComboView } from '../../../core/contract/combo-views'
import { call } from '../../app/client'
import { Button } from '../../ui/button'
import { Callout } from '../../ui/callout'
import { Field, FieldError } from '../../ui/field'
import { StateShape } from '../../ui/state-shape'
import { duration } from '../../ui/time'
import { Answer } from '../wizard/try-request'
import { useTry } from '../wizard/use-try'

const PROMPT = 'Say hello, and in one sentence what a breakwater is for.'

/** A real request for the combo, and a small one to each of its steps. */
export function TryCombo({ combo, edited }: { readonly combo: ComboView; readonly edited: boolean }) {
  const [prompt, setPrompt] = useState(PROMPT)
  const { state, send } = useTry()
  const busy = state.at === 'sending' || state.at === 'arriving'
  // A form of its own would stand inside the one of the combo: Enter in a text of several lines sends nothing anyway.
  return (
    <section className="stack" aria-label="Try it">
      <h3>Try it</h3>
      {edited && <p className="small muted">It is tried as it was saved last.</p>}
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
      <div className="line line--wrap">
        <Button
          disabled={busy || prompt.trim() === ''}
          icon={<Send size={16} strokeWidth={1.75} aria-hidden="true" />}
          onClick={() => send(`combo/${combo.name}`, prompt, 'openai-chat')}
        >
          {busy ? 'Sending…' : 'Send'}
        </Button>
        <span className="small muted">A real request; it may cost.</span>
      </div>
      <Answer state={state} />
      <StepTest combo={combo} />
    </section>
  )
}

type TestState =
  | { readonly at: 'idle' | 'running' }
  | { readonly at: 'done'; readonly test: ComboTest }
  | { readonly at: 'failed'; readonly message: string }

function StepTest({ combo }: { readonly combo: ComboView }) {
  const [state, setState] = useState<TestState>({ at: 'idle' })
  const run = async () => {
    setState({ at: 'running' })
    const answer = await call('combos:test', { id: combo.id })
    setState(answer.ok ? { at: 'done', test: answer.value } : { at: 'failed', message: answer.error.message })
  }
  return (
    <div className="stack" aria-live="polite">
      <div className="line line--wrap">
        <Button disabled={state.at === 'running'} onClick={() => void run()}>
          {state.at === 'running' ? 'Asking every step…' : 'Test every step'}
        </Button>
        <span className="small muted">One small request to each.</span>
      </div>
      {state.at === 'failed' && <FieldError message={state.message} />}
      {state.at === 'done' && <Tested test={state.test} />}
    </div>
  )
}

function Tested({ test: { ok, message, steps } }: { readonly test: ComboTest }) {
  return (
    <Callout tone={ok ? 'ok' : 'down'} shape={ok ? 'check' : 'cross'} title={message}>
      <ul className="order">
        {steps.map((step) => (
          <li key={step.step} className="order__row">
            <span className={`order__mark state state--${step.ok ? 'ok' : 'down'}`}>
              <StateShape shape={step.ok ? 'check' : 'cross'} />
              <span className="visually-hidden">{step.ok ? 'Answered' : 'Failed'}</span>
            </span>
            <div className="order__body">
              <code className="breakable">{step.name}</code>
              {step.targets.length === 0 && <p className="small">{step.message}</p>}
              {step.targets.map((target) => (
                <p key={target.target} className="small breakable">
                  {step.targets.length > 1 && <code>{target.target} </code>}
                  {target.message}{' '}
                  <span className="muted">
                    {[target.status, duration(target.ms), target.connectionName]
                      .filter((part) => part !== null)
                      .join(' · ')}
                  </span>
                </p>
              ))}
            </div>
          </li>
        ))}
      </ul>
    </Callout>
  )
}
