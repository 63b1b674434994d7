import { type FormEvent, useState } from 'react'
import type { ProviderView } from '../../../core/contract/views'
import { call } from '../../app/client'
import { messageAtField } from '../../app/error-words'
import { Button } from '../../ui/button'
import { Field, FieldError } from '../../ui/field'
import { SidePanel } from '../../ui/side-panel'
import { showToast } from '../../ui/toast-store'
import { FactFields } from './fact-fields'
import { checkFacts, type FactErrors, factField, type ModelDraft, NO_FACTS, toAddModel } from './model-draft'
import { adoptModel, openPanel } from './models-store'

const FORM = 'add-model-form'

interface Said {
  readonly model: string | null
  readonly facts: FactErrors
  readonly general: string | null
  readonly busy: boolean
}
const CLEAN: Said = { model: null, facts: {}, general: null, busy: false }

/** For a model that its provider does not list. */
export function AddModelPanel({
  providers,
  first,
}: {
  readonly providers: readonly ProviderView[]
  readonly first: string
}) {
  const [provider, setProvider] = useState(first)
  const [name, setName] = useState('')
  const [draft, setDraft] = useState<ModelDraft>({ label: '', facts: NO_FACTS })
  const [said, setSaid] = useState(CLEAN)

  const save = async (event: FormEvent) => {
    event.preventDefault()
    const facts = checkFacts(draft.facts)
    const model = name.trim() === '' ? 'Enter the name the provider has for it.' : null
    if (model !== null || Object.keys(facts).length > 0) return setSaid({ ...CLEAN, model, facts })
    setSaid({ ...CLEAN, busy: true })
    const answer = await call('models:add', toAddModel(provider, name, draft))
    if (answer.ok) {
      adoptModel(answer.value)
      showToast({ text: `Added model ${answer.value.id}.` })
      return openPanel({ kind: 'model', id: answer.value.id })
    }
    const message = messageAtField(answer.error)
    const field = factField(answer.error.field)
    if (answer.error.field === 'model') setSaid({ ...CLEAN, model: message })
    else setSaid(field === null ? { ...CLEAN, general: message } : { ...CLEAN, facts: { [field]: message } })
  }

  return (
    <SidePanel
      title="Add model"
      subject="add-model"
      onClose={() => openPanel(null)}
      footer={
        <>
          <span className="grow" />
          <Button look="primary" type="submit" form={FORM} disabled={said.busy}>
            {said.busy ? 'Saving…' : 'Save'}
          </Button>
        </>
      }
    >
      <form id={FORM} className="stack stack--loose" onSubmit={(event) => void save(event)} noValidate>
        <Field label="Provider">
          {(wiring) => (
            <select
              className="select"
              {...wiring}
              value={provider}
              onChange={(event) => setProvider(event.target.value)}
            >
              {providers.map(({ id, label }) => (
                <option key={id} value={id}>
                  {label}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field
          label="Model"
          error={said.model}
          help={`As the provider calls it. Tools write ${provider}/ and this name.`}
        >
          {(wiring) => (
            <input
              className="input input--mono"
              {...wiring}
              value={name}
              maxLength={256}
              spellCheck={false}
              onChange={(event) => {
                setName(event.target.value)
                setSaid(CLEAN)
              }}
            />
          )}
        </Field>
        <Field label="Shown as (optional)">
          {(wiring) => (
            <input
              className="input"
              {...wiring}
              value={draft.label}
              maxLength={200}
              onChange={(event) => setDraft({ ...draft, label: event.target.value })}
            />
          )}
        </Field>
        <FactFields
          facts={draft.facts}
          errors={said.facts}
          model={null}
          onChange={(part) => {
            setDraft({ ...draft, facts: { ...draft.facts, ...part } })
            setSaid(CLEAN)
          }}
        />
        {said.general !== null && <FieldError message={said.general} />}
      </form>
    </SidePanel>
  )
}
