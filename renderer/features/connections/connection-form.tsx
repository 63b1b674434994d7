import { ExternalLink } from 'lucide-react'
import type { ConnectionView, ProviderView } from '../../../core/contract/views'
import { dialectWords } from '../../app/request-words'
import { Field } from '../../ui/field'
import { VaultChoice } from '../settings/vault'
import { customDialect, type Draft, type DraftErrors } from './draft'
import { MoreFields } from './more-fields'
import { openPage } from './sign-in-store'

interface FormProps {
  readonly draft: Draft
  readonly errors: DraftErrors
  readonly provider: ProviderView | null
  readonly editing: ConnectionView | null
  /** Whether order among several connections is worth asking about. */
  readonly withPriority: boolean
  readonly onChange: (change: Partial<Draft>) => void
}

/** The fields of one connection: the same in the panel and in the first run. What it cannot do without comes first. */
export function ConnectionFields({ draft, errors, provider, editing, withPriority, onChange }: FormProps) {
  const dialect = customDialect(draft.provider)
  const ownAddress = dialect !== null || provider === null || provider.baseUrl === ''
  const byKey = provider === null || provider.signIn === null || editing?.keyMask != null
  const address = <AddressField {...{ draft, errors, provider, onChange }} />
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
      {ownAddress && address}
      {provider?.options.map((option) => (
        <OptionField
          key={option.key}
          option={option}
          value={draft.options[option.key] ?? ''}
          error={errors[`options.${option.key}`] ?? null}
          onChange={(value) => onChange({ options: { ...draft.options, [option.key]: value } })}
        />
      ))}
      {byKey && <KeyField {...{ draft, errors, provider, editing, onChange }} />}
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
      {!ownAddress && address}
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
      {withPriority && <MoreFields {...{ draft, errors, provider, editing, onChange }} />}
    </>
  )
}

function AddressField({ draft, errors, provider, onChange }: Omit<FormProps, 'editing' | 'withPriority'>) {
  const usual = provider?.baseUrl ?? ''
  return (
    <Field
      label="Base URL"
      error={errors.baseUrl ?? null}
      {...(usual === '' ? {} : { help: "Leave empty for the provider's own address." })}
    >
      {(wiring) => (
        <input
          className="input input--mono"
          {...wiring}
          value={draft.baseUrl}
          spellCheck={false}
          placeholder={usual || 'https://api.example.com/v1'}
          onChange={(event) => onChange({ baseUrl: event.target.value })}
        />
      )}
    </Field>
  )
}

interface OptionProps {
  readonly option: ProviderView['options'][number]
  readonly value: string
  readonly error: string | null
  readonly onChange: (value: string) => void
}

/** Something only the person knows and the address needs: a resource name, a region. */
function OptionField({ option, value, error, onChange }: OptionProps) {
  const { label, help, default: usual, required } = option
  return (
    <Field
      label={required ? label : `${label} (optional)`}
      error={error}
      help={usual === null ? help : `${help} Left empty: ${usual}.`}
    >
      {(wiring) => (
        <input
          className="input input--mono"
          {...wiring}
          value={value}
          maxLength={200}
          spellCheck={false}
          placeholder={usual ?? ''}
          aria-required={required}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  )
}

function KeyField({ draft, errors, provider, editing, onChange }: Omit<FormProps, 'withPriority'>) {
  const optional = provider === null ? customDialect(draft.provider) !== null : !provider.needsKey
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
            {/* A new one is told where to get a key above the form. */}
            {editing !== null && docsUrl !== null && <PageLink url={docsUrl} text="Where to get one" />}
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

/** Opens in the person's browser. */
export function PageLink({ url, text }: { readonly url: string; readonly text: string }) {
  return (
    <button type="button" className="link-button" onClick={() => openPage(url)}>
      {text} <ExternalLink size={12} strokeWidth={1.75} aria-hidden="true" />
    </button>
  )
}
