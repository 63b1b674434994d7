import { NONE, valueOr } from '../../app/loadable'
import { usePushed } from '../../app/pushed'
import { Button } from '../../ui/button'
import { Segments } from '../../ui/field'
import { SettingsCard, WithViews } from '../settings/resilience-tab'
import { COOLDOWN_KEYS } from '../settings/resilience-words'
import { canClear, type Shown, selectedRows, shownRows } from './cooldown-rows'
import { CooldownTable } from './cooldown-table'
import { clearCooldowns, type Health, setFilter, useHealth } from './health-store'
import { ModelCooldowns } from './model-cooldowns'

const CHOICES: readonly { readonly value: Shown; readonly label: string }[] = [
  { value: 'out', label: 'Out' },
  { value: 'cooling_down', label: 'Resting' },
  { value: 'model_locked', label: 'Models rest' },
  { value: 'terminal', label: 'Needs you' },
  { value: 'all', label: 'All' },
]

/** What rests, and ending it by hand; and the settings that say how long. */
export function CooldownsTab({ health }: { readonly health: Health }) {
  const filter = useHealth(({ filter }) => filter)
  const rows = shownRows(health.connections, filter)
  return (
    <div className="stack stack--loose">
      <Filters health={health} />
      <CooldownTable rows={rows} filtered={filter.provider !== '' || filter.shown !== 'out'} />
      <ModelCooldowns provider={filter.provider} />
      <WithViews>
        {(views) => (
          <SettingsCard
            title="How long they rest"
            note="Felt at once. The other settings of cooldowns, breakers and waits are under Settings, Resilience."
            keys={COOLDOWN_KEYS}
            views={views}
          />
        )}
      </WithViews>
    </div>
  )
}

function Filters({ health: { connections } }: { readonly health: Health }) {
  const filter = useHealth(({ filter }) => filter)
  const selected = useHealth(({ selected }) => selected)
  const providers = usePushed(({ providers }) => valueOr(providers, NONE))
  const ids = new Set(connections.map(({ provider }) => provider))
  const rows = shownRows(connections, filter)
  const chosen = selectedRows(rows, selected)
  const { provider } = filter
  const ofProvider = connections.filter((row) => provider === '' || row.provider === provider).filter(canClear)
  const label = providers.find(({ id }) => id === provider)?.label ?? provider
  return (
    <div className="line line--wrap model-filters">
      <select
        className="select"
        aria-label="Provider"
        value={provider}
        onChange={(event) => setFilter({ provider: event.target.value })}
      >
        <option value="">All providers</option>
        {providers
          .filter(({ id }) => ids.has(id))
          .map(({ id, label }) => (
            <option key={id} value={id}>
              {label}
            </option>
          ))}
      </select>
      <Segments
        label="Which connections"
        value={filter.shown}
        choices={CHOICES}
        onChange={(shown) => setFilter({ shown })}
      />
      <span className="grow" />
      <Button
        look={chosen.length > 0 ? 'primary' : 'default'}
        disabled={chosen.length === 0}
        onClick={() => void clearCooldowns({ connectionIds: chosen.map(({ id }) => id) })}
      >
        {chosen.length > 0 ? `Clear ${chosen.length} selected` : 'Clear selected'}
      </Button>
      <Button
        disabled={ofProvider.length === 0}
        onClick={() => void clearCooldowns(provider === '' ? { all: true } : { all: true, provider })}
      >
        {provider === '' ? 'Clear all' : `Clear all of ${label}`}
      </Button>
    </div>
  )
}
