import { Loaded } from '../../app/loaded'
import './combos.css'
import { Plus } from 'lucide-react'
import { useEffect } from 'react'
import { PageFrame } from '../../app/page'
import { Button } from '../../ui/button'
import { followModels } from '../models/models-store'
import { AutoNames } from './auto-names'
import { ComboList } from './combo-list'
import { ComboPanel } from './combo-panel'
import { followCombos, loadCombos, NEW, openNewCombo, useCombos } from './combos-store'
import { EmptyCombos } from './empty-combos'

export function CombosPage() {
  useEffect(followCombos, [])
  useEffect(followModels, [])
  const combos = useCombos(({ combos }) => combos)
  const open = useCombos(({ open }) => open !== null)
  const none = combos.at === 'ready' && combos.value.length === 0
  return (
    <PageFrame
      title="Combos"
      action={
        <Button
          look={open || none ? 'default' : 'primary'}
          icon={<Plus size={16} strokeWidth={1.75} aria-hidden="true" />}
          disabled={combos.at !== 'ready'}
          onClick={() => openNewCombo()}
        >
          Add combo
        </Button>
      }
      panel={<Panel />}
    >
      <Loaded of={combos} what="the combos" bars={5} again={loadCombos}>
        {(value) => (none ? <EmptyCombos /> : <ComboList combos={value} />)}
      </Loaded>
      {combos.at === 'ready' && <AutoNames />}
    </PageFrame>
  )
}

function Panel() {
  const open = useCombos(({ open }) => open)
  const combo = useCombos(({ combos, open }) =>
    combos.at === 'ready' ? (combos.value.find(({ id }) => id === open) ?? null) : null,
  )
  if (open === null || (open !== NEW && combo === null)) return null
  return <ComboPanel key={open} id={open} combo={combo} />
}
