import { Plus, Repeat, ShieldCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import { NONE, valueOr } from '../../app/loadable'
import { usePushed } from '../../app/pushed'
import { openNewConnection } from '../../app/ui-state'
import { Button } from '../../ui/button'
import { useModels } from '../models/models-store'
import { openNewCombo } from './combos-store'
import { type ReadyStart, readyStarts } from './ready-starts'

/** What a combo is, and two to begin with. */
export function EmptyCombos() {
  const providers = usePushed(({ providers }) => valueOr(providers, NONE))
  const models = useModels(({ models }) => valueOr(models, null)?.models ?? NONE)
  const { failOver, share, practice } = readyStarts(providers, models)
  return (
    <div className="card combos-empty">
      <div className="stack">
        <h2>One name for several models</h2>
        <p>
          A combo is a list of models under one name, and a rule for whom to ask first. A tool asks for the name as if
          it were a model; when one of the list cannot answer, the gateway asks another before the tool notices.
        </p>
      </div>
      <div className="combos-empty__starts">
        <Start start={failOver} icon={<ShieldCheck size={20} strokeWidth={1.75} aria-hidden="true" />} />
        <Start start={share} icon={<Repeat size={20} strokeWidth={1.75} aria-hidden="true" />} />
      </div>
      <div className="line line--wrap">
        <Button icon={<Plus size={16} strokeWidth={1.75} aria-hidden="true" />} onClick={() => openNewCombo()}>
          Begin with an empty one
        </Button>
        {practice && (
          <span className="small muted">
            For a combo of your own accounts, two providers with a connection are needed.{' '}
            <button type="button" className="link-button" onClick={() => openNewConnection()}>
              Add connection
            </button>
          </span>
        )}
      </div>
    </div>
  )
}

function Start({ start: { title, about, draft }, icon }: { readonly start: ReadyStart; readonly icon: ReactNode }) {
  return (
    <button type="button" className="combos-start" onClick={() => openNewCombo(draft)}>
      {icon}
      <span className="combos-start__words">
        <strong>{title}</strong>
        <span className="small muted">{about}</span>
      </span>
    </button>
  )
}
