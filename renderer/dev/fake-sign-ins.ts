// Sign-ins in the fake core: a few seconds after it was begun, the person has agreed. Development only.
import type { CallInput, CallName, CallOutput } from '../../core/contract/ipc'
import type { ConnectionView, SignInView } from '../../core/contract/views'
import { Refused } from './refused'

type SignInCall = Extract<CallName, `oauth:${string}`>
type Handlers = { readonly [N in SignInCall]: (input: CallInput<N>) => CallOutput<N> | Promise<CallOutput<N>> }

const TAKES_MS = 6000
const LIMIT_MS = 600_000
const HOUR_MS = 3_600_000

interface FakeSignInDeps {
  /** Makes the connection, or finds it, and gives it a sign-in. */
  readonly connect: (input: CallInput<'oauth:begin'>, login: ConnectionView['login']) => ConnectionView
  readonly find: (connectionId: string) => ConnectionView
}

export function fakeSignIns({ connect, find }: FakeSignInDeps): Handlers {
  const states = new Map<string, SignInView>()
  const login = (): ConnectionView['login'] => ({
    state: 'ok',
    expiresAt: Date.now() + HOUR_MS,
    why: '',
    again: ['code'],
  })

  return {
    'oauth:begin': (input) => {
      const known = input.connectionId !== undefined
      if (input.method !== 'tokens' && input.clientId === undefined && !known)
        throw new Refused('clientId: Nothing is known here. Enter what its documentation says.', 'clientId')
      if (input.method === 'tokens') return { kind: 'done', connection: connect(input, login()) }
      const signInId = `s${Date.now()}`
      states.set(signInId, { kind: 'pending' })
      setTimeout(() => {
        if (states.get(signInId)?.kind !== 'pending') return
        const denied = input.clientId === 'denied'
        states.set(
          signInId,
          denied
            ? { kind: 'failed', message: 'The provider says that the sign-in was refused (access_denied).' }
            : { kind: 'done', connectionId: connect(input, login()).id },
        )
      }, TAKES_MS)
      const expiresAt = Date.now() + LIMIT_MS
      if (input.method === 'code')
        return { kind: 'code', signInId, url: 'https://auth.example.com/authorize?…', expiresAt }
      const verificationUri = 'https://auth.example.com/device'
      return {
        kind: 'device',
        signInId,
        userCode: 'WDJB-MJHT',
        verificationUri,
        verificationUriComplete: null,
        expiresAt,
      }
    },
    'oauth:state': ({ signInId }) => {
      const state = states.get(signInId)
      if (state === undefined) throw new Refused('This sign-in is not known any more.')
      return state
    },
    'oauth:cancel': ({ signInId }) => {
      states.set(signInId, { kind: 'failed', message: 'The sign-in was cancelled.' })
      return null
    },
    'oauth:refresh': ({ connectionId }) =>
      connect({ provider: '', connectionId, method: 'tokens' }, {
        ...find(connectionId).login,
        ...login(),
      } as ConnectionView['login']),
  }
}
