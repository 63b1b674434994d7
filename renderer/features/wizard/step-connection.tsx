import { useEffect, useState } from 'react'
import type { ConnectionView, ProviderView } from '../../../core/contract/views'
import { STATE_LOOKS } from '../../app/looks'
import { usePushed } from '../../app/pushed'
import { Button } from '../../ui/button'
import { FieldError } from '../../ui/field'
import { StateBadge } from '../../ui/state-shape'
import { Waiting } from '../../ui/waiting'
import { ChosenProvider } from '../connections/chosen-provider'
import { ConnectionFields } from '../connections/connection-form'
import { FoundServers } from '../connections/found-servers'
import { ProviderPicker } from '../connections/provider-picker'
import { SignInFields } from '../connections/sign-in-fields'
import { forgetSignIn, useSignInOf } from '../connections/sign-in-store'
import { SignInProgress } from '../connections/sign-in-waiting'
import { type AddForm, useAddForm } from '../connections/use-add-form'
import { StepFrame } from './wizard'
import { goTo, useWizard } from './wizard-state'

const PRACTICE = 'practice'

type Kind = 'practice' | 'own'

const KINDS: readonly { readonly kind: Kind; readonly label: string; readonly about: string }[] = [
  {
    kind: 'practice',
    label: 'Practice',
    about: 'No account and no network: Breakwater answers itself, and fails on purpose where you ask it to.',
  },
  {
    kind: 'own',
    label: 'My own account, key or server',
    about: 'A provider from the list, a model server on this machine, or any endpoint by its address.',
  },
]

export function StepConnection() {
  const providers = usePushed(({ providers }) => providers)
  if (providers.at !== 'ready')
    return (
      <StepFrame step="connection" intro="" primary={null}>
        {providers.at === 'loading' ? (
          <Waiting forWhat="the providers" bars={6} />
        ) : (
          <p className="muted">{providers.error.message}</p>
        )}
      </StepFrame>
    )
  return <ChooseAndSave providers={providers.value} />
}

function takeConnection(id: string, provider: string): void {
  useWizard.setState({ connectionId: id, model: provider === PRACTICE ? 'practice/echo' : `${provider}/` })
  goTo('test')
}

function ChooseAndSave({ providers }: { readonly providers: readonly ProviderView[] }) {
  const savedId = useWizard(({ connectionId }) => connectionId)
  const own = providers.flatMap(({ id, connections }) => (id === PRACTICE ? [] : connections))
  const [kind, setKind] = useState<Kind>(own.some(({ id }) => id === savedId) ? 'own' : 'practice')
  const [chosenId, setChosenId] = useState(savedId)
  const [another, setAnother] = useState(false)
  const form = useAddForm(providers, null)
  const progress = useSignInOf('add')
  const signedInId = progress.at === 'done' ? progress.connectionId : null
  const signedIn = own.find(({ id }) => id === signedInId)
  useEffect(() => {
    if (signedIn === undefined) return
    forgetSignIn()
    takeConnection(signedIn.id, signedIn.provider)
  }, [signedIn])

  const adds = kind === 'own' && (own.length === 0 || another || form.draft !== null)
  const goOn = async () => {
    if (adds) {
      const made = await form.save()
      if (made !== null) takeConnection(made.id, made.provider)
      return
    }
    const all = kind === 'own' ? own : (providers.find(({ id }) => id === PRACTICE)?.connections ?? [])
    const taken = all.find(({ id }) => id === chosenId) ?? all[0]
    if (taken === undefined) return goTo('test')
    takeConnection(taken.id, taken.provider)
  }

  return (
    <StepFrame
      step="connection"
      intro="A connection is one account, key or endpoint of a provider. You can add more later; when one fails, the next one answers."
      primary={
        <Button
          look="primary"
          disabled={adds && (form.draft === null || form.busy || progress.at === 'waiting')}
          onClick={() => void goOn()}
        >
          {adds ? addWord(form) : 'Next'}
        </Button>
      }
    >
      <fieldset className="choices">
        <legend className="visually-hidden">What to begin with</legend>
        {KINDS.map((each) => (
          <label key={each.kind} className="choice">
            <input type="radio" name="begin-with" checked={kind === each.kind} onChange={() => setKind(each.kind)} />
            <span className="choice__words">
              <strong>{each.label}</strong>
              <span className="small muted">{each.about}</span>
            </span>
          </label>
        ))}
      </fieldset>
      {kind === 'own' && !adds && (
        <Existing
          connections={own}
          {...{ providers, chosenId }}
          onChoose={setChosenId}
          onAnother={() => setAnother(true)}
        />
      )}
      {adds && <SignInProgress signIn={progress} />}
      {adds && progress.at !== 'waiting' && <Add {...{ providers, form }} onSubmit={() => void goOn()} />}
    </StepFrame>
  )
}

const addWord = ({ saveWord }: AddForm): string => (saveWord === 'Save' ? 'Save and next' : saveWord)

interface AddProps {
  readonly providers: readonly ProviderView[]
  readonly form: AddForm
  readonly onSubmit: () => void
}

function Add({ providers, form, onSubmit }: AddProps) {
  const { draft, provider, signIn, errors, general } = form
  if (draft === null)
    return (
      <div className="stack stack--loose">
        <FoundServers providers={providers} onConnected={({ id, provider }) => takeConnection(id, provider)} />
        <ProviderPicker providers={providers} onChoose={form.choose} />
      </div>
    )
  return (
    <form
      className="stack stack--loose"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      <ChosenProvider provider={provider} chosen={draft.provider} onChange={form.chooseAgain} />
      {signIn !== null && provider !== null && (
        <SignInFields {...{ signIn, errors, provider }} connection={null} onChange={form.changeSignIn} />
      )}
      <ConnectionFields {...{ draft, errors, provider }} editing={null} withPriority={false} onChange={form.change} />
      {general !== null && <FieldError message={general} />}
      <button type="submit" className="visually-hidden" tabIndex={-1} aria-hidden="true">
        Save and next
      </button>
    </form>
  )
}

interface ExistingProps {
  readonly connections: readonly ConnectionView[]
  readonly providers: readonly ProviderView[]
  readonly chosenId: string | null
  readonly onChoose: (id: string) => void
  readonly onAnother: () => void
}

/** Connections that are there already: one of them, or another. */
function Existing({ connections, providers, chosenId, onChoose, onAnother }: ExistingProps) {
  const chosen = connections.find(({ id }) => id === chosenId) ?? connections[0]
  return (
    <fieldset className="stack">
      <legend className="visually-hidden">Connections that are there</legend>
      {connections.map((connection) => (
        <label key={connection.id} className="checkbox">
          <input
            type="radio"
            name="connection"
            checked={connection === chosen}
            onChange={() => onChoose(connection.id)}
          />
          <span className="line">
            <strong className="truncate">
              {providers.find(({ id }) => id === connection.provider)?.label ?? connection.provider}
            </strong>
            <span className="truncate">{connection.name}</span>
            <code className="muted">{connection.keyMask}</code>
            <StateBadge look={STATE_LOOKS[connection.state]} />
          </span>
        </label>
      ))}
      <div>
        <Button small onClick={onAnother}>
          Add another
        </Button>
      </div>
    </fieldset>
  )
}
