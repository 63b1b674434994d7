import { Loaded } from '../../app/loaded'
import './settings.css'
import { Tabs } from 'radix-ui'
import type { SettingGroup } from '../../../core/contract/setting-fields'
import { isSettingKey, SETTINGS } from '../../../core/contract/settings'
import type { SettingView } from '../../../core/contract/views'
import { reload } from '../../app/connect'
import { PageFrame } from '../../app/page'
import { usePushed } from '../../app/pushed'
import { Card } from '../../ui/card'
import { About } from './about'
import { ModelLockoutTab, ResilienceTab } from './resilience-tab'
import { RulePanel } from './rule-panel'
import { openRule, useRules } from './rules-store'
import { RulesTab } from './rules-tab'
import { SettingRow } from './setting-row'
import { GROUPS } from './setting-words'
import { VaultCard } from './vault'

/** The first is the app itself; the others are about failures. */
const TABS = [
  { value: 'general', label: 'General', Content: GeneralTab },
  { value: 'resilience', label: 'Resilience', Content: ResilienceTab },
  { value: 'model-lockout', label: 'Model lockout', Content: ModelLockoutTab },
  { value: 'error-rules', label: 'Error rules', Content: RulesTab },
] as const

export function SettingsPage() {
  const panel = useRules(({ panel }) => panel)
  return (
    <PageFrame title="Settings" panel={panel !== null && <RulePanel panel={panel} />}>
      <Tabs.Root className="stack stack--loose" defaultValue="general" onValueChange={() => openRule(null)}>
        <Tabs.List className="tabs__list" aria-label="Settings">
          {TABS.map(({ value, label }) => (
            <Tabs.Trigger key={value} value={value} className="tabs__tab">
              {label}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        {TABS.map(({ value, Content }) => (
          <Tabs.Content key={value} value={value} className="settings" tabIndex={-1}>
            <Content />
          </Tabs.Content>
        ))}
      </Tabs.Root>
    </PageFrame>
  )
}

/** Drawn from the settings table: a new row there is a new row here. */
function GeneralTab() {
  const settings = usePushed(({ settings }) => settings)
  return (
    <>
      <Loaded of={settings} what="the settings" bars={9} again={reload}>
        {(value) => GROUPS.map((group) => <Group key={group} group={group} settings={value} />)}
      </Loaded>
      <VaultCard />
      <About />
    </>
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
