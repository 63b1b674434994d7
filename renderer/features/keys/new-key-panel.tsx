import { type FormEvent, useState } from 'react'
import type { ClientKeyView } from '../../../core/contract/views'
import { call } from '../../app/client'
import { CopyButton } from '../../app/copy'
import { messageAtField } from '../../app/error-words'
import { NONE, ready, valueOr } from '../../app/loadable'
import { setPushed, usePushed } from '../../app/pushed'
import { Button } from '../../ui/button'
import { Callout } from '../../ui/callout'
import { Field } from '../../ui/field'
import { SidePanel } from '../../ui/side-panel'

const FORM = 'key-form'

export async function createKey(name: string, manage: boolean) {
  const answer = await call('keys:create', { name, scopes: manage ? ['manage'] : [] })
  if (answer.ok) {
    const others = valueOr(usePushed.getState().keys, NONE).filter(({ id }) => id !== answer.value.id)
    setPushed({ keys: ready([...others, answer.value]) })
  }
  return answer
}

export function NewKeyPanel({ onClose }: { readonly onClose: () => void }) {
  const [name, setName] = useState('')
  const [manage, setManage] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const [made, setMade] = useState<ClientKeyView | null>(null)

  const save = async (event: FormEvent) => {
    event.preventDefault()
    if (name.trim() === '') return setError('Give the key a name, such as the tool that will use it.')
    setBusy(true)
    const answer = await createKey(name.trim(), manage)
    setBusy(false)
    if (answer.ok) setMade(answer.value)
    else setError(messageAtField(answer.error))
  }

  if (made !== null)
    return (
      <SidePanel
        title="New key"
        subject="made"
        onClose={onClose}
        footer={
          <>
            <span className="grow" />
            <Button onClick={onClose}>Done</Button>
          </>
        }
      >
        <div className="stack stack--loose">
          <Callout tone="ok" shape="check" title={`Key ${made.name} is made`}>
            <p>Copy it now and paste it into the tool. It can be copied until Breakwater quits, then never again.</p>
          </Callout>
          <div className="value-box">
            <code className="grow truncate">{made.mask}</code>
            <CopyButton small look="primary" what={{ what: 'client-key', keyId: made.id }} label="Copy" />
          </div>
        </div>
      </SidePanel>
    )

  return (
    <SidePanel
      title="New key"
      subject="new"
      onClose={onClose}
      footer={
        <>
          <span className="grow" />
          <Button look="primary" type="submit" form={FORM} disabled={busy}>
            {busy ? 'Making…' : 'Make key'}
          </Button>
        </>
      }
    >
      <form id={FORM} className="stack stack--loose" onSubmit={(event) => void save(event)} noValidate>
        <Field
          label="Name"
          error={error}
          help="One key a tool: then the log says who asked, and one can be deleted alone."
        >
          {(wiring) => (
            <input
              className="input"
              {...wiring}
              value={name}
              maxLength={100}
              placeholder="Claude Code"
              onChange={(event) => {
                setName(event.target.value)
                setError(null)
              }}
            />
          )}
        </Field>
        <label className="checkbox">
          <input type="checkbox" checked={manage} onChange={(event) => setManage(event.target.checked)} />
          <span className="stack stack--tight">
            <span>May manage the gateway</span>
            <span className="field__help">
              For scripts that change connections and settings. A tool that only asks models does not need it.
            </span>
          </span>
        </label>
      </form>
    </SidePanel>
  )
}
