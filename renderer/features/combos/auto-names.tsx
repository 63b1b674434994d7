import { RotateCw } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { AutoVariantView, ComboExplanation } from '../../../core/contract/combo-views'
import { call } from '../../app/client'
import { CopyIcon } from '../../app/copy'
import { fromAnswer, type Loadable, loading } from '../../app/loadable'
import { sentence } from '../../app/sentence'
import { IconButton } from '../../ui/button'
import { FieldError } from '../../ui/field'
import { Waiting } from '../../ui/waiting'
import { plainNames, suffixesOf } from './auto-words'
import { targetName } from './order-words'

/** The names of `auto`, which choose among all models and need no combo: what each means, and whom it would ask now. */
export function AutoNames() {
  const [open, setOpen] = useState(false)
  return (
    <details className="more" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        Names that need no combo: <code>auto</code>, <code>auto/fast</code>, <code>auto/coding</code> and more
      </summary>
      {open && <Names />}
    </details>
  )
}

function Names() {
  const [variants, setVariants] = useState<Loadable<readonly AutoVariantView[]>>(loading)
  /** Counts looks at whom each would ask. */
  const [looks, setLooks] = useState(0)
  useEffect(() => {
    void call('combos:auto').then((answer) => setVariants(fromAnswer(answer)))
  }, [])
  return (
    <div className="more__body stack">
      <div className="line">
        <p className="small muted grow">
          Tools ask for them as models. Each chooses among all your models anew for every request. Your own combos and
          names come first.
        </p>
        <IconButton label="Look again whom they would ask" onClick={() => setLooks((count) => count + 1)}>
          <RotateCw size={14} strokeWidth={1.75} aria-hidden="true" />
        </IconButton>
      </div>
      {variants.at === 'loading' && <Waiting forWhat="the names" bars={5} />}
      {variants.at === 'failed' && <FieldError message={variants.error.message} />}
      {variants.at === 'ready' && <Variants variants={variants.value} looks={looks} />}
    </div>
  )
}

function Variants({ variants, looks }: { readonly variants: readonly AutoVariantView[]; readonly looks: number }) {
  return (
    <>
      <div className="card">
        <table className="table auto-names" aria-label="Names that need no combo">
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">What it chooses</th>
              <th scope="col">Would ask now</th>
            </tr>
          </thead>
          <tbody>
            {plainNames(variants).map((variant) => (
              <Variant key={variant.name} variant={variant} looks={looks} />
            ))}
          </tbody>
        </table>
      </div>
      <p className="small muted">
        The last ones can say more: <code>auto/coding{suffixesOf(variants)[0]}</code>, and likewise{' '}
        {suffixesOf(variants)
          .slice(1)
          .map((suffix, place) => (
            <span key={suffix}>
              {place > 0 && ', '}
              <code>{suffix}</code>
            </span>
          ))}
        .
      </p>
    </>
  )
}

function Variant({ variant: { name, help }, looks }: { readonly variant: AutoVariantView; readonly looks: number }) {
  return (
    <tr>
      <td>
        <div className="line">
          <code>{name}</code>
          <CopyIcon what={{ what: 'text', text: name }} label={`Copy ${name}`} />
        </div>
      </td>
      <td>{help}</td>
      <td className="breakable">
        <Leader name={name} looks={looks} />
      </td>
    </tr>
  )
}

type Said = { readonly model: string } | { readonly why: string }

/** The first whom a name would ask, or why nobody. */
function Leader({ name, looks }: { readonly name: string; readonly looks: number }) {
  const [said, setSaid] = useState<Said>({ why: '' })
  // biome-ignore lint/correctness/useExhaustiveDependencies: a person wants to see it anew
  useEffect(() => {
    let wanted = true
    void call('combos:explain', { id: name, most: 1 }).then((answer) => {
      if (wanted) setSaid(answer.ok ? leaderOf(answer.value) : { why: answer.error.message })
    })
    return () => {
      wanted = false
    }
  }, [name, looks])
  return 'model' in said ? <code>{said.model}</code> : <span className="muted">{said.why}</span>
}

function leaderOf({ ordered: [first], excluded: [out] }: ComboExplanation): Said {
  if (first !== undefined) return { model: targetName(first) }
  return { why: out === undefined ? 'Nobody: there is no model yet.' : `Nobody. ${sentence(out.why)}` }
}
