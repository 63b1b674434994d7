import { type ReactNode, useEffect } from 'react'
import type { ResilienceSettingView } from '../../../core/contract/resilience-merge'
import type { ResilienceKey } from '../../../core/contract/resilience-settings'
import { Loaded } from '../../app/loaded'
import { Card } from '../../ui/card'
import { followHealth } from '../health/health-store'
import { ModelCooldowns } from '../health/model-cooldowns'
import { ResilienceRow } from './resilience-row'
import { loadResilience, useResilience } from './resilience-store'
import { groupNote, keysOf, MODEL_LOCKOUT, RESILIENCE_GROUPS } from './resilience-words'

/** Drawn from the table of resilience settings: a new row there is a new row here. */
export function ResilienceTab() {
  return (
    <WithViews>
      {(views) =>
        RESILIENCE_GROUPS.map((group) => (
          <SettingsCard key={group} title={group} note={groupNote(group)} keys={keysOf(group)} views={views} />
        ))
      }
    </WithViews>
  )
}

export function ModelLockoutTab() {
  useEffect(followHealth, [])
  return (
    <>
      <WithViews>
        {(views) => (
          <SettingsCard
            title={MODEL_LOCKOUT}
            note={groupNote(MODEL_LOCKOUT)}
            keys={keysOf(MODEL_LOCKOUT)}
            views={views}
          />
        )}
      </WithViews>
      <ModelCooldowns provider="" />
    </>
  )
}

interface SettingsCardProps {
  readonly title: string
  readonly note: string
  readonly keys: readonly ResilienceKey[]
  readonly views: readonly ResilienceSettingView[]
}

export function SettingsCard({ title, note, keys, views }: SettingsCardProps) {
  return (
    <Card title={title}>
      {note !== '' && <p className="settings__note muted">{note}</p>}
      {keys.map((key) => {
        const view = views.find((each) => each.key === key)
        return view === undefined ? null : <ResilienceRow key={key} settingKey={key} view={view} />
      })}
    </Card>
  )
}

/** What is in force, or that it is on its way, or why it is not here. */
export function WithViews({ children }: { readonly children: (views: readonly ResilienceSettingView[]) => ReactNode }) {
  const views = useResilience(({ views }) => views)
  useEffect(() => void loadResilience(), [])
  return (
    <Loaded of={views} what="the settings" bars={6} again={loadResilience}>
      {children}
    </Loaded>
  )
}
