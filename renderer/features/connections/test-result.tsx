import { Callout } from '../../ui/callout'
import { counted } from '../../ui/numbers'
import { StateShape } from '../../ui/state-shape'
import { duration } from '../../ui/time'
import { useNow } from '../../ui/use-now'
import type { TestState } from './use-test'

const WORDS_AFTER_MS = 2000

/** What a live test found: status, time, models and the sentence that says what to do. */
export function TestOutcome({ state }: { readonly state: TestState }) {
  switch (state.at) {
    case 'idle':
      return null
    case 'running':
      return <Running since={state.since} />
    case 'failed':
      return (
        <Callout tone="down" shape="cross" title="The test could not be made" alert>
          <p>{state.message}</p>
        </Callout>
      )
    case 'done': {
      const { ok, status, ms, message, models } = state.result
      const facts = [
        status === null ? 'no status' : `status ${status}`,
        duration(ms),
        ...(models.length > 0 ? [counted(models.length, 'model')] : []),
      ]
      return (
        <Callout
          tone={ok ? 'ok' : 'down'}
          shape={ok ? 'check' : 'cross'}
          title={ok ? 'It answers' : 'It does not answer'}
          alert
        >
          <p className="small muted">{facts.join(' · ')}</p>
          <p>{message}</p>
          {models.length > 0 && (
            <details className="models">
              <summary>Models</summary>
              <ul className="models__list">
                {models.map((model) => (
                  <li key={model}>
                    <code>{model}</code>
                  </li>
                ))}
              </ul>
            </details>
          )}
        </Callout>
      )
    }
  }
}

function Running({ since }: { readonly since: number }) {
  const waited = useNow() - since
  return (
    <div className="callout" role="status">
      <StateShape shape="dashed" />
      <p>
        {waited < WORDS_AFTER_MS
          ? 'Asking the provider…'
          : `Waiting for the provider to answer, ${duration(waited)} so far.`}
      </p>
    </div>
  )
}
