import { Button } from '../../ui/button'
import { TryRequest } from './try-request'
import { leaveWizard, StepFrame } from './wizard'
import { useWizard } from './wizard-state'

export function StepSend() {
  const model = useWizard(({ model }) => model)
  return (
    <StepFrame
      step="send"
      intro="A real request through the gateway's own port, as your tool will send it. Choose practice/down to see the second connection take over."
      primary={
        <Button look="primary" onClick={() => leaveWizard(true)}>
          Finish
        </Button>
      }
    >
      <TryRequest model={model} onModel={(model) => useWizard.setState({ model })} />
    </StepFrame>
  )
}
