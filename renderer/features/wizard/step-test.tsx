import { valueOr } from '../../app/loadable'
import { usePushed } from '../../app/pushed'
import { Button } from '../../ui/button'
import { TestOutcome } from '../connections/test-result'
import { useTest } from '../connections/use-test'
import { clientNames } from './model-names'
import { useChosen } from './use-chosen'
import { NextButton, StepFrame } from './wizard'
import { goTo, useWizard } from './wizard-state'

const intro = 'One live call to the provider: it lists its models, which costs nothing.'

export function StepTest() {
  const loaded = usePushed(({ providers }) => valueOr(providers, null) !== null)
  const chosen = useChosen()
  const test = useTest()
  if (chosen === null)
    return (
      <StepFrame step="test" intro={intro} primary={<NextButton step="test" />}>
        {loaded && (
          <div className="stack">
            <p>There is no connection to test yet.</p>
            <div>
              <Button onClick={() => goTo('connection')}>Add a connection</Button>
            </div>
          </div>
        )}
      </StepFrame>
    )
  const { provider, connection } = chosen
  const passed = test.state.at === 'done' && test.state.result.ok
  const run = async () => {
    const result = await test.run({ id: connection.id })
    const first = result?.models[0]
    if (first !== undefined && useWizard.getState().model === `${provider.id}/`)
      useWizard.setState({ model: clientNames(provider.id, [first])[0] ?? '' })
  }
  return (
    <StepFrame step="test" intro={intro} primary={<NextButton step="test" primary={passed} />}>
      <div className="value-box">
        <span className="grow line">
          <strong className="truncate">{provider.label}</strong>
          <span className="muted truncate">{connection.name}</span>
          {connection.keyMask !== null && <code className="muted truncate">{connection.keyMask}</code>}
        </span>
        <Button
          small
          look={passed ? 'default' : 'primary'}
          disabled={test.state.at === 'running'}
          onClick={() => void run()}
        >
          Test
        </Button>
      </div>
      <TestOutcome state={test.state} />
      {test.state.at === 'done' && !test.state.result.ok && (
        <p className="muted">
          You can mend the connection now, or go on: it stays saved and can be mended under Connections.{' '}
          <button type="button" className="link-button" onClick={() => goTo('connection')}>
            Back to the connection
          </button>
        </p>
      )}
    </StepFrame>
  )
}
