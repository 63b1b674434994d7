import './settings.css'
import type { SettingGroup } from '../../../core/contract/setting-fields'
import { isSettingKey, SETTINGS } from '../../../core/contract/settings'
import type { SettingView } from '../../../core/contract/views'
import { reload } from '../../app/connect'
import { PageFrame } from '../../app/page'
import { usePushed } from '../../app/pushed'
import { Button } from '../../ui/button'
import { Callout } from '../../ui/callout'
import { Card } from '../../ui/card'
import { Waiting } from '../../ui/waiting'
import { About } from './about'
import { SettingRow } from './setting-row'
import { GROUPS } from './setting-words'
import { VaultCard } from './vault'

/** Drawn from the settings table: a new row there is a new row here. */
export function SettingsPage() {
  const settings = usePushed(({ settings }) => settings)
  return (
    <PageFrame title="Settings">
      {settings.at === 'loading' && (
        <div className="card">
          <Waiting forWhat="the settings" bars={9} />
        </div>
      )}
      {settings.at === 'failed' && (
        <Callout
          tone="down"
          shape="cross"
          title="The settings could not be read"
          actions={<Button onClick={reload}>Try again</Button>}
        >
          <p>{settings.error.message}</p>
        </Callout>
      )}
      <div className="settings">
        {settings.at === 'ready' &&
          GROUPS.map((group) => <Group key={group} group={group} settings={settings.value} />)}
        <VaultCard />
        <About />
      </div>
    </PageFrame>
  )
}

function Group({ group, settings }: { readonly group: SettingGroup; readonly settings: readonly SettingView[] }) {
  const rows = settings.flatMap((view) => {
    const field = isSettingKey(view.key) ? SETTINGS[view.key] : null
    return field !== null && field.group === group ? [{ view, field }] : []
  })
  if (rows.length === 0) return null
  return (
    <Card title={group}>
      {rows.map(({ view, field }) => (
        <SettingRow key={view.key} field={field} view={view} />
      ))}
    </Card>
  )
}
