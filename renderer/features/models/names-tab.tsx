import { Plus } from 'lucide-react'
import type { AliasView } from '../../../core/contract/model-views'
import { Loaded } from '../../app/loaded'
import { moveBetweenRows } from '../../ui/arrow-rows'
import { Button } from '../../ui/button'
import { Empty } from '../../ui/card'
import { StateBadge, type StateLook } from '../../ui/state-shape'
import { loadAliases, openPanel, useModels } from './models-store'
import { brokenWords } from './name-draft'

const WORKS: StateLook = { shape: 'check', tone: 'ok', word: 'Works' }
const BROKEN: StateLook = { shape: 'square', tone: 'down', word: 'Broken' }

export function NamesTab() {
  const aliases = useModels(({ aliases }) => aliases)
  return (
    <>
      <p className="muted">
        Names of your own. A tool asks for the name, and the gateway asks for the model it leads to. A name without{' '}
        <code>*</code> comes before everything else; a pattern counts where nothing has the name itself.
      </p>
      <Loaded of={aliases} what="the names" bars={5} again={loadAliases}>
        {(value) => <Names aliases={value} />}
      </Loaded>
    </>
  )
}

function Names({ aliases }: { readonly aliases: readonly AliasView[] }) {
  if (aliases.length === 0)
    return (
      <div className="card">
        <Empty text="No name yet. With one, a tool that knows only its own models reaches another: claude-* → openrouter/z-ai/glm-5.">
          <Button
            icon={<Plus size={16} strokeWidth={1.75} aria-hidden="true" />}
            onClick={() => openPanel({ kind: 'add-name', target: '' })}
          >
            Add name
          </Button>
        </Empty>
      </div>
    )
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrows move between the rows inside
    <div className="card names__card" onKeyDown={moveBetweenRows}>
      <table className="table names">
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">For</th>
            <th scope="col">Leads to</th>
            <th scope="col">State</th>
          </tr>
        </thead>
        <tbody>
          {aliases.map((alias) => (
            <NameRow key={alias.id} alias={alias} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function NameRow({ alias }: { readonly alias: AliasView }) {
  const { id, pattern, target, clientKey, clientKeyId, resolvesTo, broken } = alias
  const open = useModels(({ panel }) => panel?.kind === 'name' && panel.id === id)
  return (
    // The button in the row is the way by keyboard; the whole row is a larger target for the pointer.
    <tr data-openable="true" data-open={open} onClick={() => openPanel({ kind: 'name', id })}>
      <td>
        <button type="button" className="row-button mono" data-row aria-expanded={open}>
          {pattern}
        </button>
      </td>
      <td className={clientKeyId === null ? 'muted' : undefined}>
        {clientKeyId === null ? 'All keys' : (clientKey ?? 'a deleted key')}
      </td>
      <td className="mono">
        {target}
        {resolvesTo !== null && resolvesTo !== target && <span className="muted"> → {resolvesTo}</span>}
      </td>
      <td>
        <div className="line line--wrap">
          <StateBadge look={broken === null ? WORKS : BROKEN} />
          {broken !== null && <span className="muted">{brokenWords(alias)}</span>}
        </div>
      </td>
    </tr>
  )
}
