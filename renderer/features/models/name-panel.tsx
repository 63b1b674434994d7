import { Trash2 } from 'lucide-react'
import { type FormEvent, useId, useMemo, useState } from 'react'
import type { AliasView } from '../../../core/contract/model-views'
import { call } from '../../app/client'
import { NONE, valueOr } from '../../app/loadable'
import { usePushed } from '../../app/pushed'
import { Button } from '../../ui/button'
import { Callout } from '../../ui/callout'
import { Field, FieldError } from '../../ui/field'
import { SidePanel } from '../../ui/side-panel'
import { showToast } from '../../ui/toast-store'
import { adoptAlias, dropAlias, openPanel, useModels } from './models-store'
import {
  brokenWords,
  checkName,
  emptyName,
  type NameDraft,
  type NameErrors,
  nameDraftOf,
  placeNameError,
  suggestions,
  toAddName,
  toUpdateName,
} from './name-draft'

const FORM = 'name-form'
const UNDO_MS = 8000

interface NamePanelProps {
  /** null: a new one. */
  readonly alias: AliasView | null
  readonly target: string
}

/** What a tool asks for, what it gets, and for whom that holds. */
export function NamePanel({ alias, target }: NamePanelProps) {
  const [draft, setDraft] = useState<NameDraft>(() => (alias === null ? emptyName(target) : nameDraftOf(alias)))
  const [errors, setErrors] = useState<NameErrors>({})
  const [busy, setBusy] = useState(false)
  const update = alias === null ? null : toUpdateName(draft, alias)

  const change = (part: Partial<NameDraft>) => {
    setDraft({ ...draft, ...part })
    setErrors({})
  }
  const save = async (event: FormEvent) => {
    event.preventDefault()
    const found = checkName(draft)
    setErrors(found)
    if (Object.keys(found).length > 0) return
    if (alias !== null && update === null) return openPanel(null)
    setBusy(true)
    const answer = update === null ? await call('aliases:add', toAddName(draft)) : await call('aliases:update', update)
    setBusy(false)
    if (!answer.ok) return setErrors(placeNameError(answer.error))
    adoptAlias(answer.value)
    showToast({ text: `Saved name ${answer.value.pattern}.` })
    openPanel(answer.value.broken === null ? null : { kind: 'name', id: answer.value.id })
  }

  return (
    <SidePanel
      title={alias === null ? 'Add name' : alias.pattern}
      subject={alias?.id ?? 'add-name'}
      onClose={() => openPanel(null)}
      footer={
        <>
          {alias !== null && (
            <Button
              look="danger"
              icon={<Trash2 size={16} strokeWidth={1.75} aria-hidden="true" />}
              onClick={() => void removeName(alias)}
            >
              Delete
            </Button>
          )}
          <span className="grow" />
          <Button look="primary" type="submit" form={FORM} disabled={busy || (alias !== null && update === null)}>
            {busy ? 'Saving…' : 'Save'}
          </Button>
        </>
      }
    >
      <form id={FORM} className="stack stack--loose" onSubmit={(event) => void save(event)} noValidate>
        {alias !== null && alias.broken !== null && (
          <Callout tone="down" shape="square" title="It cannot be used now">
            <p>{brokenWords(alias)}</p>
          </Callout>
        )}
        <Field
          label="Name"
          error={errors.pattern ?? null}
          help={
            <>
              What a tool asks for. <code>*</code> stands for anything, <code>?</code> for one character:{' '}
              <code>claude-*</code>.
            </>
          }
        >
          {(wiring) => (
            <input
              className="input input--mono"
              {...wiring}
              value={draft.pattern}
              maxLength={256}
              spellCheck={false}
              onChange={(event) => change({ pattern: event.target.value })}
            />
          )}
        </Field>
        <TargetField value={draft.target} error={errors.target ?? null} onChange={(target) => change({ target })} />
        <KeyChoice value={draft.keyId} error={errors.keyId ?? null} onChange={(keyId) => change({ keyId })} />
        {errors.general !== undefined && <FieldError message={errors.general} />}
      </form>
    </SidePanel>
  )
}

interface PartProps {
  readonly value: string
  readonly error: string | null
  readonly onChange: (value: string) => void
}

function TargetField({ value, error, onChange }: PartProps) {
  const listId = useId()
  const models = useModels(({ models }) => valueOr(models, null)?.models ?? NONE)
  const names = useMemo(() => models.filter(({ hidden }) => !hidden).map(({ id }) => id), [models])
  return (
    <Field label="Leads to" error={error} help="provider/model, a model's plain name, or another name of yours.">
      {(wiring) => (
        <>
          <input
            className="input input--mono"
            {...wiring}
            list={listId}
            value={value}
            maxLength={256}
            spellCheck={false}
            placeholder="provider/model"
            onChange={(event) => onChange(event.target.value)}
          />
          <datalist id={listId}>
            {suggestions(names, value).map((name) => (
              <option key={name} value={name} />
            ))}
          </datalist>
        </>
      )}
    </Field>
  )
}

function KeyChoice({ value, error, onChange }: PartProps) {
  const keys = usePushed(({ keys }) => valueOr(keys, NONE))
  return (
    <Field label="For" error={error} help="A name for one key goes before the same name for all keys.">
      {(wiring) => (
        <select className="select" {...wiring} value={value} onChange={(event) => onChange(event.target.value)}>
          <option value="">All keys</option>
          {keys.map(({ id, name }) => (
            <option key={id} value={id}>
              Only {name}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

/** Gone at once; can be taken back for eight seconds. */
async function removeName(alias: AliasView): Promise<void> {
  const answer = await call('aliases:remove', { id: alias.id })
  if (!answer.ok) return showToast({ text: answer.error.message, bad: true })
  openPanel(null)
  dropAlias(alias.id)
  showToast({
    text: `Deleted name ${alias.pattern}.`,
    forMs: UNDO_MS,
    action: { label: 'Undo', run: () => void restoreName(alias) },
  })
}

async function restoreName(alias: AliasView): Promise<void> {
  const answer = await call('aliases:add', toAddName(nameDraftOf(alias)))
  if (answer.ok) adoptAlias(answer.value)
  else showToast({ text: answer.error.message, bad: true })
}
