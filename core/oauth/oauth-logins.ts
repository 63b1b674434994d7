// The OAuth logins of all connections: gives each attempt a token that is good, and renews tokens ahead of their end,
// one refresh at a time for each login. A connection without a login costs one look into a map.
import { newId } from '../store/ids'
import { type ExchangeDeps, exchange, takeOver } from './exchange'
import { HeldLogin } from './held-login'
import type { Access, ConnectionLogin, OAuthLogin } from './login'
import type { RefreshAction } from './refresh-decision'
import { openLogin, sealLogin } from './sealed-login'

export interface OAuthLoginsDeps extends Omit<ExchangeDeps, 'holder'> {
  /** False while the connection is removed: its login is kept and left alone. */
  readonly inUse: (connectionId: string) => boolean
  /** What is shown of a login has changed. */
  readonly changed: () => void
}

/** Ending the gateway waits this long for a refresh. */
const CLOSE_MS = 800
/** How often the background looks. Tokens that live shorter are renewed by the attempt that needs them. */
const TICK_MS = 30_000

export class OAuthLogins {
  private readonly logins = new Map<string, HeldLogin>()
  private readonly shown = new Map<string, string>()
  private readonly deps: OAuthLoginsDeps & ExchangeDeps
  private readonly ticking: { cancel(): void }

  constructor(deps: OAuthLoginsDeps) {
    this.deps = { ...deps, holder: newId('proc') }
    this.ticking = deps.clock.every(TICK_MS, () => this.look())
  }

  /** Reads and opens what is stored. Before this, no connection has a login. */
  async load(): Promise<void> {
    for (const stored of this.deps.table.list()) {
      const login = await openLogin(stored, this.deps).catch((error: unknown) => {
        this.deps.log.error({ error: String(error) }, 'a stored sign-in cannot be read')
        return null
      })
      this.logins.set(stored.connectionId, new HeldLogin(stored, login, this.deps.clock))
    }
  }

  /** For the registry; null where the connection has no login. */
  of = (connectionId: string): ConnectionLogin | null => this.logins.get(connectionId) ?? null

  /** All of a login, for signing in again with the same client; null: none, or it cannot be opened. */
  known = (connectionId: string): OAuthLogin | null => this.logins.get(connectionId)?.login ?? null

  /**
   * What an attempt has to do with its token. null: this connection has no login. At once, without a promise, unless a
   * refresh must be waited for.
   */
  freshAccess = (connectionId: string): Access | Promise<Access> | null => {
    const held = this.logins.get(connectionId)
    return held === undefined ? null : this.answer(held, held.decide({ kind: 'wanted' }))
  }

  /** The same, always as a promise. */
  async fresh(connectionId: string): Promise<Access> {
    return this.freshAccess(connectionId) ?? { kind: 'needs-sign-in', why: 'Sign in: this connection has no sign-in.' }
  }

  /**
   * The upstream refused this token with 401 although it looked valid. Gives another token if there is one, after one
   * refresh if need be, so that the attempt can be made once more; null: it makes no sense.
   */
  refused = async (connectionId: string, token: string): Promise<string | null> => {
    const held = this.logins.get(connectionId)
    if (held === undefined) return null
    if (held.accessToken === token) {
      const { do: what } = held.decide({ kind: 'refused' })
      if (what === 'refresh' || what === 'join') await this.run(held)
    }
    const access = await this.fresh(connectionId)
    return access.kind === 'token' && access.accessToken !== token ? access.accessToken : null
  }

  /** A person asks: also during a wait and after the provider's refusal. */
  async refresh(connectionId: string): Promise<Access> {
    const held = this.logins.get(connectionId)
    if (held === undefined) return this.fresh(connectionId)
    const stored = held.locked ? this.deps.table.find(connectionId) : null
    if (stored !== null) await takeOver(held, stored, this.deps)
    return this.answer(held, held.decide({ kind: 'asked' }))
  }

  /**
   * Stores a person's sign-in for the connection that `connect` makes or finds, both or neither. The id of `connect`.
   * @throws what `connect` throws; GatewayError `vault_unavailable`
   */
  async put(connect: () => string, login: OAuthLogin): Promise<string> {
    const { table, clock } = this.deps
    const sealed = await sealLogin(login, this.deps)
    const stored = table.put(connect, sealed)
    // A new one, so that a refresh of the old one that is under way ends without effect.
    this.logins.set(stored.connectionId, new HeldLogin(stored, login, clock))
    await this.deps.tokensChanged()
    this.show()
    return stored.connectionId
  }

  /** A person has given the connection a key instead. */
  async remove(connectionId: string): Promise<void> {
    if (!this.logins.delete(connectionId)) return
    this.deps.table.remove(connectionId)
    await this.deps.tokensChanged()
    this.show()
  }

  /** Lets a refresh under way come home for a moment: its answer may hold the only token that is still good. */
  async close(): Promise<void> {
    this.ticking.cancel()
    const running = [...this.logins.values()].flatMap((held) => held.running ?? [])
    if (running.length === 0) return
    await Promise.race([
      Promise.all(running),
      new Promise<void>((resolve) => void this.deps.clock.after(CLOSE_MS, resolve)),
    ])
  }

  private answer(held: HeldLogin, action: RefreshAction): Access | Promise<Access> {
    switch (action.do) {
      case 'use':
        return held.access
      case 'use-and-refresh': {
        const { access } = held
        void this.run(held)
        return access
      }
      case 'refresh':
      case 'repeat':
      case 'join':
        return this.run(held).then(() => held.access)
      case 'later':
        return { kind: 'later', why: action.why, until: action.until }
      case 'sign-in':
        return { kind: 'needs-sign-in', why: action.why }
      case 'nothing':
        return held.access
    }
  }

  /** The refresh of this login: the one under way, or a new one. */
  private run(held: HeldLogin): Promise<void> {
    const { running } = held
    // One that was just ending when this one was decided upon does not count for it.
    if (running !== null) return running.then(() => (held.phase.kind === 'refreshing' ? this.run(held) : undefined))
    held.running = exchange(held, this.deps).finally(() => {
      held.running = null
      this.show()
    })
    this.show()
    return held.running
  }

  /** Renews what is due; also right after the system woke up. */
  look(): void {
    for (const held of this.logins.values()) {
      if (!this.deps.inUse(held.connectionId)) continue
      if (held.phase.kind === 'signed-out') this.lookForSignIn(held)
      else if (held.decide({ kind: 'tick' }).do === 'refresh') void this.run(held)
    }
    this.show()
  }

  /** Another process may have signed in again. */
  private lookForSignIn(held: HeldLogin): void {
    const stored = this.deps.table.find(held.connectionId)
    if (stored === null || stored.version === held.stored.version) return
    takeOver(held, stored, this.deps).then(
      () => this.show(),
      (error) => this.deps.log.error({ error: String(error) }, 'a stored sign-in cannot be read'),
    )
  }

  /** Tells of what is shown otherwise than last time; time alone can change it too. */
  private show(): void {
    let different = this.shown.size !== this.logins.size
    for (const [id, { state, why, expiresAt }] of this.logins) {
      const now = `${state} ${expiresAt} ${why}`
      different ||= this.shown.get(id) !== now
      this.shown.set(id, now)
    }
    for (const id of this.shown.keys()) if (!this.logins.has(id)) this.shown.delete(id)
    if (different) this.deps.changed()
  }
}
