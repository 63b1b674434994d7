import { type FormEvent, useState } from 'react'
import type { ModelView } from '../../../core/contract/model-views'
import { call } from '../../app/client'
import { CopyIcon } from '../../app/copy'
import { messageAtField } from '../../app/error-words'
import { openTry } from '../../app/ui-state'
import { Button } from '../../ui/button'
import { Field, FieldError, Switch } from '../../ui/field'
import { SidePanel } from '../../ui/side-panel'
import { showToast } from '../../ui/toast-store'
import { useWizard } from '../wizard/wizard-state'
import { FactFields } from './fact-fields'
import { checkFacts, draftOf, type FactErrors, factField, type ModelDraft, toEdit, toEditAgain } from './model-draft'
import { adoptModel, dropModel, loadModels, openPanel } from './models-store'

const FORM = 'model-form'
const UNDO_MS = 8000
const close = () => openPanel(null)

interface Said {
  readonly errors: FactErrors
  readonly general: string | null
  readonly busy: boolean
}
const CLEAN: Said = { errors: {}, general: null, busy: false }

/** One model: what is known of it and from whom, and what the user says instead. */
export function ModelPanel({ model, providerLabel }: { readonly model: ModelView; readonly providerLabel: string }) {
  const [draft, setDraft] = useState<ModelDraft>(() => draftOf(model))
  const [said, setSaid] = useState(CLEAN)
  const edit = toEdit(draft, model)

  const change = (part: Partial<ModelDraft>) => {
    setDraft({ ...draft, ...part })
    setSaid(CLEAN)
  }
  const save = async (event: FormEvent) => {
    event.preventDefault()
    const errors = checkFacts(draft.facts)
    if (Object.keys(errors).length > 0) return setSaid({ ...CLEAN, errors })
    if (edit === null) return close()
    setSaid({ ...CLEAN, busy: true })
    const answer = await call('models:edit', edit)
    if (!answer.ok) {
      const field = factField(answer.error.field)
      const message = messageAtField(answer.error)
      return setSaid(field === null ? { ...CLEAN, general: message } : { ...CLEAN, errors: { [field]: message } })
    }
    adoptModel(answer.value)
    setDraft(draftOf(answer.value))
    setSaid(CLEAN)
    showToast({ text: `Saved what you say of ${model.id}.` })
  }
  const takeBack = async () => {
    if (await removeEdits(model)) setDraft(draftOf({ ...model, label: model.model }))
  }

  return (
    <SidePanel
      title={`${providerLabel} · ${model.label}`}
      subject={model.id}
      onClose={close}
      footer={
        <>
          {(model.added || model.edited) && (
            <Button look="danger" onClick={() => void takeBack()}>
              {model.added ? 'Delete' : 'Undo my edits'}
            </Button>
          )}
          <span className="grow" />
          <Button onClick={() => sendTo(model.id)}>Send a request</Button>
          <Button look="primary" type="submit" form={FORM} disabled={said.busy || edit === null}>
            {said.busy ? 'Saving…' : 'Save'}
          </Button>
        </>
      }
    >
      <form id={FORM} className="stack stack--loose" onSubmit={(event) => void save(event)} noValidate>
        <div className="value-box">
          <code className="grow truncate" title={model.id}>
            {model.id}
          </code>
          <CopyIcon what={{ what: 'text', text: model.id }} label="Copy the name" />
        </div>
        <Visibility model={model} providerLabel={providerLabel} />
        <Field label="Shown as" help="Only here and in lists; tools go on asking for the name above.">
          {(wiring) => (
            <input
              className="input"
              {...wiring}
              value={draft.label}
              maxLength={200}
              onChange={(event) => change({ label: event.target.value })}
            />
          )}
        </Field>
        <p className="small muted">
          What you enter goes before what the provider and the table say. Empty a field to go back to them.
        </p>
        <FactFields
          facts={draft.facts}
          errors={said.errors}
          model={model}
          onChange={(part) => change({ facts: { ...draft.facts, ...part } })}
        />
        {said.general !== null && <FieldError message={said.general} />}
      </form>
    </SidePanel>
  )
}

function sendTo(model: string): void {
  useWizard.setState({ model })
  openTry()
}

/** A switch acts at once, without saving the form. */
function Visibility({ model, providerLabel }: { readonly model: ModelView; readonly providerLabel: string }) {
  const set = async (shown: boolean) => {
    const { provider, model: name } = model
    const answer = await call('models:edit', { provider, model: name, hidden: !shown })
    if (answer.ok) adoptModel(answer.value)
    else showToast({ text: answer.error.message, bad: true })
  }
  return (
    <div className="stack stack--tight">
      <div className="line line--spread">
        <span>{model.hidden ? 'Hidden from tools' : 'Shown to tools'}</span>
        <Switch label="Show this model to tools" checked={!model.hidden} onChange={(shown) => void set(shown)} />
      </div>
      <p className="small muted">
        {model.hidden
          ? 'It is in no list and is not found by its plain name. Its whole name still works.'
          : model.added
            ? `Added by you: ${providerLabel} does not list it.`
            : `Listed by ${providerLabel}.`}
      </p>
    </div>
  )
}

/** Gone at once; can be taken back for eight seconds. Says whether it was done. */
async function removeEdits(model: ModelView): Promise<boolean> {
  const { provider, model: name, added, id } = model
  const answer = await call('models:remove', { provider, model: name })
  if (!answer.ok) {
    showToast({ text: answer.error.message, bad: true })
    return false
  }
  if (added) {
    openPanel(null)
    dropModel(id)
  }
  await loadModels()
  showToast({
    text: added ? `Deleted model ${id}.` : `${id} is as its provider and the table say.`,
    forMs: UNDO_MS,
    action: { label: 'Undo', run: () => void sayAgain(model) },
  })
  return true
}

async function sayAgain(model: ModelView): Promise<void> {
  const { provider, model: name, added } = model
  if (added) {
    const back = await call('models:add', { provider, model: name })
    if (!back.ok) return showToast({ text: back.error.message, bad: true })
  }
  const answer = await call('models:edit', toEditAgain(model))
  if (answer.ok) adoptModel(answer.value)
  else showToast({ text: answer.error.message, bad: true })
}
