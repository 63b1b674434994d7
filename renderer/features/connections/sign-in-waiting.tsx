import type { ReactNode } from 'react'
import { CopyButton } from '../../app/copy'
import { Button } from '../../ui/button'
import { Callout } from '../../ui/callout'
import { Moment } from '../../ui/moment'
import { cancelSignIn, forgetSignIn, openPage, type SignIn } from './sign-in-store'

/** A sign-in under way, or one that failed; nothing while there is none. */
export function SignInProgress({ signIn }: { readonly signIn: SignIn }) {
  switch (signIn.at) {
    case 'idle':
    case 'done':
      return null
    case 'failed':
      return (
        <Callout
          tone="down"
          shape="cross"
          title="Not signed in"
          alert
          actions={
            <Button small onClick={forgetSignIn}>
              Try again
            </Button>
          }
        >
          <p>{signIn.message}</p>
        </Callout>
      )
    case 'waiting':
      return signIn.begun.kind === 'code' ? (
        <Waiting title="Waiting for the browser" expiresAt={signIn.begun.expiresAt} page={signIn.begun.url}>
          <p>
            Sign in to {signIn.label} on the page that has opened, and come back here. Where none has opened, open it
            again or paste its address into a browser on this machine.
          </p>
        </Waiting>
      ) : (
        <Waiting
          title="Enter this code"
          expiresAt={signIn.begun.expiresAt}
          page={signIn.begun.verificationUriComplete ?? signIn.begun.verificationUri}
        >
          <div className="user-code">
            <code className="user-code__text">{signIn.begun.userCode}</code>
            <CopyButton small what={{ what: 'text', text: signIn.begun.userCode }} label="Copy code" />
          </div>
          <p>
            Enter it at <code className="breakable">{signIn.begun.verificationUri}</code>, on this machine or another.
          </p>
        </Waiting>
      )
  }
}

interface WaitingProps {
  readonly title: string
  readonly expiresAt: number
  readonly page: string
  readonly children: ReactNode
}

function Waiting({ title, expiresAt, page, children }: WaitingProps) {
  return (
    <Callout
      tone="idle"
      shape="dashed"
      title={title}
      actions={
        <>
          <Button small onClick={() => openPage(page)}>
            Open the page
          </Button>
          <CopyButton small what={{ what: 'text', text: page }} label="Copy address" />
          <Button small look="quiet" onClick={() => void cancelSignIn()}>
            Cancel
          </Button>
        </>
      }
    >
      <div className="stack stack--tight" role="status">
        {children}
      </div>
      <p className="small muted">
        This sign-in ends <Moment at={expiresAt} />.
      </p>
    </Callout>
  )
}
