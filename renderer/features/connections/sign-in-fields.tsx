import type { ConnectionView, ProviderView } from '../../../core/contract/views'
import { Field } from '../../ui/field'
import { VaultChoice } from '../settings/vault'
import type { DraftErrors } from './draft'
import { clientFields, isKnown, type SignInDraft, type SignInMethod } from './sign-in-draft'

const METHODS: readonly { readonly value: SignInMethod; readonly label: string; readonly about: string }[] = [
  {
    value: 'code',
    label: 'Sign in with the browser',
    about: 'The provider’s page opens; what it answers comes back to this machine.',
  },
  { value: 'device', label: 'Sign in with a code', about: 'You enter a short code on the provider’s page.' },
  { value: 'tokens', label: 'I have tokens', about: 'From elsewhere: an access token, a refresh token or both.' },
]

interface SignInProps {
  readonly signIn: SignInDraft
  readonly errors: DraftErrors
  readonly provider: ProviderView
  /** The connection that is signed in again; null for a new one. */
  readonly connection: ConnectionView | null
  readonly onChange: (change: Partial<SignInDraft>) => void
}

/** How to sign in, and what the provider's row does not say about it. */
export function SignInFields({ signIn, errors, provider, connection, onChange }: SignInProps) {
  const situation = { provider, connection }
  const fields = clientFields(signIn)
  const known = fields.filter((field) => isKnown(field, situation))
  const asked = fields.filter((field) => !isKnown(field, situation))
  const secretAndScopes = fields.length > 0
  const client = { signIn, errors, onChange }
  return (
    <>
      <VaultChoice />
      <fieldset className="stack stack--tight">
        <legend className="field__label">How to sign in</legend>
        {METHODS.map(({ value, label, about }) => (
          <label key={value} className="checkbox">
            <input
              type="radio"
              name="sign-in-method"
              checked={signIn.method === value}
              onChange={() => onChange({ method: value })}
            />
            <span className="stack stack--none">
              <span>{label}</span>
              <span className="field__help">{about}</span>
            </span>
          </label>
        ))}
      </fieldset>
      {signIn.method === 'tokens' && <TokenFields {...client} />}
      {asked.map((field) => (
        <ClientField key={field} field={field} {...client} />
      ))}
      {secretAndScopes && (
        <details className="more" open={errors.clientSecret !== undefined || errors.scopes !== undefined || undefined}>
          <summary>{known.length > 0 ? 'Another client, or other addresses' : 'Client secret and scopes'}</summary>
          <div className="stack stack--loose more__body">
            {known.map((field) => (
              <ClientField key={field} field={field} {...client} known />
            ))}
            <ClientField field="clientSecret" {...client} />
            {signIn.method !== 'tokens' && <ClientField field="scopes" {...client} />}
          </div>
        </details>
      )}
    </>
  )
}

type TextField = Exclude<keyof SignInDraft, 'method'>

const LABELS: Readonly<Record<TextField, string>> = {
  authorizeUrl: 'Sign-in page',
  deviceUrl: 'Address for codes',
  tokenUrl: 'Address for tokens',
  clientId: 'Client ID',
  clientSecret: 'Client secret (optional)',
  scopes: 'Scopes (optional)',
  accessToken: 'Access token',
  refreshToken: 'Refresh token',
}

const HELP: Readonly<Partial<Record<TextField, string>>> = {
  authorizeUrl: 'The documentation calls it the authorization endpoint.',
  deviceUrl: 'The documentation calls it the device authorization endpoint.',
  tokenUrl: 'The documentation calls it the token endpoint.',
  clientId: 'What the provider gave you for a program of your own.',
  clientSecret: 'Many programs on a desktop have none.',
  scopes: 'Divided by spaces.',
  refreshToken: 'With it the access token is renewed before it ends.',
}

const PLACEHOLDERS: Readonly<Partial<Record<TextField, string>>> = {
  authorizeUrl: 'https://auth.example.com/authorize',
  deviceUrl: 'https://auth.example.com/device',
  tokenUrl: 'https://auth.example.com/token',
}

const SECRET: readonly TextField[] = ['clientSecret', 'accessToken', 'refreshToken']

interface ClientFieldProps {
  readonly field: TextField
  readonly signIn: SignInDraft
  readonly errors: DraftErrors
  readonly known?: boolean
  readonly onChange: (change: Partial<SignInDraft>) => void
}

function ClientField({ field, signIn, errors, known = false, onChange }: ClientFieldProps) {
  const help = known ? 'Left empty: as it is known.' : HELP[field]
  return (
    <Field label={LABELS[field]} error={errors[field] ?? null} {...(help === undefined ? {} : { help })}>
      {(wiring) => (
        <input
          className="input input--mono"
          {...wiring}
          type={SECRET.includes(field) ? 'password' : 'text'}
          autoComplete="off"
          spellCheck={false}
          value={signIn[field]}
          placeholder={PLACEHOLDERS[field] ?? ''}
          onChange={(event) => onChange({ [field]: event.target.value })}
        />
      )}
    </Field>
  )
}

function TokenFields(props: Omit<ClientFieldProps, 'field'>) {
  return (
    <>
      <ClientField field="accessToken" {...props} />
      <ClientField field="refreshToken" {...props} />
    </>
  )
}
