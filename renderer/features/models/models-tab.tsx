import { RotateCw, Search } from 'lucide-react'
import { useMemo } from 'react'
import { NONE, valueOr } from '../../app/loadable'
import { Loaded } from '../../app/loaded'
import { usePushed } from '../../app/pushed'
import { openNewConnection } from '../../app/ui-state'
import { Button } from '../../ui/button'
import { Empty } from '../../ui/card'
import { Segments } from '../../ui/field'
import { count } from '../../ui/numbers'
import { ModelList } from './model-list'
import { modelRows, type Shown } from './model-rows'
import { loadModels, MOST_MODELS, type Models, refresh, setFilter, useModels } from './models-store'

const SHOWN: readonly { readonly value: Shown; readonly label: string }[] = [
  { value: 'all', label: 'All' },
  { value: 'edited', label: 'Edited' },
  { value: 'hidden', label: 'Hidden' },
]

export function ModelsTab() {
  const models = useModels(({ models }) => models)
  return (
    <Loaded of={models} what="the models" bars={9} again={loadModels}>
      {(value) => <Found models={value} />}
    </Loaded>
  )
}

function Found({ models: { models, total, tableDate } }: { readonly models: Models }) {
  const filter = useModels(({ filter }) => filter)
  const lists = useModels(({ lists }) => lists)
  const providers = usePushed(({ providers }) => valueOr(providers, NONE))
  const rows = useMemo(() => modelRows({ models, lists, providers }, filter), [models, lists, providers, filter])
  const isFiltered = filter.search.trim() !== '' || filter.shown !== 'all' || filter.provider !== ''
  return (
    <>
      <Filters />
      {total > MOST_MODELS && (
        <p className="small muted">
          There are more models than fit here: {count(models.length)} are shown. A search finds the others.
        </p>
      )}
      {rows.length > 0 ? (
        <ModelList rows={rows} />
      ) : (
        <div className="card page__fill">
          {isFiltered ? (
            <Empty text="No model matches.">
              <Button onClick={() => setFilter({ search: '', provider: '', shown: 'all' })}>Show all models</Button>
            </Empty>
          ) : (
            <Empty text="No models yet. Add a connection, and the models of its provider are listed here.">
              <Button look="primary" onClick={() => openNewConnection()}>
                Add connection
              </Button>
            </Empty>
          )}
        </div>
      )}
      <p className="small muted">
        Prices are US dollars for a million tokens. What no provider says of its models is from a table of {tableDate}.
      </p>
    </>
  )
}

function Filters() {
  const { search, provider, shown } = useModels(({ filter }) => filter)
  const models = useModels(({ models }) => valueOr(models, null)?.models ?? NONE)
  const lists = useModels(({ lists }) => lists)
  const providers = usePushed(({ providers }) => valueOr(providers, NONE))
  const busy = useModels(({ refreshing }) => refreshing.includes(''))
  const choices = useMemo(() => {
    const ids = new Set([...models, ...lists].map((each) => each.provider))
    return providers.filter(({ id }) => ids.has(id))
  }, [models, lists, providers])
  return (
    <div className="line line--wrap model-filters">
      <div className="search">
        <Search size={16} strokeWidth={1.75} aria-hidden="true" />
        <input
          id="model-search"
          type="search"
          className="input"
          placeholder="Name or part of it"
          aria-label="Search the models"
          value={search}
          onChange={(event) => setFilter({ search: event.target.value })}
          onKeyDown={(event) => {
            if (event.key === 'Escape' && search !== '') {
              event.preventDefault()
              setFilter({ search: '' })
            }
          }}
        />
        {search === '' && (
          <kbd className="search__key" title="Key: /">
            /
          </kbd>
        )}
      </div>
      <select
        className="select"
        aria-label="Provider"
        value={provider}
        onChange={(event) => setFilter({ provider: event.target.value })}
      >
        <option value="">All providers</option>
        {choices.map(({ id, label }) => (
          <option key={id} value={id}>
            {label}
          </option>
        ))}
      </select>
      <Segments label="Which models" value={shown} choices={SHOWN} onChange={(value) => setFilter({ shown: value })} />
      <span className="grow" />
      <Button
        icon={<RotateCw size={16} strokeWidth={1.75} aria-hidden="true" className={busy ? 'turning' : undefined} />}
        disabled={busy || lists.length === 0}
        onClick={() => void refresh(null)}
      >
        {busy ? 'Fetching…' : 'Fetch all lists'}
      </Button>
    </div>
  )
}
