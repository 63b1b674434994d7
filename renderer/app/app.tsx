import { CombosPage } from '../features/combos/combos-page'
import { ConnectionsPage } from '../features/connections/connections-page'
import { HealthPage } from '../features/health/health-page'
import { KeysPage } from '../features/keys/keys-page'
import { LogPage } from '../features/log/log-page'
import { ModelsPage } from '../features/models/models-page'
import { OverviewPage } from '../features/overview/overview-page'
import { SettingsPage } from '../features/settings/settings-page'
import { Wizard } from '../features/wizard/wizard'
import { Toasts } from '../ui/toasts'
import { TooltipProvider } from '../ui/tooltip'
import { CloseAsked, TrayHint } from './close-asked'
import { ErrorBoundary } from './error-boundary'
import { ListenerBanner } from './listener-banner'
import { useSetting } from './settings-value'
import { useShortcuts } from './shortcuts'
import { Sidebar } from './sidebar'
import { useTheme } from './theme'
import { type Page, useUi } from './ui-state'

export function App() {
  useTheme()
  useShortcuts()
  const wizard = useUi(({ wizard }) => wizard)
  const wizardDone = useSetting('wizardDone')
  const wizardOpen = wizard === 'open' || (wizard === 'auto' && wizardDone === false)
  return (
    <TooltipProvider delayDuration={400}>
      {wizardOpen ? <Wizard /> : <Window />}
      <Toasts />
      <CloseAsked />
      <TrayHint />
    </TooltipProvider>
  )
}

function Window() {
  const page = useUi(({ page }) => page)
  return (
    <div className="window">
      <Sidebar />
      <div className="content">
        {page !== 'overview' && <ListenerBanner />}
        <div className="content__row">
          <ErrorBoundary key={page}>
            <CurrentPage page={page} />
          </ErrorBoundary>
        </div>
      </div>
    </div>
  )
}

function CurrentPage({ page }: { readonly page: Page }) {
  switch (page) {
    case 'overview':
      return <OverviewPage />
    case 'log':
      return <LogPage />
    case 'health':
      return <HealthPage />
    case 'connections':
      return <ConnectionsPage />
    case 'models':
      return <ModelsPage />
    case 'combos':
      return <CombosPage />
    case 'keys':
      return <KeysPage />
    case 'settings':
      return <SettingsPage />
  }
}
