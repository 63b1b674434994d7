import './wizard.css'
import { useUi } from '../../app/ui-state'
import { SidePanel } from '../../ui/side-panel'
import { TryRequest } from './try-request'
import { useWizard } from './wizard-state'

/** A request from the window, beside the log it will appear in. */
export function TryPanel() {
  const model = useWizard(({ model }) => model)
  return (
    <SidePanel title="Send a request" subject="try" onClose={() => useUi.setState({ tryOpen: false })}>
      <TryRequest model={model} onModel={(model) => useWizard.setState({ model })} />
    </SidePanel>
  )
}
