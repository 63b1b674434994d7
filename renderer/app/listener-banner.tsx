import { Button } from '../ui/button'
import { StateShape } from '../ui/state-shape'
import { describeListener } from './describe-listener'
import { valueOr } from './loadable'
import { usePushed } from './pushed'
import { navigate } from './ui-state'

/** On every page but the first: that the gateway cannot be reached, and where that is told in full. */
export function ListenerBanner() {
  const gateway = usePushed(({ gateway }) => gateway)
  const status = valueOr(gateway, null)
  const words = status === null ? null : describeListener(status.listener)
  const title = gateway.at === 'failed' ? 'The window cannot reach the gateway' : words?.title
  if (title === undefined) return null
  const tone = words?.tone ?? 'down'
  return (
    <div className={`banner banner--${tone}`} role="status">
      <StateShape shape={words?.shape ?? 'cross'} />
      <span className="grow truncate">{title}.</span>
      <Button small onClick={() => navigate('overview')}>
        What to do
      </Button>
    </div>
  )
}
