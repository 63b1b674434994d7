import { useState } from 'react'
import type { ConnectionView, ProviderView } from '../../../core/contract/views'
import { STATE_LOOKS } from '../../app/looks'
import { usePushed } from '../../app/pushed'
import { Button } from '../../ui/button'
import { FieldError } from '../../ui/field'
import { StateBadge } from '../../ui/state-shape'
import { Waiting } from '../../ui/waiting'
import { ConnectionFields } from '../connections/connection-form'
import { CUSTOM, checkDraft, type Draft, type DraftErrors, emptyDraft } from '../connections/draft'
import { addConnection, placeError } from '../connections/save'
import { StepFrame } from './wizard'
import { goTo, useWizard } from './wizard-state'

const PRACTICE = 'practice'

interface Choice {
  readonly id: string
  readonly label: string
  readonly about: string
}

const ABOUT: Readonly<Record<string, string>> = {
  practice: 'No account and no network: Breakwater answers itself, and fails on purpose where you ask it to.',
  openai: 'With an API key.',
  anthropic: 'With an API key.',
  openrouter: 'Many models with one API key.',
  ollama: 'Models on this machine. No key.',
}

const choicesOf = (providers: readonly ProviderView[]): readonly Choice[] => [
  ...[...providers]
    .sort((a, b) => Number(b.id === PRACTICE) - Number(a.id === PRACTICE))
    .map(({ id, label, baseUrl }) => ({ id, label, about: ABOUT[id] ?? baseUrl })),
  { id: CUSTOM['openai-chat'], label: 'OpenAI-compatible', about: 'Any endpoint that speaks OpenAI Chat.' },
  { id: CUSTOM.anthropic, label: 'Anthropic-compatible', about: 'Any endpoint that speaks Anthropic Messages.' },
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

const chooseModel = (connection: ConnectionView): void =>
  useWizard.setState({
    connectionId: connection.id,
    model: connection.provider === PRACTICE ? 'practice/echo' : `${connection.provider}/`,
  })

function ChooseAndSave({ providers }: { readonly providers: readonly ProviderView[] }) {
  const savedId = useWizard(({ connectionId }) => connectionId)
  const all = providers.flatMap(({ connections }) => connections)
  const saved = all.find(({ id }) => id === savedId)
  const [chosen, setChosen] = useState(saved?.provider ?? PRACTICE)
  const [draft, setDraft] = useState<Draft>(() => emptyDraft(chosen))
  const [errors, setErrors] = useState<DraftErrors>({})
  const [general, setGeneral] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const [another, setAnother] = useState(false)

  const provider = providers.find(({ id }) => id === chosen) ?? null
  const existing = provider?.connections ?? []
  const asksForm = chosen !== PRACTICE && (existing.length === 0 || another)

  const choose = (id: string) => {
    const taken = providers.find((each) => each.id === id)?.connections.map(({ name }) => name) ?? []
    setChosen(id)
    setDraft(emptyDraft(id, taken))
    setErrors({})
    setGeneral(null)
    setAnother(false)
  }
  const goOn = async () => {
    if (!asksForm) {
      const connection = existing.find(({ id }) => id === savedId) ?? existing[0]
      if (connection !== undefined) chooseModel(connection)
      return goTo('test')
    }
    const found = checkDraft(draft, { provider, editing: null })
    setErrors(found)
    setGeneral(null)
    if (Object.keys(found).length > 0) return
    setBusy(true)
    const { answer, draft: next } = await addConnection(draft)
    setBusy(false)
    setChosen(next.provider)
    setDraft(next)
    if (answer.ok) {
      chooseModel(answer.value)
      return goTo('test')
    }
    setAnother(true)
    const placed = placeError(answer.error)
    setErrors(placed.errors)
    setGeneral(placed.general)
  }

  return (
    <StepFrame
      step="connection"
      intro="A connection is one account, key or endpoint of a provider. You can add more later; when one fails, the next one answers."
      primary={
        <Button look="primary" disabled={busy} onClick={() => void goOn()}>
          {busy ? 'Saving…' : asksForm ? 'Save and next' : 'Next'}
        </Button>
      }
    >
      <fieldset className="choices">
        <legend className="visually-hidden">Provider</legend>
        {choicesOf(providers).map(({ id, label, about }) => (
          <label key={id} className={id === PRACTICE ? 'choice choice--wide' : 'choice'}>
            <input type="radio" name="provider" value={id} checked={chosen === id} onChange={() => choose(id)} />
            <span className="choice__words">
              <strong className="truncate">{label}</strong>
              <span className="small muted">{about}</span>
            </span>
          </label>
        ))}
      </fieldset>
      {chosen !== PRACTICE && existing.length > 0 && !another && (
        <Existing connections={existing} onAnother={() => setAnother(true)} />
      )}
      {asksForm && (
        <form
          className="stack stack--loose"
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            void goOn()
          }}
        >
          <ConnectionFields
            {...{ draft, errors, provider }}
            editing={null}
            withPriority={false}
            onChange={(change) => {
              setDraft({ ...draft, ...change })
              setErrors({})
              setGeneral(null)
            }}
          />
          {general !== null && <FieldError message={general} />}
          <button type="submit" className="visually-hidden" tabIndex={-1} aria-hidden="true">
            Save and next
          </button>
        </form>
      )}
    </StepFrame>
  )
}

interface ExistingProps {
  readonly connections: readonly ConnectionView[]
  readonly onAnother: () => void
}
function Existing({ connections, onAnother }: ExistingProps) {
  return (
    <section className="stack" aria-label="Connections that are there">
      <ul className="stack stack--tight">
        {connections.map(({ id, name, state, keyMask }) => (
          <li key={id} className="line">
            <StateBadge look={STATE_LOOKS[state]} />
            <strong className="truncate">{name}</strong>
            <code className="muted">{keyMask}</code>
          </li>
        ))}
      </ul>
      <div>
        <Button small onClick={onAnother}>
          Add another
        </Button>
      </div>
    </section>
  )
}
