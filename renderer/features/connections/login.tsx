import { RotateCw } from 'lucide-react'
import { type FormEvent, useEffect, useState } from 'react'
import type { IpcError } from '../../../core/contract/ipc'
import type { ConnectionView, LoginView, ProviderView } from '../../../core/contract/views'
import { call } from '../../app/client'
import { sentence } from '../../app/sentence'
import { Button } from '../../ui/button'
import { FieldError } from '../../ui/field'
import { Moment } from '../../ui/moment'
import { StateBadge, type StateLook } from '../../ui/state-shape'
import { showToast } from '../../ui/toast-store'
import { type DraftErrors, draftOf } from './draft'
import { placeError, SIGN_IN_FIELDS } from './place-error'
import { adoptConnection } from './save'
import { checkSignIn, emptySignIn, type SignInDraft, toBegin } from './sign-in-draft'
import { SignInFields } from './sign-in-fields'
import { beginSignIn, forgetSignIn, useSignInOf } from './sign-in-store'
import { SignInProgress } from './sign-in-waiting'

const LOGIN_LOOKS: Readonly<Record<LoginView['state'], StateLook>> = {
  ok: { shape: 'check', tone: 'ok', word: 'Signed in' },
  refreshing: { shape: 'dashed', tone: 'idle', word: 'Renewing' },
  'needs-sign-in': { shape: 'square', tone: 'down', word: 'Not signed in' },
}

interface LoginProps {
  readonly connection: ConnectionView
  readonly provider: ProviderView
}

/** How the connection's sign-in stands, and the ways to renew it. */
export function Login({ connection, provider }: LoginProps) {
  const { login } = connection
  const progress = useSignInOf(connection.id)
  const [asking, setAsking] = useState(false)
  const [refused, setRefused] = useState<string | null>(null)
  const done = progress.at === 'done'
  useEffect(() => {
    if (!done) return
    forgetSignIn()
    setAsking(false)
  }, [done])

  const begin = async (signIn: SignInDraft): Promise<IpcError | null> => {
    setRefused(null)
    return beginSignIn(connection.id, provider.label, toBegin(draftOf(connection), signIn, connection))
  }
  /** With the client that is known, else it has to be entered. */
  const again = async () => {
    const method = login?.again[0]
    if (method === undefined) return setAsking(true)
    const error = await begin(emptySignIn(method))
    if (error !== null) setRefused(error.message)
  }
  const signedIn = login !== null && login.state !== 'needs-sign-in'
  return (
    <section className="card login" aria-label="Sign-in">
      <div className="stack">
        <div className="line line--spread">
          {login === null ? <span className="muted">Uses a key</span> : <StateBadge look={LOGIN_LOOKS[login.state]} />}
          {login !== null && <Validity login={login} />}
        </div>
        {login !== null && login.why !== '' && <p>{sentence(login.why)}</p>}
        <SignInProgress signIn={progress} />
        {refused !== null && <FieldError message={refused} />}
        {progress.at !== 'waiting' && !asking && (
          <div className="line line--wrap">
            <Button small look={signedIn ? 'default' : 'primary'} onClick={() => void again()}>
              {login === null ? 'Sign in' : 'Sign in again'}
            </Button>
            {signedIn && <RenewNow connection={connection} />}
            {login !== null && login.again.length > 0 && (
              <Button small look="quiet" onClick={() => setAsking(true)}>
                In another way
              </Button>
            )}
          </div>
        )}
        {progress.at !== 'waiting' && asking && (
          <SignInForm {...{ connection, provider, begin }} onCancel={() => setAsking(false)} />
        )}
      </div>
    </section>
  )
}

function Validity({ login: { expiresAt, state } }: { readonly login: LoginView }) {
  if (state === 'needs-sign-in') return null
  if (expiresAt === null) return <span className="small muted">no end known</span>
  return (
    <span className="small muted">
      {expiresAt < Date.now() ? 'its token ended' : 'its token ends'} <Moment at={expiresAt} />
    </span>
  )
}

function RenewNow({ connection }: { readonly connection: ConnectionView }) {
  const [busy, setBusy] = useState(false)
  const renew = async () => {
    setBusy(true)
    const answer = await call('oauth:refresh', { connectionId: connection.id })
    setBusy(false)
    if (answer.ok) adoptConnection(answer.value)
    showToast(answer.ok ? { text: 'The sign-in is renewed.' } : { text: answer.error.message, bad: true })
  }
  return (
    <Button
      small
      disabled={busy}
      icon={<RotateCw size={14} strokeWidth={1.75} aria-hidden="true" />}
      onClick={() => void renew()}
    >
      {busy ? 'Renewing…' : 'Renew now'}
    </Button>
  )
}

interface FormProps extends LoginProps {
  readonly begin: (signIn: SignInDraft) => Promise<IpcError | null>
  readonly onCancel: () => void
}

function SignInForm({ connection, provider, begin, onCancel }: FormProps) {
  const [signIn, setSignIn] = useState<SignInDraft>(() => emptySignIn(connection.login?.again[0]))
  const [errors, setErrors] = useState<DraftErrors>({})
  const [general, setGeneral] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const found = checkSignIn(signIn, { provider, connection })
    setErrors(found)
    setGeneral(null)
    if (Object.keys(found).length > 0) return
    setBusy(true)
    const refused = await begin(signIn)
    setBusy(false)
    if (refused === null) return
    const placed = placeError(refused, SIGN_IN_FIELDS)
    setErrors(placed.errors)
    setGeneral(placed.general)
  }
  return (
    <form className="stack stack--loose" noValidate onSubmit={(event) => void submit(event)}>
      <SignInFields
        {...{ signIn, errors, provider, connection }}
        onChange={(change) => {
          setSignIn({ ...signIn, ...change })
          setErrors({})
          setGeneral(null)
        }}
      />
      {general !== null && <FieldError message={general} />}
      <div className="line">
        <Button small look="primary" type="submit" disabled={busy}>
          {signIn.method === 'tokens' ? 'Save tokens' : 'Sign in'}
        </Button>
        <Button small look="quiet" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
