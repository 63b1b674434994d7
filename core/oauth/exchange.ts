// One refresh, from the claim in the store to the new tokens on the disk. A refresh token is often good for one use
// only, so: read the store again first, one process at a time, store before use, and believe nothing but the
// provider's own word that a login has ended.
import type { Clock } from '../clock'
import type { Logger } from '../host'
import type { OAuthLoginsTable, StoredLogin } from '../store/oauth-logins-table'
import type { HeldLogin } from './held-login'
import { type OAuthClient, type OAuthLogin, type TokenGrant, withGrant } from './login'
import { openLogin, type Sealing, sealLogin } from './sealed-login'
import { finality, type TokenAnswer } from './token-answer'
import type { Form } from './token-endpoint'

export interface ExchangeDeps extends Sealing {
  readonly table: OAuthLoginsTable
  readonly clock: Clock
  readonly log: Logger
  /** Takes known secrets out of words that are shown. */
  readonly redact: (text: string) => string
  readonly ask: (client: OAuthClient, form: Form, connectionId: string) => Promise<TokenAnswer>
  /** Puts the tokens at hand into force where requests are made. */
  readonly tokensChanged: () => Promise<void>
  /** Names this process in claims. */
  readonly holder: string
}

/** Two calls with their time limits fit in; after a crash nobody waits longer. */
const CLAIM_MS = 75_000
const LOOK_AGAIN_MS = 200

/** Leaves the login idle, waiting or signed out. Never rejects. */
export async function exchange(held: HeldLogin, deps: ExchangeDeps): Promise<void> {
  const { table, holder, log } = deps
  const { connectionId } = held
  try {
    if (await claim(held, deps)) await ask(held, deps)
  } catch (error) {
    const said = deps.redact(error instanceof Error ? error.message : String(error))
    log.error({ connectionId, error: said }, 'the refresh of a sign-in failed in the gateway')
    const why = held.unsaved === null ? 'The refresh failed' : 'The new tokens could not be stored'
    held.decide({ kind: 'failed', why: `${why}: ${said}`, lost: false, retryAfterMs: null })
  }
  try {
    table.release(connectionId, holder)
  } catch {
    // It ends by itself.
  }
}

/** False when there is nothing left to ask: somebody else has renewed the login, ended it, or removed it. */
async function claim(held: HeldLogin, deps: ExchangeDeps): Promise<boolean> {
  const { table, clock, holder } = deps
  for (;;) {
    const now = clock.now()
    const found = table.claim(held.connectionId, holder, now, now + CLAIM_MS)
    if (found === null) return gone(held)
    if (found.login.version !== held.stored.version) {
      await takeOver(held, found.login, deps)
      if (held.isSettled) return false
      held.decide({ kind: 'asked' })
    } else if (found.mine) return true
    else await new Promise<void>((resolve) => void clock.after(LOOK_AGAIN_MS, resolve))
  }
}

async function ask(held: HeldLogin, deps: ExchangeDeps): Promise<void> {
  const { connectionId, login } = held
  if (login === null || login.refreshToken === null) return held.settle()
  if (held.unsaved !== null) return store(held, login, held.unsaved, deps)
  const form = { grant_type: 'refresh_token', refresh_token: login.refreshToken }
  for (;;) {
    const answer = await deps.ask(login.client, form, connectionId)
    if (answer.kind === 'granted') return store(held, login, answer.grant, deps)
    const final = answer.kind === 'error' ? finality(answer.code) : null
    if (answer.kind === 'error' && final !== null) return end(held, reason(final, answer.why, held), deps)
    const passing = answer.kind === 'failed' ? answer : { why: answer.why, lost: false, retryAfterMs: null }
    deps.log.warn({ connectionId, why: passing.why, lost: passing.lost }, 'a sign-in could not be refreshed now')
    const why = `The sign-in could not be refreshed: ${passing.why}`
    if (held.decide({ ...passing, kind: 'failed', why }).do !== 'repeat') return
  }
}

/** Durable before use: the version before is worth nothing any more. */
async function store(held: HeldLogin, login: OAuthLogin, grant: TokenGrant, deps: ExchangeDeps): Promise<void> {
  held.unsaved = grant
  const next = withGrant(login, grant)
  const sealed = await sealLogin(next, deps)
  const stored = deps.table.renew(held.connectionId, held.stored.version, sealed)
  held.unsaved = null
  if (stored === null) return yieldTo(held, deps)
  held.take(stored, next)
  await inForce(held, deps)
  deps.log.info({ connectionId: held.connectionId }, 'a sign-in was refreshed')
}

async function end(held: HeldLogin, why: string, deps: ExchangeDeps): Promise<void> {
  const marked = deps.table.markSignInAgain(held.connectionId, held.stored.version, why)
  if (marked === null) return yieldTo(held, deps)
  deps.log.warn({ connectionId: held.connectionId, why }, 'a sign-in has ended')
  held.take(marked, held.login)
  held.settle()
}

/** Somebody else changed the login meanwhile: theirs counts. */
async function yieldTo(held: HeldLogin, deps: ExchangeDeps): Promise<void> {
  const newer = deps.table.find(held.connectionId)
  if (newer === null) gone(held)
  else await takeOver(held, newer, deps)
}

/** Another process or a person has stored this. */
export async function takeOver(held: HeldLogin, stored: StoredLogin, deps: ExchangeDeps): Promise<void> {
  held.take(stored, await openLogin(stored, deps))
  await inForce(held, deps)
}

/** First where requests are made, then for those who wait. */
async function inForce(held: HeldLogin, { tokensChanged, log }: ExchangeDeps): Promise<void> {
  try {
    await tokensChanged()
  } catch (error) {
    log.error({ error: String(error) }, 'the connections could not be read again after a refresh')
  }
  held.settle()
}

function gone(held: HeldLogin): false {
  held.decide({ kind: 'rejected', why: 'Sign in again: this sign-in was removed.' })
  return false
}

function reason(final: 'ended' | 'client', said: string, { phase }: HeldLogin): string {
  if (final === 'client') return `Sign in again, with the right client: the provider refuses it: ${said}.`
  const lost = phase.kind === 'refreshing' && phase.repeated ? ' An earlier answer of the provider was lost.' : ''
  return `Sign in again: the provider no longer accepts this sign-in: ${said}.${lost}`
}
