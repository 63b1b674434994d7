import { describe, expect, it } from 'vitest'
import { emptyDraft, planTest } from '../../renderer/features/connections/draft'
import { checkSignIn, emptySignIn, toBegin } from '../../renderer/features/connections/sign-in-draft'
import { aConnection, aProvider } from '../electron/samples'

const nothing = { authorizeUrl: null, deviceUrl: null, tokenUrl: null, clientId: null }
const provider = aProvider({ id: 'claude', class: 'oauth', signIn: nothing })
const fresh = { provider, connection: null }
const client = { tokenUrl: 'https://auth.example/token', clientId: 'me' }
const draft = { ...emptyDraft('claude'), name: 'work', baseUrl: ' https://api.example ' }

describe('signing in', () => {
  it('asks for what nobody knows: the addresses and the client of the chosen way', () => {
    expect(Object.keys(checkSignIn(emptySignIn('code'), fresh))).toEqual(['authorizeUrl', 'tokenUrl', 'clientId'])
    expect(Object.keys(checkSignIn(emptySignIn('device'), fresh))).toEqual(['deviceUrl', 'tokenUrl', 'clientId'])
    expect(Object.keys(checkSignIn(emptySignIn('tokens'), fresh))).toEqual(['accessToken'])
  })
  it('asks for nothing that the provider’s row or the present sign-in knows', () => {
    const known = { ...provider, signIn: { ...client, authorizeUrl: 'https://auth.example', deviceUrl: null } }
    expect(checkSignIn(emptySignIn('code'), { provider: known, connection: null })).toEqual({})
    const login = { state: 'needs-sign-in', expiresAt: null, why: '', again: ['code'] } as const
    const connection = aConnection({ login: { ...login, again: [...login.again] } })
    expect(checkSignIn(emptySignIn('code'), { provider, connection })).toEqual({})
    expect(Object.keys(checkSignIn(emptySignIn('device'), { provider, connection }))).toEqual(['deviceUrl'])
  })
  it('takes addresses only', () =>
    expect(checkSignIn({ ...emptySignIn('code'), ...client, authorizeUrl: 'auth' }, fresh)).toHaveProperty(
      'authorizeUrl',
    ))
  it('needs a client for a refresh token, and none for an access token alone', () => {
    expect(checkSignIn({ ...emptySignIn('tokens'), accessToken: 'a' }, fresh)).toEqual({})
    const both = { ...emptySignIn('tokens'), accessToken: 'a', refreshToken: 'r' }
    expect(Object.keys(checkSignIn(both, fresh))).toEqual(['tokenUrl', 'clientId'])
  })
  it('is what a test waits for', () =>
    expect(planTest(draft, { provider, editing: null })).toEqual({
      kind: 'save-first',
      why: 'It can be tested once you have signed in.',
    }))
})

describe('the call that begins it', () => {
  it('holds what this way uses, and nothing left over from another', () => {
    const entered = {
      ...{ ...emptySignIn('code'), ...client, authorizeUrl: ' https://auth.example ', scopes: ' a,  b ' },
      ...{ deviceUrl: 'https://left.example', accessToken: 'left', clientSecret: '' },
    }
    expect(toBegin(draft, entered, null)).toEqual({
      ...{ provider: 'claude', method: 'code', name: 'work', baseUrl: 'https://api.example' },
      ...{ ...client, authorizeUrl: 'https://auth.example', scopes: ['a', 'b'] },
    })
  })
  it('keeps name and address of a connection that is signed in again', () => {
    expect(toBegin(draft, emptySignIn('code'), aConnection({ id: 'c9' }))).toEqual({
      ...{ provider: 'claude', method: 'code', connectionId: 'c9' },
    })
  })
  it('sends an access token without a client', () => {
    expect(toBegin(draft, { ...emptySignIn('tokens'), ...client, accessToken: ' a ' }, null)).toEqual({
      ...{ provider: 'claude', method: 'tokens', name: 'work', baseUrl: 'https://api.example', accessToken: 'a' },
    })
  })
})
