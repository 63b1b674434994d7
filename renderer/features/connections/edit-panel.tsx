import { Trash2 } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import type { ConnectionView, ProviderView } from '../../../core/contract/views'
import { call } from '../../app/client'
import { STATE_LOOKS } from '../../app/looks'
import { sentence } from '../../app/sentence'
import { useUi } from '../../app/ui-state'
import { Button } from '../../ui/button'
import { Callout } from '../../ui/callout'
import { FieldError, Switch } from '../../ui/field'
import { Moment } from '../../ui/moment'
import { SidePanel } from '../../ui/side-panel'
import { StateBadge } from '../../ui/state-shape'
import { showToast } from '../../ui/toast-store'
import { ConnectionFields } from './connection-form'
import { checkDraft, type Draft, type DraftErrors, draftOf, planTest, toUpdate } from './draft'
import { Login } from './login'
import { OutNow } from './out-now'
import { formFields, placeError } from './place-error'
import { QuotaCard } from './quota-card'
import { adoptConnection, removeConnection, setEnabled } from './save'
import { TestOutcome } from './test-result'
import { useTest } from './use-test'

const close = () => useUi.setState({ connectionPanel: null })
const FORM = 'connection-form'

interface FormState {
  readonly errors: DraftErrors
  readonly general: string | null
  readonly busy: boolean
}
const CLEAN: FormState = { errors: {}, general: null, busy: false }

interface EditProps {
  readonly connection: ConnectionView
  readonly provider: ProviderView
}

export function EditPanel({ connection, provider }: EditProps) {
  const [draft, setDraft] = useState<Draft>(() => draftOf(connection))
  const [form, setForm] = useState(CLEAN)
  const test = useTest()
  const practice = provider.id === 'practice'
  const situation = { provider, editing: connection }
  const update = toUpdate(draft, connection)
  const plan = planTest(draft, situation)

  const change = (part: Partial<Draft>) => {
    setDraft({ ...draft, ...part })
    setForm(CLEAN)
  }
  const save = async (event: FormEvent) => {
    event.preventDefault()
    const errors = checkDraft(draft, situation)
    if (Object.keys(errors).length > 0) return setForm({ ...CLEAN, errors })
    if (update === null) return close()
    setForm({ ...CLEAN, busy: true })
    const answer = await call('connections:update', update)
    if (!answer.ok) return setForm({ ...CLEAN, ...placeError(answer.error, formFields(provider)) })
    setForm(CLEAN)
    setDraft(draftOf(answer.value))
    adoptConnection(answer.value)
    showToast({ text: `Saved connection ${answer.value.name}.` })
  }

  return (
    <SidePanel
      title={`${provider.label} · ${connection.name}`}
      subject={connection.id}
      onClose={close}
      footer={
        <>
          {!practice && (
            <Button
              look="danger"
              icon={<Trash2 size={16} strokeWidth={1.75} aria-hidden="true" />}
              onClick={() => void removeConnection(connection, provider.label)}
            >
              Delete
            </Button>
          )}
          <span className="grow" />
          <Button
            onClick={() => plan.kind === 'test' && void test.run(plan.input)}
            disabled={plan.kind !== 'test' || test.state.at === 'running'}
          >
            Test
          </Button>
          {!practice && (
            <Button look="primary" type="submit" form={FORM} disabled={form.busy || update === null}>
              {form.busy ? 'Saving…' : 'Save'}
            </Button>
          )}
        </>
      }
    >
      <div className="stack stack--loose">
        <StateNow connection={connection} practice={practice} />
        <OutNow connection={connection} />
        <QuotaCard quota={connection.quota} />
        {(connection.login !== null || provider.signIn !== null) && <Login {...{ connection, provider }} />}
        <TestOutcome state={test.state} />
        <form id={FORM} className="stack stack--loose" onSubmit={(event) => void save(event)} noValidate>
          {practice ? (
            <p className="muted">
              Breakwater answers here itself, on this machine. Some of its models fail on the first connection on
              purpose, so that you see the second one take over.
            </p>
          ) : (
            <ConnectionFields
              {...{ draft, provider }}
              errors={form.errors}
              editing={connection}
              withPriority
              onChange={change}
            />
          )}
          {plan.kind === 'save-first' && <p className="small muted">{plan.why}</p>}
          {form.general !== null && <FieldError message={form.general} />}
        </form>
      </div>
    </SidePanel>
  )
}

function StateNow({ connection, practice }: { readonly connection: ConnectionView; readonly practice: boolean }) {
  // The sign-in's own section says more.
  const why = connection.login?.why === connection.why ? '' : connection.why
  return (
    <div className="stack">
      <div className="line line--spread">
        <StateBadge look={STATE_LOOKS[connection.state]} />
        {!practice && (
          <span className="line">
            <span className="muted">{connection.enabled ? 'In use' : 'Switched off'}</span>
            <Switch
              label="Use this connection"
              checked={connection.enabled}
              onChange={(enabled) => void setEnabled(connection, enabled)}
            />
          </span>
        )}
      </div>
      {why !== '' && <p className="muted">{sentence(why)}</p>}
      {connection.locked && connection.login === null && (
        <Callout tone="down" shape="square" title="The stored key cannot be opened">
          <p>
            It was sealed by a key store that does not answer now. It is kept. Unlock that store and start Breakwater
            again, or enter the key anew below.
          </p>
        </Callout>
      )}
      <p className="small muted">
        {connection.lastUsedAt === null ? (
          'Never used'
        ) : (
          <>
            Last used <Moment at={connection.lastUsedAt} />
          </>
        )}
        {' · '}
        {connection.inFlight} in flight
      </p>
    </div>
  )
}
