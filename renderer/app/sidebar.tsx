import { Activity, Boxes, Gauge, KeyRound, Layers, Plug, ScrollText, Settings } from 'lucide-react'
import type { ComponentType } from 'react'
import { Tooltip } from '../ui/tooltip'
import { HealthSummary } from './health-summary'
import { navigate, PAGES, type Page, useUi } from './ui-state'

const ICONS: Readonly<Record<Page, ComponentType<{ size: number; strokeWidth: number; 'aria-hidden': 'true' }>>> = {
  overview: Gauge,
  log: ScrollText,
  health: Activity,
  connections: Plug,
  models: Boxes,
  combos: Layers,
  keys: KeyRound,
  settings: Settings,
}

export const PAGE_TITLES: Readonly<Record<Page, string>> = {
  overview: 'Overview',
  log: 'Log',
  health: 'Health',
  connections: 'Connections',
  models: 'Models',
  combos: 'Combos',
  keys: 'Keys',
  settings: 'Settings',
}

export function Sidebar() {
  const page = useUi(({ page }) => page)
  return (
    <aside className="sidebar" aria-label="State and pages">
      <HealthSummary />
      <nav className="sidebar__pages" aria-label="Pages">
        {PAGES.map((entry) => {
          const Icon = ICONS[entry]
          return (
            <Tooltip key={entry} text={PAGE_TITLES[entry]}>
              <button
                type="button"
                className="sidebar__entry"
                aria-current={entry === page ? 'page' : undefined}
                onClick={() => navigate(entry)}
              >
                <Icon size={16} strokeWidth={1.75} aria-hidden="true" />
                <span className="sidebar__label">{PAGE_TITLES[entry]}</span>
              </button>
            </Tooltip>
          )
        })}
      </nav>
      <div className="sidebar__foot" aria-hidden="true">
        <BrandMark />
        <span className="sidebar__label">Breakwater</span>
      </div>
    </aside>
  )
}

/** An arc over a wave. */
export function BrandMark({ size = 18 }: { readonly size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 20 20" aria-hidden="true">
      <g fill="none" stroke="currentColor" strokeWidth="1.9" strokeLinecap="round">
        <path d="M3 11.4a7 7 0 0 1 14 0" />
        <path d="M2 15.8c1.35-1.5 2.65-1.5 4 0s2.65 1.5 4 0 2.65-1.5 4 0 2.65 1.5 4 0" />
      </g>
    </svg>
  )
}
