import { ExternalLink } from 'lucide-react'
import type { ConnectionView, ProviderView } from '../../../core/contract/views'
import { call } from '../../app/client'
import { dialectWords } from '../../app/request-words'
import { Field } from '../../ui/field'
import { showToast } from '../../ui/toast-store'
import { VaultChoice } from '../settings/vault'
import { CUSTOM, customDialect, type Draft, type DraftErrors } from './draft'

interface FormProps {
  readonly draft: Draft
  readonly errors: DraftErrors
  readonly provider: ProviderView | null
  readonly editing: ConnectionView | null
  /** Whether order among several connections is worth asking about. */
  readonly withPriority: boolean
  readonly onChange: (change: Partial<Draft>) => void
}

/** The fields of one connection: the same in the panel and in the first run. */
export function ConnectionFields({ draft, errors, provider, editing, withPriority, onChange }: FormProps) {
  const dialect = customDialect(draft.provider)
  const takesKey = dialect !== null || provider === null || provider.needsKey || provider.id !== 'practice'
  return (
    <>
      {dialect !== null && (
        <Field
          label="Endpoint name"
          error={errors.label ?? null}
          help={`Speaks ${dialectWords(dialect)}. Clients write this name before the model, like my-endpoint/model.`}
        >
          {(wiring) => (
            <input
              className="input"
              {...wiring}
              value={draft.label}
              maxLength={100}
              placeholder="My endpoint"
              onChange={(event) => onChange({ label: event.target.value })}
            />
          )}
        </Field>
      )}
      <Field label="Name" error={errors.name ?? null} help="How this account or key appears in the log.">
        {(wiring) => (
          <input
            className="input"
            {...wiring}
            value={draft.name}
            maxLength={100}
            onChange={(event) => onChange({ name: event.target.value })}
          />
        )}
      </Field>
      <Field
        label="Base URL"
        error={errors.baseUrl ?? null}
        {...(provider !== null && provider.baseUrl !== ''
          ? { help: "Leave empty for the provider's own address." }
          : {})}
      >
        {(wiring) => (
          <input
            className="input input--mono"
            {...wiring}
            value={draft.baseUrl}
            spellCheck={false}
            placeholder={provider?.baseUrl || 'https://api.example.com/v1'}
            onChange={(event) => onChange({ baseUrl: event.target.value })}
          />
        )}
      </Field>
      {takesKey && <KeyField {...{ draft, errors, provider, editing, onChange }} />}
      {withPriority && (
        <Field
          label="Priority"
          error={errors.priority ?? null}
          help="The lowest number is asked first; the next one serves when it fails."
        >
          {(wiring) => (
            <input
              className="input input--short"
              {...wiring}
              inputMode="numeric"
              value={draft.priority}
              placeholder="last"
              onChange={(event) => onChange({ priority: event.target.value })}
            />
          )}
        </Field>
      )}
    </>
  )
}

function KeyField({ draft, errors, provider, editing, onChange }: Omit<FormProps, 'withPriority'>) {
  const optional = provider !== null && !provider.needsKey
  const docsUrl = provider?.docsUrl ?? null
  const placeholder = editing?.keyMask ?? (provider?.keyHint || 'Key')
  return (
    <>
      <VaultChoice />
      <Field
        label={optional ? 'Key (optional)' : 'Key'}
        error={errors.apiKey ?? null}
        help={
          <>
            {editing?.keyMask != null
              ? 'Stored. Type a new one to replace it. '
              : 'It is never shown again once saved. '}
            {docsUrl !== null && (
              <button type="button" className="link-button" onClick={() => openDocs(docsUrl)}>
                Where to get one <ExternalLink size={12} strokeWidth={1.75} aria-hidden="true" />
              </button>
            )}
          </>
        }
      >
        {(wiring) => (
          <input
            className="input input--mono"
            {...wiring}
            type="password"
            autoComplete="off"
            spellCheck={false}
            value={draft.apiKey}
            placeholder={placeholder}
            onChange={(event) => onChange({ apiKey: event.target.value })}
          />
        )}
      </Field>
    </>
  )
}

function openDocs(url: string): void {
  void call('app:open-external', { url }).then((answer) => {
    if (!answer.ok) showToast({ text: answer.error.message, bad: true })
  })
}

interface ProviderChoiceProps {
  readonly providers: readonly ProviderView[]
  readonly value: string
  readonly onChange: (provider: string) => void
}

/** The providers that can take a connection, and the two kinds of endpoint that can be added. */
export function ProviderChoice({ providers, value, onChange }: ProviderChoiceProps) {
  return (
    <Field label="Provider">
      {(wiring) => (
        <select className="select" {...wiring} value={value} onChange={(event) => onChange(event.target.value)}>
          {providers
            .filter(({ id }) => id !== 'practice')
            .map(({ id, label }) => (
              <option key={id} value={id}>
                {label}
              </option>
            ))}
          <option value={CUSTOM['openai-chat']}>Custom endpoint, OpenAI-compatible</option>
          <option value={CUSTOM.anthropic}>Custom endpoint, Anthropic-compatible</option>
        </select>
      )}
    </Field>
  )
}
