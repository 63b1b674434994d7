import { FolderOpen } from 'lucide-react'
import { call } from '../../app/client'
import { valueOr } from '../../app/loadable'
import { usePushed } from '../../app/pushed'
import { useUi } from '../../app/ui-state'
import { Button } from '../../ui/button'
import { Card } from '../../ui/card'
import { Moment } from '../../ui/moment'
import { duration } from '../../ui/time'
import { showToast } from '../../ui/toast-store'

async function openDataFolder(): Promise<void> {
  const answer = await call('app:open-data-folder')
  if (!answer.ok) showToast({ text: answer.error.message, bad: true })
}

export function About() {
  const status = usePushed(({ gateway }) => valueOr(gateway, null))
  const surroundings = usePushed(({ surroundings }) => valueOr(surroundings, null))
  if (status === null) return null
  return (
    <Card title="About">
      <div className="card__body stack stack--loose">
        <dl className="facts">
          <dt>Version</dt>
          <dd>
            Breakwater {status.version}
            {surroundings !== null &&
              `, Electron ${surroundings.electron}${surroundings.developmentRuntime ? ' (development runtime)' : ''}`}
          </dd>
          <dt>Started</dt>
          <dd>
            <Moment at={status.startedAt} />
          </dd>
          <dt>Instance</dt>
          <dd>
            <code>{status.instanceId}</code>
          </dd>
          <dt>Data folder</dt>
          <dd>
            <code>{status.dataDir}</code>
          </dd>
          <dt>Event loop delay</dt>
          <dd>{duration(status.eventLoopDelayP99Ms)} (99 of 100 turns are faster)</dd>
          {surroundings !== null && (
            <>
              <dt>Tray</dt>
              <dd>{surroundings.trayVisible ? 'shown by this desktop' : 'not shown by this desktop'}</dd>
            </>
          )}
        </dl>
        <div className="line line--wrap">
          <Button
            icon={<FolderOpen size={16} strokeWidth={1.75} aria-hidden="true" />}
            onClick={() => void openDataFolder()}
          >
            Open the data folder
          </Button>
          <Button onClick={() => useUi.setState({ wizard: 'open' })}>Go through the first steps again</Button>
        </div>
      </div>
    </Card>
  )
}
