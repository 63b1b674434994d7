// Sign-ins under way: each waits for a browser or a person, exchanges what comes back for tokens, and has them stored.
// Whoever began one asks by its id how it went.
import type { Clock } from '../clock'
import { GatewayError } from '../errors'
import type { Logger } from '../host'
import type { Through } from '../pipeline/proxy-choice'
import { newId } from '../store/ids'
import { authorizeAddress, createOAuthState, createPkce } from './authorization-code'
import { type CallbackListener, type CallbackResult, listenForCallback } from './callback-listener'
import { askForDeviceCode, type DeviceCode } from './device-code'
import { afterDeviceAnswer, type DeviceState, EXPIRED } from './device-decision'
import type { OAuthClient, TokenGrant } from './login'
import type { TokenAnswer } from './token-answer'
import { askForTokens, type EndpointCalls } from './token-endpoint'

export type SignInState =
  | { readonly kind: 'pending' }
  | { readonly kind: 'done'; readonly connectionId: string }
  | { readonly kind: 'failed'; readonly message: string }

export interface SignInRequest {
  readonly client: OAuthClient
  readonly scopes: readonly string[]
  /** The own proxy of the connection that signs in again. */
  readonly proxy?: Through
  /** Stores what was granted; the connection's id. */
  readonly finish: (grant: TokenGrant) => Promise<string>
}

interface SignIn {
  state: SignInState
  /** Pages that a person's browser may be sent to for this. */
  pages: readonly string[]
  readonly begunAt: number
  cancel: () => void
}

const CODE_LIMIT_MS = 600_000
/** A result can be asked for this long. */
const KEPT_MS = 3_600_000
const MOST_AT_ONCE = 8
const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'

export class SignIns {
  private readonly signIns = new Map<string, SignIn>()

  constructor(
    private readonly calls: EndpointCalls,
    private readonly log: Logger,
  ) {}

  /** Signs in with the browser: gives the address that a person must open. @throws GatewayError */
  async withCode(request: SignInRequest, authorizeUrl: string) {
    const { id, signIn, clock } = this.begin()
    const state = createOAuthState()
    const { verifier, challenge } = createPkce()
    this.log.addSecret(verifier)
    const listener = await this.listen(id, state)
    signIn.cancel = () => listener.cancel()
    const { redirectUri } = listener
    const { clientId } = request.client
    void this.run(id, request, async () => {
      const result = await listener.result
      if (result.kind !== 'code') return { message: wordsOf(result) }
      this.log.addSecret(result.code)
      const form = { grant_type: 'authorization_code', code: result.code, redirect_uri: redirectUri }
      return grantOf(await askForTokens(request.client, { ...form, code_verifier: verifier }, this.callsOf(request)))
    })
    const url = authorizeAddress({ authorizeUrl, clientId, scopes: request.scopes, redirectUri, state, challenge })
    signIn.pages = [url]
    return { signInId: id, url, expiresAt: clock.now() + CODE_LIMIT_MS }
  }

  /** Signs in with a code that a person enters on another page. @throws GatewayError where the provider gives none */
  async withDevice(request: SignInRequest, deviceUrl: string) {
    const { id, signIn, clock } = this.begin()
    const device = await askForDeviceCode(request.client, deviceUrl, request.scopes, this.callsOf(request))
    if ('message' in device) {
      this.signIns.delete(id)
      throw new GatewayError('sign_in_failed', 502, device.message)
    }
    this.log.addSecret(device.deviceCode)
    const deadline = clock.now() + device.expiresInMs
    void this.run(id, request, () => this.poll(request, device, deadline, signIn))
    const { userCode, verificationUri, verificationUriComplete } = device
    signIn.pages = [verificationUri, verificationUriComplete ?? verificationUri]
    return { signInId: id, userCode, verificationUri, verificationUriComplete, expiresAt: deadline }
  }

  /** null: unknown, or forgotten. */
  state(id: string): SignInState | null {
    return this.signIns.get(id)?.state ?? null
  }

  /** Whether a sign-in under way has named this page: only such ones are opened. */
  mayOpen = (url: string): boolean =>
    [...this.signIns.values()].some(({ state, pages }) => state.kind === 'pending' && pages.includes(url))

  /** Without effect once it has ended. */
  cancel(id: string): void {
    const signIn = this.signIns.get(id)
    if (signIn === undefined || signIn.state.kind !== 'pending') return
    signIn.state = { kind: 'failed', message: CANCELLED }
    signIn.cancel()
  }

  close(): void {
    for (const id of this.signIns.keys()) this.cancel(id)
  }

  private begin(): { id: string; signIn: SignIn; clock: Clock } {
    const { clock } = this.calls
    const now = clock.now()
    for (const [id, { state, begunAt }] of this.signIns)
      if (state.kind !== 'pending' && Math.abs(now - begunAt) > KEPT_MS) this.signIns.delete(id)
    const pending = [...this.signIns.values()].filter(({ state }) => state.kind === 'pending')
    if (pending.length >= MOST_AT_ONCE)
      throw new GatewayError('too_many_sign_ins', 429, 'Too many sign-ins are under way. Finish or cancel one first.')
    const id = newId('sign')
    const signIn: SignIn = { state: { kind: 'pending' }, pages: [], begunAt: now, cancel: () => {} }
    this.signIns.set(id, signIn)
    return { id, signIn, clock }
  }

  private async listen(id: string, state: string): Promise<CallbackListener> {
    try {
      return await listenForCallback(state, CODE_LIMIT_MS, this.calls.clock)
    } catch (error) {
      this.signIns.delete(id)
      const { code } = error as NodeJS.ErrnoException
      throw new GatewayError(
        'sign_in_failed',
        500,
        `No port could be opened for the browser to come back to (${code}).`,
      )
    }
  }

  private callsOf({ proxy = null }: SignInRequest): EndpointCalls {
    return { ...this.calls, proxy }
  }

  private async poll(request: SignInRequest, device: DeviceCode, deadline: number, signIn: SignIn): Promise<Outcome> {
    const { clock } = this.calls
    const calls = this.callsOf(request)
    const form = { grant_type: DEVICE_GRANT, device_code: device.deviceCode }
    let state: DeviceState = { intervalMs: device.intervalMs, deadline }
    let afterMs = state.intervalMs
    for (;;) {
      await new Promise<void>((resolve) => {
        const timer = clock.after(afterMs, resolve)
        signIn.cancel = () => {
          timer.cancel()
          resolve()
        }
      })
      if (signIn.state.kind !== 'pending') return { message: CANCELLED }
      if (clock.now() >= deadline) return { message: EXPIRED }
      const step = afterDeviceAnswer(state, await askForTokens(request.client, form, calls), clock.now())
      if (step.kind === 'done') return step
      if (step.kind === 'failed') return step
      state = step.state
      afterMs = step.afterMs
    }
  }

  /** From here on nothing is thrown: the outcome is the sign-in's state. */
  private async run(id: string, request: SignInRequest, wait: () => Promise<Outcome>): Promise<void> {
    const signIn = this.signIns.get(id) as SignIn
    try {
      const outcome = await wait()
      // Cancelled while the tokens were on their way: nobody wants them.
      if (signIn.state.kind !== 'pending') return
      if ('message' in outcome) signIn.state = { kind: 'failed', message: this.calls.redact(outcome.message) }
      else signIn.state = { kind: 'done', connectionId: await request.finish(outcome.grant) }
    } catch (error) {
      const said = this.calls.redact(error instanceof Error ? error.message : String(error))
      this.log.warn({ signInId: id, error: said }, 'a sign-in could not be stored')
      signIn.state = { kind: 'failed', message: said }
    }
  }
}

type Outcome = { readonly grant: TokenGrant } | { readonly message: string }

const CANCELLED = 'The sign-in was cancelled.'

function wordsOf(result: Exclude<CallbackResult, { kind: 'code' }>): string {
  switch (result.kind) {
    case 'refused':
      return result.message
    case 'timeout':
      return 'Nobody came back from the browser within 10 minutes. Start the sign-in again.'
    case 'cancelled':
      return CANCELLED
  }
}

function grantOf(answer: TokenAnswer): Outcome {
  if (answer.kind === 'granted') return answer
  const why = answer.kind === 'error' ? `the provider refused it: ${answer.why}.` : answer.why
  return { message: `The sign-in could not be completed: ${why} Start it again.` }
}
