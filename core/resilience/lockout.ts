// One model of one connection rests. In memory only; ends by its time, a person, or successes (docs/resilience.md,
// "Model lockout").
import type { Reason } from '../contract/kinds'
import type { ResilienceSettings } from '../contract/resilience-settings'
import type { Admission, LockOrder, LockScope, ProviderFacts, Subject } from './health-events'
import { anchored, isRunning, LONGEST_REST_MS, SECOND_MS, type Span, span, statedWait } from './rest'

export interface Lock extends Span {
  readonly key: string
  readonly providerId: string
  readonly connectionId: string
  /** What rests: a model, or a family of models that share a quota. */
  readonly model: string
  readonly reason: Reason
  readonly message: string
  readonly failureCount: number
  /** Failures within this time of the last one are counted on. */
  readonly windowMs: number
  /** Order of marks and admissions, as in `Admission`. */
  readonly seq: number
}

type LockSettings = ResilienceSettings['modelLockout']

export const MAX_LOCKS = 1_000
/** Where no breaker's reset timeout is known. */
export const USUAL_WINDOW_MS = 1_800_000

/** The family of models that share a quota with this one; the model itself where the provider has none. */
export const quotaFamily = ({ quotaFamilies }: Pick<ProviderFacts, 'quotaFamilies'>, model: string): string =>
  quotaFamilies.find(({ models }) => models.test(model))?.family ?? model

/** 402, 403 and 429 are about a quota, 404 about a model; all else is about exactly this model. */
export function lockScope(status: number | null): LockScope {
  switch (status) {
    case 402:
    case 403:
    case 429:
      return 'quota'
    case 404:
      return 'not-found'
    default:
      return 'exact'
  }
}

function lockName(facts: ProviderFacts, model: string, scope: LockScope): string {
  switch (scope) {
    case 'quota':
      return quotaFamily(facts, model)
    case 'not-found':
      return model
    case 'exact':
      return `exact:${model.toLowerCase()}`
  }
}

export const lockKey = (facts: ProviderFacts, { connectionId, model }: Subject, scope: LockScope): string =>
  `${facts.id}:${connectionId}:${lockName(facts, model, scope)}`

const SCOPES: readonly LockScope[] = ['quota', 'not-found', 'exact']

export interface LockMark {
  readonly reason: Reason
  readonly message: string
  /** Of the mark itself. */
  readonly seq: number
  /** The breaker's reset timeout of this provider: part of the window in which failures add up. */
  readonly resetTimeoutMs: number | null
}

export class LockBook {
  private readonly byConnection = new Map<string, Map<string, Lock>>()
  private count = 0

  /** null where nothing locks the model; costs one look where the connection has no locks. */
  find(facts: ProviderFacts, subject: Subject, now: number): Lock | null {
    const locks = this.byConnection.get(subject.connectionId)
    if (locks === undefined) return null
    let longest: Lock | null = null
    for (const scope of SCOPES) {
      const lock = this.current(locks, lockKey(facts, subject, scope), now)
      if (lock === null || !isRunning(lock, now)) continue
      if (longest === null || lock.until > longest.until) longest = lock
    }
    return longest
  }

  /** @returns the lock in force; null where the book is full of running ones */
  record(
    facts: ProviderFacts,
    admission: Admission,
    order: LockOrder,
    mark: LockMark,
    settings: LockSettings,
    now: number,
  ): Lock | null {
    const { connectionId, model } = admission
    const key = lockKey(facts, admission, order.scope)
    const before = this.byConnection.get(connectionId)?.get(key)
    const known = before === undefined ? null : anchored(before, now)
    if (known === null && !this.makeRoom(now)) return null
    const next = nextLock(known, admission.seq, order, settings, now)
    if (next === null) return known
    const lock: Lock = {
      ...next,
      key,
      providerId: facts.id,
      connectionId,
      model: order.scope === 'quota' ? quotaFamily(facts, model) : model,
      reason: mark.reason,
      message: mark.message,
      windowMs: (mark.resetTimeoutMs ?? USUAL_WINDOW_MS) + (next.until - next.since),
      seq: mark.seq,
    }
    this.put(lock)
    return lock
  }

  /** A success halves the count of each lock of its model, and removes it at 0. One that was under way says nothing. */
  succeeded(facts: ProviderFacts, admission: Admission): void {
    const locks = this.byConnection.get(admission.connectionId)
    if (locks === undefined) return
    for (const key of new Set(SCOPES.map((scope) => lockKey(facts, admission, scope)))) {
      const lock = locks.get(key)
      if (lock === undefined || admission.seq < lock.seq) continue
      const failureCount = Math.floor(lock.failureCount / 2)
      if (failureCount === 0) this.drop(lock)
      else locks.set(lock.key, { ...lock, failureCount })
    }
  }

  /** Those in force, the longest first. */
  list(now: number): Lock[] {
    return [...this.all()]
      .map((lock) => anchored(lock, now))
      .filter((lock) => isRunning(lock, now))
      .sort((a, b) => b.until - a.until)
  }

  ofConnection(connectionId: string, now: number): Lock[] {
    return this.byConnection.has(connectionId)
      ? this.list(now).filter((lock) => lock.connectionId === connectionId)
      : []
  }

  /** @param connectionId null: of every connection of the provider. @returns how many were removed */
  remove(facts: ProviderFacts, connectionId: string | null, model: string): number {
    const found = [...this.all()].filter((lock) => {
      if (lock.providerId !== facts.id || (connectionId !== null && lock.connectionId !== connectionId)) return false
      const subject = { providerId: facts.id, connectionId: lock.connectionId, model }
      return lock.model === model || SCOPES.some((scope) => lock.key === lockKey(facts, subject, scope))
    })
    for (const lock of found) this.drop(lock)
    return found.length
  }

  clearConnection(connectionId: string): number {
    const removed = this.byConnection.get(connectionId)?.size ?? 0
    this.byConnection.delete(connectionId)
    this.count -= removed
    return removed
  }

  clear(): number {
    const removed = this.count
    this.byConnection.clear()
    this.count = 0
    return removed
  }

  /** Called now and then: what neither rests nor adds up any more is forgotten. */
  cleanUp(now: number): void {
    for (const lock of this.all()) if (isForgotten(anchored(lock, now), now)) this.drop(lock)
  }

  get size(): number {
    return this.count
  }

  private *all(): Iterable<Lock> {
    for (const locks of this.byConnection.values()) yield* locks.values()
  }

  private current(locks: Map<string, Lock>, key: string, now: number): Lock | null {
    const lock = locks.get(key)
    if (lock === undefined) return null
    const set = anchored(lock, now)
    if (set !== lock) locks.set(key, set)
    return set
  }

  private put(lock: Lock): void {
    let locks = this.byConnection.get(lock.connectionId)
    if (locks === undefined) {
      locks = new Map()
      this.byConnection.set(lock.connectionId, locks)
    }
    if (!locks.has(lock.key)) this.count++
    locks.set(lock.key, lock)
  }

  private drop({ connectionId, key }: Lock): void {
    const locks = this.byConnection.get(connectionId)
    if (locks === undefined || !locks.delete(key)) return
    this.count--
    if (locks.size === 0) this.byConnection.delete(connectionId)
  }

  /** Only what has ended makes room: a lock in force is never given up for another. */
  private makeRoom(now: number): boolean {
    if (this.count < MAX_LOCKS) return true
    for (const lock of this.all()) if (!isRunning(anchored(lock, now), now)) this.drop(lock)
    return this.count < MAX_LOCKS
  }
}

const isForgotten = (lock: Lock, now: number): boolean => !isRunning(lock, now) && now - lock.since > lock.windowMs

/** null: the lock that runs stays as it is. Failures that come while it runs were under way before: they add nothing. */
function nextLock(
  known: Lock | null,
  seq: number,
  order: LockOrder,
  settings: LockSettings,
  now: number,
): (Span & Pick<Lock, 'failureCount'>) | null {
  const stated = statedWait(order.ms)
  if (known !== null && isRunning(known, now)) {
    const exact = stated === null ? null : span(exactMs(stated, order, settings), now)
    return exact !== null && exact.until > known.until ? { ...exact, failureCount: known.failureCount } : null
  }
  const isNews = known === null || seq > known.seq
  const adds = known !== null && now - known.since <= known.windowMs
  const failureCount = adds ? known.failureCount + (isNews ? 1 : 0) : 1
  if (stated !== null && stated > 0) {
    return { ...span(exactMs(stated, order, settings), now), failureCount: order.isReset ? 1 : failureCount }
  }
  const ms = stated === 0 ? SECOND_MS : ladderMs(failureCount, settings)
  return { ...span(ms, now), failureCount }
}

const exactMs = (ms: number, { isReset, longestMs }: LockOrder, { maxCooldownMs }: LockSettings): number =>
  Math.min(ms, isReset ? (longestMs ?? LONGEST_REST_MS) : maxCooldownMs)

/** base · 2^(failures − 1), within the cap. */
function ladderMs(failureCount: number, settings: LockSettings): number {
  const { baseCooldownMs, maxBackoffSteps, maxCooldownMs, useExponentialBackoff } = settings
  if (!useExponentialBackoff) return Math.min(baseCooldownMs, maxCooldownMs)
  return Math.min(baseCooldownMs * 2 ** Math.min(failureCount - 1, maxBackoffSteps), maxCooldownMs)
}
