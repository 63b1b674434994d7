import { Loaded } from '../../app/loaded'
import './health.css'
import { Tabs } from 'radix-ui'
import { type ReactNode, useEffect } from 'react'
import { NONE, valueOr } from '../../app/loadable'
import { PageFrame } from '../../app/page'
import { Button } from '../../ui/button'
import { loadResilience } from '../settings/resilience-store'
import { shownRows } from './cooldown-rows'
import { CooldownsTab } from './cooldowns-tab'
import { ExplainTab } from './explain-tab'
import { followHealth, type Health, type HealthTab, loadHealth, resetBreakers, useHealth } from './health-store'
import { ProvidersTab } from './providers-tab'

const TABS: readonly { readonly value: HealthTab; readonly label: string }[] = [
  { value: 'providers', label: 'Providers' },
  { value: 'cooldowns', label: 'Cooldowns' },
  { value: 'explain', label: 'Paste an error' },
]
const isTab = (text: string): text is HealthTab => TABS.some(({ value }) => value === text)

export function HealthPage() {
  const tab = useHealth(({ tab }) => tab)
  const health = useHealth(({ health }) => health)
  useEffect(() => {
    // How many failures open a breaker.
    void loadResilience()
    return followHealth()
  }, [])
  const { connections, breakers } = valueOr(health, null) ?? { connections: NONE, breakers: NONE }
  const out = shownRows(connections, { provider: '', shown: 'out' }).length
  const isOpen = breakers.some(({ state, failureCount }) => state !== 'CLOSED' || failureCount > 0)
  return (
    <PageFrame
      title="Health"
      action={
        <Button disabled={!isOpen} onClick={() => void resetBreakers(null)}>
          Reset all breakers
        </Button>
      }
    >
      <Tabs.Root
        className="stack stack--loose"
        value={tab}
        onValueChange={(next) => isTab(next) && useHealth.setState({ tab: next })}
      >
        <Tabs.List className="tabs__list" aria-label="Health">
          {TABS.map(({ value, label }) => (
            <Tabs.Trigger key={value} value={value} className="tabs__tab">
              {label}
              {value === 'cooldowns' && out > 0 && <span className="tabs__note tabs__note--warn">{out} out</span>}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        <Tabs.Content value="providers" tabIndex={-1}>
          <WithHealth>{(shown) => <ProvidersTab health={shown} />}</WithHealth>
        </Tabs.Content>
        <Tabs.Content value="cooldowns" tabIndex={-1}>
          <WithHealth>{(shown) => <CooldownsTab health={shown} />}</WithHealth>
        </Tabs.Content>
        <Tabs.Content value="explain" tabIndex={-1}>
          <ExplainTab />
        </Tabs.Content>
      </Tabs.Root>
    </PageFrame>
  )
}

function WithHealth({ children }: { readonly children: (health: Health) => ReactNode }) {
  const health = useHealth(({ health }) => health)
  return (
    <Loaded of={health} what="the state of health" bars={9} again={loadHealth}>
      {children}
    </Loaded>
  )
}
