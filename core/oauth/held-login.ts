// One login while the gateway runs: what is stored of it, what is known against it, and the refresh that is under way.
import type { Clock } from '../clock'
import type { StoredLogin } from '../store/oauth-logins-table'
import type { Access, ConnectionLogin, OAuthLogin, TokenGrant } from './login'
import {
  ageOf,
  decideRefresh,
  type RefreshAction,
  type RefreshInput,
  type RefreshState,
  shownLogin,
} from './refresh-decision'
import { timesOf } from './sealed-login'

const LOCKED = 'Sign in again: its tokens cannot be opened by this system’s key store.'
const NO_TOKENS = { issuedAt: 0, expiresAt: null, refreshedAt: null, hasAccess: false, canRefresh: false }

export class HeldLogin implements ConnectionLogin {
  /** The one refresh under way; all who need its outcome wait for this. Never rejects. */
  running: Promise<void> | null = null
  /** Given by the provider and not stored yet: the next refresh stores it instead of asking again. */
  unsaved: TokenGrant | null = null
  private current: RefreshState
  private token: Access & { kind: 'token' }

  constructor(
    public stored: StoredLogin,
    /** null: its secrets cannot be opened. */
    public login: OAuthLogin | null,
    private readonly clock: Clock,
  ) {
    this.current = { times: NO_TOKENS, phase: { kind: 'idle' } }
    this.token = tokenOf(login)
    this.settle()
  }

  get connectionId(): string {
    return this.stored.connectionId
  }

  get phase(): RefreshState['phase'] {
    return this.current.phase
  }

  get state(): ConnectionLogin['state'] {
    return shownLogin(this.current, this.clock.now()).state
  }

  get why(): string {
    return shownLogin(this.current, this.clock.now()).why
  }

  get expiresAt(): number | null {
    return this.stored.expiresAt
  }

  get again(): ConnectionLogin['again'] {
    const { authorizeUrl, deviceUrl } = this.login ?? { authorizeUrl: null, deviceUrl: null }
    return [...(authorizeUrl === null ? [] : ['code' as const]), ...(deviceUrl === null ? [] : ['device' as const])]
  }

  get accessToken(): string | null {
    return this.login?.accessToken ?? null
  }

  get locked(): boolean {
    return this.login === null
  }

  decide(input: RefreshInput): RefreshAction {
    const { state, action } = decideRefresh(this.current, input, this.clock.now())
    this.current = state
    return action
  }

  /** Another content of the store. What follows from it counts from `settle` on. */
  take(stored: StoredLogin, login: OAuthLogin | null): void {
    this.stored = stored
    this.login = login
  }

  /** Judges what was taken: its tokens serve from now on, or a person is needed. */
  settle(): void {
    this.token = tokenOf(this.login)
    this.decide({ kind: 'renewed', times: this.login === null ? NO_TOKENS : timesOf(this.login) })
    const why = this.stored.signInAgain ?? (this.login === null ? LOCKED : null)
    if (why !== null) this.decide({ kind: 'rejected', why })
  }

  /** Whether the tokens at hand are good for a while, or nothing can be done about them without a person. */
  get isSettled(): boolean {
    const { times, phase } = this.current
    return phase.kind === 'signed-out' || !times.canRefresh || ageOf(times, this.clock.now()) === 'fresh'
  }

  /** What serves now, without asking anyone. */
  get access(): Access {
    const { times, phase } = this.current
    const now = this.clock.now()
    if (phase.kind === 'signed-out') return { kind: 'needs-sign-in', why: phase.why }
    if (phase.kind === 'waiting' && ageOf(times, now) === 'spent') {
      return { kind: 'later', why: phase.why, until: phase.until }
    }
    return times.hasAccess ? this.token : { kind: 'later', why: 'The sign-in has no access token yet.', until: now }
  }
}

const tokenOf = (login: OAuthLogin | null): Access & { kind: 'token' } => ({
  kind: 'token',
  accessToken: login?.accessToken ?? '',
  expiresAt: login?.expiresAt ?? null,
})
