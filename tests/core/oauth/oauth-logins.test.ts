import { describe, expect, it } from 'vitest'
import { createMemoryVault } from '../../../core/node/key-file-vault'
import type { TokenAnswer } from '../../../core/oauth/token-answer'
import { openConnectionsTable } from '../../../core/store/connections-table'
import { openOAuthLoginsTable } from '../../../core/store/oauth-logins-table'
import { failed, granted, HOUR, invalidGrant, loginAt, openLogins, turns } from './open-logins'

/** An answer that a test gives when it wants to. */
function heldAnswer() {
  const { promise, resolve } = Promise.withResolvers<TokenAnswer>()
  return { promise, give: resolve }
}

describe('an attempt', () => {
  it('of a connection without a sign-in costs nothing', async () => {
    const { logins } = await openLogins(() => failed())
    expect(logins.freshAccess('con_other')).toBeNull()
    expect(logins.of('con_other')).toBeNull()
  })

  it('gets a good token at once, without a promise', async () => {
    const { logins, signIn, clock, sent } = await openLogins(() => failed())
    const id = await signIn()
    const access = logins.freshAccess(id)
    expect(access).toEqual({ kind: 'token', accessToken: 'access-0', expiresAt: clock.now() + HOUR })
    expect(logins.freshAccess(id)).toBe(access)
    expect(sent).toEqual([])
  })

  it('with an expired token waits, together with all others, for one refresh', async () => {
    const answer = heldAnswer()
    const { logins, signIn, clock, sent } = await openLogins(() => answer.promise)
    const id = await signIn()
    clock.advance(HOUR + 1)
    const waiting = Array.from({ length: 10 }, () => logins.fresh(id))
    await turns()
    expect(logins.of(id)?.state).toBe('refreshing')
    answer.give(granted(1, clock.now()))
    const tokens = (await Promise.all(waiting)).map((access) => access.kind === 'token' && access.accessToken)
    expect(tokens).toEqual(Array(10).fill('access-1'))
    expect(sent).toEqual(['refresh-0'])
  })

  it('goes on with a token that is still good while the new one is fetched', async () => {
    const answer = heldAnswer()
    const { logins, signIn, clock, sent } = await openLogins(() => answer.promise)
    const id = await signIn()
    clock.advance(HOUR - 60_000)
    expect(logins.freshAccess(id)).toMatchObject({ accessToken: 'access-0' })
    expect(logins.freshAccess(id)).toMatchObject({ accessToken: 'access-0' })
    answer.give(granted(1, clock.now()))
    await turns()
    expect(logins.freshAccess(id)).toMatchObject({ accessToken: 'access-1' })
    expect(sent).toEqual(['refresh-0'])
  })

  it('is told to wait when the refresh fails for a passing reason, and the sign-in is kept', async () => {
    const { logins, signIn, clock, sent } = await openLogins((n) => (n < 3 ? failed() : granted(n, 0)))
    const id = await signIn()
    clock.advance(HOUR)
    const first = await logins.fresh(id)
    expect(first).toEqual({
      kind: 'later',
      why: 'The sign-in could not be refreshed: no answer',
      until: clock.now() + 5_000,
    })
    expect(logins.of(id)?.state).toBe('ok')
    // Not asked again before the wait is over.
    expect(logins.freshAccess(id)).toEqual(first)
    clock.advance(5_000)
    expect(await logins.fresh(id)).toMatchObject({ kind: 'later', until: clock.now() + 10_000 })
    expect(sent).toEqual(['refresh-0', 'refresh-0'])
  })

  it('uses the old token while it is valid, whatever becomes of the refresh', async () => {
    const { logins, signIn, clock } = await openLogins(() => failed())
    const id = await signIn()
    clock.advance(HOUR - 60_000)
    logins.freshAccess(id)
    await turns()
    expect(logins.freshAccess(id)).toMatchObject({ kind: 'token', accessToken: 'access-0' })
    expect(logins.of(id)).toMatchObject({ state: 'ok', why: 'The sign-in could not be refreshed: no answer' })
  })

  it('is told to sign in again when the provider refuses, and everything is kept', async () => {
    const { logins, signIn, clock, database } = await openLogins(() => invalidGrant)
    const id = await signIn()
    clock.advance(HOUR)
    const why = 'Sign in again: the provider no longer accepts this sign-in: invalid_grant (revoked).'
    expect(await logins.fresh(id)).toEqual({ kind: 'needs-sign-in', why })
    expect(logins.of(id)).toMatchObject({ state: 'needs-sign-in', why })
    expect(logins.known(id)?.refreshToken).toBe('refresh-0')
    expect(openOAuthLoginsTable(database).find(id)?.signInAgain).toBe(why)
  })

  it('without a refresh token uses what there is until its end', async () => {
    const { logins, signIn, clock, told } = await openLogins(() => failed())
    const id = await signIn({ refreshToken: null })
    clock.advance(HOUR - 60_000)
    expect(logins.freshAccess(id)).toMatchObject({ kind: 'token' })
    clock.advance(60_000)
    expect(logins.freshAccess(id)).toMatchObject({ kind: 'needs-sign-in', why: expect.stringContaining('expired') })
    // Time alone changed what is shown.
    const before = told.changes
    clock.advance(30_000)
    expect(told.changes - before).toBeLessThanOrEqual(1)
    expect(logins.of(id)?.state).toBe('needs-sign-in')
  })
})

describe('a lost answer', () => {
  it('is asked for once more at once: some servers forgive', async () => {
    const { logins, signIn, clock, sent } = await openLogins((n) => (n === 1 ? failed(true) : granted(n, 0)))
    const id = await signIn()
    clock.advance(HOUR)
    expect(await logins.fresh(id)).toMatchObject({ kind: 'token', accessToken: 'access-2' })
    expect(sent).toEqual(['refresh-0', 'refresh-0'])
  })

  it('of a strict server needs a person, and nothing is deleted', async () => {
    const { logins, signIn, clock } = await openLogins((n) => (n === 1 ? failed(true) : invalidGrant))
    const id = await signIn()
    clock.advance(HOUR)
    expect(await logins.fresh(id)).toMatchObject({
      kind: 'needs-sign-in',
      why: expect.stringContaining('An earlier answer of the provider was lost.'),
    })
    expect(logins.known(id)).toMatchObject({ accessToken: 'access-0', refreshToken: 'refresh-0' })
  })
})

describe('the provider refuses a token that looked valid', () => {
  it('once: a refresh gives another, for all who were refused', async () => {
    const { logins, signIn, sent, clock } = await openLogins((n) => granted(n, clock.now()))
    const id = await signIn()
    const renewed = await Promise.all(Array.from({ length: 5 }, () => logins.refused(id, 'access-0')))
    expect(renewed).toEqual(Array(5).fill('access-1'))
    expect(sent).toEqual(['refresh-0'])
    // One that was slow to hear of it gets the new one without another refresh.
    expect(await logins.refused(id, 'access-0')).toBe('access-1')
    expect(sent).toHaveLength(1)
  })

  it('and the new one, too: no refresh helps', async () => {
    const { logins, signIn, sent, clock } = await openLogins((n) => granted(n, clock.now()))
    const id = await signIn()
    expect(await logins.refused(id, 'access-0')).toBe('access-1')
    expect(await logins.refused(id, 'access-1')).toBeNull()
    expect(sent).toHaveLength(1)
  })

  it('and the refresh fails, or there is none: no other token', async () => {
    const { logins, signIn } = await openLogins(() => failed())
    expect(await logins.refused(await signIn(), 'access-0')).toBeNull()
    expect(await logins.refused(await signIn({ refreshToken: null }), 'access-0')).toBeNull()
    expect(await logins.refused('con_other', 'access-0')).toBeNull()
  })
})

describe('new tokens', () => {
  it('are on the disk before anyone gets them', async () => {
    const order: string[] = []
    const { logins, signIn, clock, database } = await openLogins((n) => granted(n, clock.now()), {
      deps: {
        tokensChanged: async () => void order.push(openOAuthLoginsTable(database).list()[0]?.version ?? ''),
      },
    })
    const id = await signIn()
    const before = openOAuthLoginsTable(database).find(id)?.version
    clock.advance(HOUR)
    await logins.fresh(id)
    const after = openOAuthLoginsTable(database).find(id)?.version
    expect(after).not.toBe(before)
    expect(order).toEqual([before, after])
  })

  it('that cannot be stored are not used, and are stored later instead of asked for again', async () => {
    const vault = createMemoryVault()
    let full = false
    const { logins, signIn, clock, sent, deps } = await openLogins((n) => granted(n, clock.now()), {
      vault: { ...vault, seal: (plain) => (full ? Promise.reject(new Error('disk full')) : vault.seal(plain)) },
    })
    const id = await signIn()
    full = true
    clock.advance(HOUR)
    expect(await logins.fresh(id)).toMatchObject({
      kind: 'later',
      why: 'The new tokens could not be stored: disk full',
    })
    expect(logins.of(id)?.accessToken).toBe('access-0')
    full = false
    clock.advance(5_000)
    expect(await logins.fresh(id)).toMatchObject({ kind: 'token', accessToken: 'access-1' })
    expect(sent).toEqual(['refresh-0'])
    expect(deps.table.find(id)?.refreshedAt).not.toBeNull()
  })

  it('keep the old refresh token where no new one came', async () => {
    const { logins, signIn, clock, sent } = await openLogins((n) => granted(n, clock.now(), null))
    const id = await signIn()
    for (let i = 0; i < 2; i++) {
      clock.advance(HOUR)
      await logins.fresh(id)
    }
    expect(sent).toEqual(['refresh-0', 'refresh-0'])
    expect(logins.known(id)).toMatchObject({ accessToken: 'access-2', refreshToken: 'refresh-0', scopes: ['chat'] })
  })

  it('are masked from then on, and so is the client’s secret', async () => {
    const { logins, signIn, clock, log } = await openLogins((n) => granted(n, clock.now()))
    const id = await signIn()
    clock.advance(HOUR)
    await logins.fresh(id)
    const all = ['access-0', 'refresh-0', 'client-secret', 'access-1', 'refresh-1']
    expect([...log.secrets]).toEqual(expect.arrayContaining(all))
  })

  it('are in force for requests before those who wait go on', async () => {
    const order: string[] = []
    const { logins, signIn, clock } = await openLogins((n) => granted(n, clock.now()), {
      deps: {
        tokensChanged: async () => {
          await turns()
          order.push('in force')
        },
      },
    })
    const id = await signIn()
    clock.advance(HOUR)
    await logins.fresh(id)
    order.push('waited')
    expect(order).toEqual(['in force', 'in force', 'waited'])
  })
})

describe('the background', () => {
  it('renews ahead of the end, without anyone asking, and tries again after failures', async () => {
    const { signIn, clock, sent, logins } = await openLogins((n) => (n === 1 ? failed() : granted(n, clock.now())))
    const id = await signIn()
    clock.advance(HOUR - 300_000 - 30_001)
    expect(sent).toEqual([])
    clock.advance(60_000)
    await turns()
    expect(sent).toHaveLength(1)
    clock.advance(60_000)
    await turns()
    expect(sent).toHaveLength(2)
    expect(logins.of(id)).toMatchObject({ state: 'ok', accessToken: 'access-2' })
  })

  it('leaves removed connections alone, until they are brought back', async () => {
    const { signIn, clock, sent, connections } = await openLogins((n) => granted(n, clock.now()))
    const id = await signIn()
    connections.softRemove(id, 1)
    clock.advance(2 * HOUR)
    await turns()
    expect(sent).toEqual([])
    connections.restore(id)
    clock.advance(30_000)
    await turns()
    expect(sent).toHaveLength(1)
  })

  it('knows nothing of connections removed in an earlier run', async () => {
    const { signIn, database, connections } = await openLogins(() => failed())
    const id = await signIn()
    connections.softRemove(id, 1)
    const { logins } = await openLogins(() => failed(), { database })
    expect(logins.of(id)).toBeNull()
  })

  it('ends with the gateway, which waits a moment for a refresh under way', async () => {
    const answer = heldAnswer()
    const { logins, signIn, clock, deps } = await openLogins(() => answer.promise)
    const id = await signIn()
    clock.advance(HOUR)
    void logins.fresh(id)
    await turns()
    let closed = false
    const closing = logins.close().then(() => {
      closed = true
    })
    await turns()
    expect(closed).toBe(false)
    answer.give(granted(1, clock.now()))
    await closing
    expect(deps.table.find(id)?.refreshedAt).toBe(clock.now())
  })

  it('does not hold up the end for long', async () => {
    const { logins, signIn, clock } = await openLogins(() => new Promise(() => {}))
    const id = await signIn()
    clock.advance(HOUR)
    void logins.fresh(id)
    await turns()
    const closing = logins.close()
    clock.advance(1_000)
    await closing
  })
})

/** A sign-in whose access token has just ended. */
const expired = (now: number) => ({ issuedAt: now - HOUR, expiresAt: now })

describe('two processes with one store', () => {
  it('make one refresh: the other finds the new tokens in the store', async () => {
    const answer = heldAnswer()
    const vault = createMemoryVault()
    const one = await openLogins(() => answer.promise, { vault })
    const id = await one.signIn(expired(one.clock.now()))
    const two = await openLogins(() => invalidGrant, { database: one.database, clock: one.clock, vault })
    const first = one.logins.fresh(id)
    await turns()
    const second = two.logins.fresh(id)
    await turns()
    answer.give(granted(1, one.clock.now()))
    expect(await first).toMatchObject({ kind: 'token', accessToken: 'access-1' })
    one.clock.advance(200)
    expect(await second).toMatchObject({ kind: 'token', accessToken: 'access-1' })
    expect([...one.sent, ...two.sent]).toEqual(['refresh-0'])
  })

  it('go on when the one that was exchanging dies', async () => {
    const vault = createMemoryVault()
    const one = await openLogins(() => new Promise(() => {}), { vault })
    const id = await one.signIn(expired(one.clock.now()))
    const two = await openLogins((n) => granted(n, one.clock.now()), {
      database: one.database,
      clock: one.clock,
      vault,
    })
    void one.logins.fresh(id)
    await turns()
    const second = two.logins.fresh(id)
    for (let i = 0; i < 400 && two.sent.length === 0; i++) {
      one.clock.advance(200)
      await turns()
    }
    expect(await second).toMatchObject({ kind: 'token', accessToken: 'access-1' })
  })

  it('believe the store more than a refusal: it may hold a newer token', async () => {
    const vault = createMemoryVault()
    const one = await openLogins(
      async () => {
        // Another program that knows no claims was faster.
        const other = openOAuthLoginsTable(one.database)
        const stored = other.find(id)
        if (stored === null) throw new Error('not there')
        const secret = await vault.seal(
          JSON.stringify({ accessToken: 'access-9', refreshToken: 'refresh-9', clientSecret: null }),
        )
        other.renew(id, stored.version, {
          ...stored,
          secret,
          issuedAt: one.clock.now(),
          expiresAt: one.clock.now() + HOUR,
        })
        return invalidGrant
      },
      { vault },
    )
    const id = await one.signIn()
    one.clock.advance(HOUR)
    expect(await one.logins.fresh(id)).toMatchObject({ kind: 'token', accessToken: 'access-9' })
    expect(one.logins.of(id)?.state).toBe('ok')
  })

  it('hear of a person who signed in again in the other one', async () => {
    const vault = createMemoryVault()
    const one = await openLogins(() => invalidGrant, { vault })
    const id = await one.signIn()
    const two = await openLogins(() => invalidGrant, { database: one.database, clock: one.clock, vault })
    one.clock.advance(HOUR)
    await one.logins.fresh(id)
    await two.logins.put(() => id, loginAt(one.clock.now(), { accessToken: 'access-5' }))
    one.clock.advance(30_000)
    await turns()
    expect(one.logins.freshAccess(id)).toMatchObject({ kind: 'token', accessToken: 'access-5' })
  })
})

describe('a person', () => {
  it('who signs in during a refresh is not overruled by it', async () => {
    const answer = heldAnswer()
    const { logins, signIn, clock } = await openLogins(() => answer.promise)
    const id = await signIn()
    clock.advance(HOUR)
    const waiting = logins.fresh(id)
    await turns()
    await logins.put(() => id, loginAt(clock.now(), { accessToken: 'by hand', refreshToken: 'by hand too' }))
    answer.give(granted(1, clock.now()))
    expect(await waiting).toMatchObject({ accessToken: 'by hand' })
    expect(logins.freshAccess(id)).toMatchObject({ accessToken: 'by hand' })
    expect(logins.known(id)?.refreshToken).toBe('by hand too')
  })

  it('may ask for a refresh at any time, also after a refusal', async () => {
    const { logins, signIn, clock, sent } = await openLogins((n) => (n === 1 ? invalidGrant : granted(n, clock.now())))
    const id = await signIn()
    expect(await logins.refresh(id)).toMatchObject({ kind: 'needs-sign-in' })
    expect(await logins.refresh(id)).toMatchObject({ kind: 'token', accessToken: 'access-2' })
    expect(sent).toEqual(['refresh-0', 'refresh-0'])
  })

  it('who gives a key instead ends the sign-in', async () => {
    const { logins, signIn, deps, told } = await openLogins(() => failed())
    const id = await signIn()
    const before = told.tokens
    await logins.remove(id)
    expect(logins.of(id)).toBeNull()
    expect(deps.table.find(id)).toBeNull()
    expect(told.tokens).toBe(before + 1)
  })
})

describe('after a restart', () => {
  it('the sign-in is there, sealed in between', async () => {
    const vault = createMemoryVault()
    const first = await openLogins(() => failed(), { vault })
    const id = await first.signIn()
    const raw = first.database.prepare('SELECT * FROM oauth_logins').get() as Record<string, unknown>
    const bytes = Object.values(raw).map((value) => (Buffer.isBuffer(value) ? value.toString('latin1') : String(value)))
    for (const secret of ['access-0', 'refresh-0', 'client-secret']) expect(bytes.join(' ')).not.toContain(secret)
    const second = await openLogins(() => failed(), { database: first.database, clock: first.clock, vault })
    expect(second.logins.known(id)).toEqual(loginAt(first.clock.now()))
    expect(second.logins.freshAccess(id)).toMatchObject({ kind: 'token', accessToken: 'access-0' })
  })

  it('one that cannot be opened asks for a person, and is kept', async () => {
    const first = await openLogins(() => failed())
    const id = await first.signIn()
    const { logins, deps } = await openLogins(() => failed(), { database: first.database })
    expect(logins.of(id)).toMatchObject({ state: 'needs-sign-in', locked: true, accessToken: null })
    expect(logins.freshAccess(id)).toMatchObject({ kind: 'needs-sign-in' })
    expect(await logins.refresh(id)).toMatchObject({ kind: 'needs-sign-in' })
    expect(deps.table.find(id)).not.toBeNull()
  })

  it('a refusal is still known', async () => {
    const vault = createMemoryVault()
    const first = await openLogins(() => invalidGrant, { vault })
    const id = await first.signIn()
    await first.logins.refresh(id)
    const { logins } = await openLogins(() => failed(), { database: first.database, vault })
    expect(logins.of(id)).toMatchObject({ state: 'needs-sign-in', why: expect.stringContaining('Sign in again') })
  })

  it('a deleted connection’s sign-in is gone with it', async () => {
    const { signIn, database, deps } = await openLogins(() => failed())
    const id = await signIn()
    openConnectionsTable(database).softRemove(id, 1)
    expect(deps.table.find(id)).not.toBeNull()
    openConnectionsTable(database).purgeRemoved()
    expect(deps.table.find(id)).toBeNull()
  })
})

describe('a fault inside the gateway', () => {
  it('never leaves a sign-in refreshing for ever', async () => {
    let broken = true
    const { logins, signIn, clock } = await openLogins((n) => {
      if (broken) throw new Error('a fault')
      return granted(n, clock.now())
    })
    const id = await signIn()
    clock.advance(HOUR)
    expect(await logins.fresh(id)).toMatchObject({ kind: 'later', why: 'The refresh failed: a fault' })
    broken = false
    clock.advance(5_000)
    expect(await logins.fresh(id)).toMatchObject({ kind: 'token' })
  })

  it('of the registry does not lose new tokens', async () => {
    let broken = false
    const { logins, signIn, clock } = await openLogins((n) => granted(n, clock.now()), {
      deps: { tokensChanged: () => (broken ? Promise.reject(new Error('a fault')) : Promise.resolve()) },
    })
    const id = await signIn()
    broken = true
    clock.advance(HOUR)
    expect(await logins.fresh(id)).toMatchObject({ kind: 'token', accessToken: 'access-1' })
  })
})
