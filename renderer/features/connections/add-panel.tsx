import { type FormEvent, useEffect } from 'react'
import type { ProviderView } from '../../../core/contract/views'
import { useUi } from '../../app/ui-state'
import { Button } from '../../ui/button'
import { FieldError } from '../../ui/field'
import { SidePanel } from '../../ui/side-panel'
import { showToast } from '../../ui/toast-store'
import { ChosenProvider } from './chosen-provider'
import { ConnectionFields } from './connection-form'
import { FoundServers } from './found-servers'
import { ProviderPicker } from './provider-picker'
import { SignInFields } from './sign-in-fields'
import { forgetSignIn, useSignInOf } from './sign-in-store'
import { SignInProgress } from './sign-in-waiting'
import { TestOutcome } from './test-result'
import { useAddForm } from './use-add-form'

const FORM = 'connection-form'
const close = () => useUi.setState({ connectionPanel: null })
const showConnection = (id: string) => useUi.setState({ connectionPanel: { kind: 'edit', id } })

interface AddProps {
  readonly providers: readonly ProviderView[]
  /** Already chosen where the panel was opened from. */
  readonly provider: string | null
}

/** First the provider, from a list that can be searched; then what it needs. */
export function AddPanel({ providers, provider: asked }: AddProps) {
  const form = useAddForm(providers, asked)
  const { draft, provider, signIn } = form
  const progress = useSignInOf('add')
  const doneId = progress.at === 'done' ? progress.connectionId : null
  useEffect(() => {
    if (doneId === null) return
    forgetSignIn()
    showConnection(doneId)
  }, [doneId])

  if (progress.at === 'waiting')
    return (
      <SidePanel title="Add connection" subject="waiting" onClose={close}>
        <SignInProgress signIn={progress} />
      </SidePanel>
    )
  if (draft === null)
    return (
      <SidePanel title="Add connection" subject="choose" onClose={close} focusTitle={false}>
        <div className="stack stack--loose">
          <FoundServers providers={providers} onConnected={({ id }) => showConnection(id)} />
          <ProviderPicker providers={providers} onChoose={form.choose} focus />
        </div>
      </SidePanel>
    )

  const save = async (event: FormEvent) => {
    event.preventDefault()
    const saved = await form.save()
    if (saved === null) return
    showConnection(saved.id)
    showToast({ text: `Saved connection ${saved.name}.` })
  }
  return (
    <SidePanel
      title="Add connection"
      subject={draft.provider}
      onClose={close}
      footer={
        <>
          <span className="grow" />
          {signIn === null && (
            <Button onClick={form.runTest} disabled={form.plan?.kind !== 'test'}>
              Test
            </Button>
          )}
          <Button look="primary" type="submit" form={FORM} disabled={form.busy}>
            {form.saveWord}
          </Button>
        </>
      }
    >
      <form id={FORM} className="stack stack--loose" onSubmit={(event) => void save(event)} noValidate>
        <ChosenProvider provider={provider} chosen={draft.provider} onChange={form.chooseAgain} />
        <SignInProgress signIn={progress} />
        {signIn !== null && provider !== null && (
          <SignInFields {...{ signIn, provider }} errors={form.errors} connection={null} onChange={form.changeSignIn} />
        )}
        <ConnectionFields
          {...{ draft, provider }}
          errors={form.errors}
          editing={null}
          withPriority={signIn === null}
          onChange={form.change}
        />
        {form.plan?.kind === 'save-first' && <p className="small muted">{form.plan.why}</p>}
        {form.general !== null && <FieldError message={form.general} />}
        <TestOutcome state={form.test.state} />
      </form>
    </SidePanel>
  )
}
