import './models.css'
import { Plus } from 'lucide-react'
import { Tabs } from 'radix-ui'
import { useEffect } from 'react'
import { NONE, valueOr } from '../../app/loadable'
import { PageFrame } from '../../app/page'
import { usePushed } from '../../app/pushed'
import { Button } from '../../ui/button'
import { AddModelPanel } from './add-model-panel'
import { ModelPanel } from './model-panel'
import { followModels, openPanel, useModels } from './models-store'
import { ModelsTab } from './models-tab'
import { NamePanel } from './name-panel'
import { NamesTab } from './names-tab'

const plus = <Plus size={16} strokeWidth={1.75} aria-hidden="true" />
const isTab = (text: string): text is 'models' | 'names' => text === 'models' || text === 'names'

export function ModelsPage() {
  useEffect(followModels, [])
  const tab = useModels(({ tab }) => tab)
  const broken = useModels(({ aliases }) => valueOr(aliases, NONE).filter(({ broken }) => broken !== null).length)
  return (
    <PageFrame title="Models" fixed action={<Action tab={tab} />} panel={<Panel />}>
      <Tabs.Root
        className="page-tabs page__fill"
        value={tab}
        onValueChange={(next) => isTab(next) && useModels.setState({ tab: next, panel: null })}
      >
        <Tabs.List className="tabs__list" aria-label="Models and names">
          <Tabs.Trigger value="models" className="tabs__tab">
            Models
          </Tabs.Trigger>
          <Tabs.Trigger value="names" className="tabs__tab">
            Names
            {broken > 0 && <span className="tabs__note">{broken} broken</span>}
          </Tabs.Trigger>
        </Tabs.List>
        <Tabs.Content value="models" className="page-tabs__content" tabIndex={-1}>
          <ModelsTab />
        </Tabs.Content>
        <Tabs.Content value="names" className="page-tabs__content page-tabs__scroll" tabIndex={-1}>
          <NamesTab />
        </Tabs.Content>
      </Tabs.Root>
    </PageFrame>
  )
}

function Action({ tab }: { readonly tab: 'models' | 'names' }) {
  const open = useModels(({ panel }) => panel !== null)
  const usable = useUsableProviders()
  const look = open ? 'default' : 'primary'
  if (tab === 'names')
    return (
      <Button look={look} icon={plus} onClick={() => openPanel({ kind: 'add-name', target: '' })}>
        Add name
      </Button>
    )
  return (
    <Button look={look} icon={plus} disabled={usable.length === 0} onClick={() => openPanel({ kind: 'add-model' })}>
      Add model
    </Button>
  )
}

/** Those that can have models of the user's: with a connection, and not the practice one. */
const useUsableProviders = () => {
  const providers = usePushed(({ providers }) => valueOr(providers, NONE))
  return providers.filter(({ id, connections }) => id !== 'practice' && connections.some(({ enabled }) => enabled))
}

function Panel() {
  const panel = useModels(({ panel }) => panel)
  const models = useModels(({ models }) => valueOr(models, null)?.models ?? NONE)
  const aliases = useModels(({ aliases }) => valueOr(aliases, NONE))
  const shownProvider = useModels(({ filter }) => filter.provider)
  const providers = usePushed(({ providers }) => valueOr(providers, NONE))
  const usable = useUsableProviders()
  switch (panel?.kind) {
    case undefined:
      return null
    case 'model': {
      const model = models.find(({ id }) => id === panel.id)
      if (model === undefined) return null
      const label = providers.find(({ id }) => id === model.provider)?.label ?? model.provider
      return <ModelPanel key={model.id} model={model} providerLabel={label} />
    }
    case 'add-model': {
      const first = usable.find(({ id }) => id === shownProvider) ?? usable[0]
      return first === undefined ? null : <AddModelPanel providers={usable} first={first.id} />
    }
    case 'name': {
      const alias = aliases.find(({ id }) => id === panel.id)
      return alias === undefined ? null : <NamePanel key={alias.id} alias={alias} target="" />
    }
    case 'add-name':
      return <NamePanel key="add-name" alias={null} target={panel.target} />
  }
}
