// What is held against each connection: its rest, the state of its account, its last error. A connection without an
// entry is well; a success that began after the last mark takes the entry away.
import type { Reason } from '../contract/kinds'
import type { StoredCooldown, StoredRetry } from '../store/cooldowns-table'
import type { StoredTerminal } from '../store/terminal-states-table'
import {
  type Cooldown,
  type CooldownLimits,
  NO_COOLDOWN,
  onFailure,
  type Rest,
  restAlong,
  settled,
} from './connection-cooldown'
import type { Admission, Failure, Gate, RestOrder } from './health-events'
import { isRunning } from './rest'
import {
  type Account,
  FINE,
  NO_STREAK,
  onAccountOrder,
  onRetried,
  type RetryOutcome,
  retryGateEnds,
  type Streak,
  settledAccount,
} from './terminal'

export interface LastError {
  readonly message: string
  readonly reason: Reason
  readonly at: number
  readonly status: number | null
}

export interface ConnectionEntry {
  readonly cooldown: Cooldown
  readonly account: Account
  readonly streak: Streak
  readonly lastError: LastError | null
  /** Order of the last mark among all marks and admissions: who was let through before it knows nothing of it. */
  readonly seq: number
}
const WELL: ConnectionEntry = { cooldown: NO_COOLDOWN, account: FINE, streak: NO_STREAK, lastError: null, seq: 0 }

const MAX_ERROR = 100

export interface MarkContext {
  readonly seq: number
  readonly limits: CooldownLimits
  /** The connection opts out of rests; what is held against its account applies all the same. */
  readonly coolingDisabled: boolean
  readonly now: number
  readonly random: () => number
}

export class ConnectionBook {
  private readonly entries = new Map<string, ConnectionEntry>()
  /** Order of a person's last word about a connection. */
  private readonly clearedAt = new Map<string, number>()

  constructor(private readonly changed: (connectionId: string) => void) {}

  /** As time has left it; undefined: it is well. */
  entry(connectionId: string, now: number): ConnectionEntry | undefined {
    const entry = this.entries.get(connectionId)
    if (entry === undefined) return undefined
    const cooldown = settled(entry.cooldown, now)
    const account = settledAccount(entry.account, now)
    if (cooldown === entry.cooldown && account === entry.account) return entry
    const next = { ...entry, cooldown, account }
    this.put(connectionId, next)
    return next
  }

  gate(connectionId: string, now: number): Gate | null {
    const entry = this.entry(connectionId, now)
    return entry === undefined ? null : (accountGate(entry.account, now) ?? restGate(entry.cooldown, now))
  }

  /** Nothing is written over a terminal state. */
  failed(admission: Admission, failure: Failure, context: MarkContext): ConnectionEntry {
    const { now, seq } = context
    const { connectionId } = admission
    const entry = this.entry(connectionId, now) ?? WELL
    if (entry.account.kind === 'terminal') return entry
    const isNews = admission.seq > entry.seq
    const { reason, message, status } = failure
    const isResting = entry.cooldown.rest !== null && isRunning(entry.cooldown.rest, now)
    const judged =
      failure.account === null
        ? { account: entry.account, streak: entry.streak, rest: null }
        : onAccountOrder(entry.account, entry.streak, failure.account, { why: message, status, isNews, isResting }, now)
    const order: RestOrder | null = judged.rest ?? failure.rest
    const next: ConnectionEntry = {
      account: judged.account,
      streak: judged.streak,
      cooldown:
        order === null || context.coolingDisabled || judged.account.kind === 'terminal'
          ? entry.cooldown
          : onFailure(entry.cooldown, order, { reason, message, isNews }, context.limits, now, context.random),
      lastError: { message: message.slice(0, MAX_ERROR), reason, at: now, status },
      // What only locks a model says nothing of the connection.
      seq: order === null && failure.account === null ? entry.seq : seq,
    }
    this.put(connectionId, next)
    return next
  }

  /** A sibling rests along, unless it is terminal or rests as long already. @returns whether it does now */
  restAlong(connectionId: string, rest: Rest, seq: number, now: number): boolean {
    const entry = this.entry(connectionId, now) ?? WELL
    const cooldown = entry.account.kind === 'terminal' ? null : restAlong(entry.cooldown, rest, now)
    if (cooldown === null) return false
    this.put(connectionId, { ...entry, cooldown, seq })
    return true
  }

  /** Of a request that was let through after the last mark; an older one says nothing of what came since. */
  succeeded({ connectionId, seq }: Admission): void {
    const entry = this.entries.get(connectionId)
    if (entry === undefined || entry.account.kind === 'terminal' || seq < entry.seq) return
    this.forget(connectionId)
  }

  /** New credentials, a reset, or a person's successful test: nothing is held against it any more. */
  clear(connectionId: string, seq: number): void {
    this.clearedAt.set(connectionId, seq)
    this.forget(connectionId)
  }

  /** Whether a person has spoken since the request was let through: it may have been sent with the old key. */
  wasClearedSince({ connectionId, seq }: Admission): boolean {
    return seq < (this.clearedAt.get(connectionId) ?? 0)
  }

  retried(connectionId: string, outcome: RetryOutcome, seq: number, now: number): void {
    const entry = this.entry(connectionId, now)
    if (entry === undefined) return
    const account = onRetried(entry.account, outcome, now)
    if (account === entry.account) return
    this.put(connectionId, { ...entry, account, seq })
  }

  /** Refused with 401, and it is time to try again. */
  dueRetries(now: number): string[] {
    return [...this.entries.keys()].filter((id) => {
      const account = this.entry(id, now)?.account
      return account?.kind === 'retrying' && !isRunning(account.wait, now)
    })
  }

  /** Those of connections that are gone are forgotten, also on the disk. */
  keepOnly(known: ReadonlySet<string>): void {
    for (const id of [...this.entries.keys()]) if (!known.has(id)) this.forget(id)
  }

  /** Ends a rest or a pending retry, and what it would grow by. */
  clearCooldown(connectionId: string, now: number): 'cleared' | 'unchanged' | 'terminal' {
    const entry = this.entry(connectionId, now)
    if (entry === undefined) return 'unchanged'
    if (entry.account.kind === 'terminal') return 'terminal'
    const isOut = entry.account.kind === 'retrying' || entry.cooldown.rest !== null || entry.cooldown.backoffLevel > 0
    if (!isOut) return 'unchanged'
    this.put(connectionId, { ...entry, cooldown: NO_COOLDOWN, account: FINE })
    return 'cleared'
  }

  restore(
    cooldowns: readonly StoredCooldown[],
    retries: readonly StoredRetry[],
    terminals: readonly StoredTerminal[],
  ): void {
    const change = (id: string, part: Partial<ConnectionEntry>): void =>
      void this.entries.set(id, { ...(this.entries.get(id) ?? WELL), ...part })
    for (const { connectionId, backoffLevel, rest, lastError } of cooldowns) {
      // The streak itself is not kept; a stored refusal is where it begins.
      const rejected = lastError?.reason === 'request_rejected'
      const streak = rejected ? { count: 1, lastAt: lastError.at } : NO_STREAK
      change(connectionId, { cooldown: { backoffLevel, rest }, lastError, streak })
    }
    for (const { connectionId, firstAt, retries: failed, since, retryAt, why, status } of retries) {
      const wait = { since, until: retryAt }
      change(connectionId, { account: { kind: 'retrying', firstAt, retries: failed, wait, why, status } })
    }
    for (const { connectionId, ...terminal } of terminals)
      change(connectionId, { account: { kind: 'terminal', ...terminal } })
  }

  private forget(connectionId: string): void {
    if (this.entries.delete(connectionId)) this.changed(connectionId)
  }

  private put(connectionId: string, entry: ConnectionEntry): void {
    this.entries.set(connectionId, entry)
    this.changed(connectionId)
  }
}

function accountGate(account: Account, now: number): Gate | null {
  switch (account.kind) {
    case 'fine':
      return null
    case 'terminal': {
      const { state, why } = account
      // A clock set back makes nothing begin in the future.
      const since = Math.min(account.since, now)
      return {
        kind: 'closed',
        gate: 'terminal',
        reason: TERMINAL_REASONS[state],
        since,
        until: null,
        why,
        endsBy: 'person',
      }
    }
    case 'retrying': {
      const ends = retryGateEnds(account)
      if (now >= ends) return null
      const until = isRunning(account.wait, now) ? account.wait.until : ends
      const { why } = account
      const since = Math.min(account.firstAt, now)
      return { kind: 'closed', gate: 'sign-in-retry', reason: 'auth_error', since, until, why, endsBy: 'retry' }
    }
  }
}

const TERMINAL_REASONS = {
  banned: 'banned',
  expired: 'auth_error',
  credits_exhausted: 'credits_exhausted',
} as const satisfies Record<string, Reason>

function restGate({ rest }: Cooldown, now: number): Gate | null {
  if (rest === null || !isRunning(rest, now)) return null
  const { reason, since, until, message: why } = rest
  return { kind: 'closed', gate: 'cooldown', reason, since, until, why, endsBy: 'time' }
}

/** What is written down of a connection. */
export function toStoredConnection(
  connectionId: string,
  entry: ConnectionEntry | undefined,
): { cooldown: StoredCooldown | null; retry: StoredRetry | null; terminal: StoredTerminal | null } {
  if (entry === undefined) return { cooldown: null, retry: null, terminal: null }
  const { cooldown, account, lastError } = entry
  const { backoffLevel, rest } = cooldown
  return {
    cooldown:
      backoffLevel === 0 && rest === null && lastError === null
        ? null
        : { connectionId, backoffLevel, rest, lastError },
    retry:
      account.kind === 'retrying'
        ? {
            ...{ connectionId, firstAt: account.firstAt, retries: account.retries, since: account.wait.since },
            ...{ retryAt: account.wait.until, why: account.why, status: account.status },
          }
        : null,
    terminal:
      account.kind === 'terminal'
        ? { connectionId, state: account.state, since: account.since, why: account.why, status: account.status }
        : null,
  }
}
