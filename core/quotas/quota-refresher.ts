// Asks the providers' pages in the background how much is left, for connections in use and never more often than the
// setting says. A failure is noted and shown; it never counts against anyone, and no request waits for it.
import type { Clock, Timer } from '../clock'
import { AtOnce } from '../flow/at-once'
import type { Logger } from '../host'
import type { Transport } from '../pipeline/transport'
import { getText } from '../providers/get-text'
import { getWords } from '../providers/get-words'
import { quotaCall } from '../providers/models-call'
import type { ProviderRow } from '../providers/provider-row'
import { type Connection, type Registry, unusableBecause } from '../providers/registry'
import { readPage } from './page-readers'
import type { QuotaBook } from './quota-book'
import type { QuotaPage } from './quota-page'

export interface QuotaRefresherDeps {
  readonly clock: Clock
  readonly log: Logger
  readonly redact: (text: string) => string
  readonly registry: () => Registry
  readonly transport: () => Transport
  readonly book: QuotaBook
  /** Minutes between two looks at a page; 0: never. */
  readonly everyMinutes: () => number
  /** When a connection was used last; null: never. */
  readonly lastUsedAt: (connectionId: string) => number | null
  /** Only a person can end what is held against it: its key is not shown around. */
  readonly isOut: (connectionId: string) => boolean
  /** What is known has changed. */
  readonly changed: () => void
}

const MINUTE_MS = 60_000
const START_DELAY_MS = 4_000
const TICK_MS = MINUTE_MS
const SETTLE_MS = 500
const LIMIT_MS = 5_000
const AT_ONCE = 5
/** One not used for so long is not asked about. */
const UNUSED_MS = 86_400_000
const LONGEST_PAUSE_MS = 3_600_000

interface Looked {
  readonly at: number
  /** In a row. */
  readonly failures: number
}

export class QuotaRefresher {
  private readonly looked = new Map<string, Looked>()
  private readonly running = new Set<string>()
  private readonly atOnce = new AtOnce(AT_ONCE)
  /** Whose account it is, by connection. */
  private accounts: ReadonlyMap<string, string>
  private readonly timers: Timer[] = []
  private settling: Timer | null = null
  private stopped = false

  constructor(private readonly deps: QuotaRefresherDeps) {
    this.accounts = accountsOf(deps.registry())
  }

  start(): void {
    const { clock } = this.deps
    this.timers.push(
      clock.after(START_DELAY_MS, () => this.look()),
      clock.every(TICK_MS, () => this.look()),
    )
  }

  stop(): void {
    this.stopped = true
    for (const timer of this.timers) timer.cancel()
    this.settling?.cancel()
  }

  /** What was known of another key, or of a connection that is gone, is forgotten; a new one is asked for soon. */
  registryChanged(): void {
    const next = accountsOf(this.deps.registry())
    for (const [id, account] of this.accounts) {
      if (next.get(id) === account) continue
      this.deps.book.forget(id)
      this.looked.delete(id)
    }
    const isNew = [...next].some(([id, account]) => this.accounts.get(id) !== account)
    this.accounts = next
    if (!isNew || this.stopped) return
    // Several changes make one look.
    this.settling?.cancel()
    this.settling = this.deps.clock.after(SETTLE_MS, () => void this.look())
  }

  /** Asks for all that is due. Resolves when the last answer is there or has failed. */
  async look(): Promise<void> {
    if (this.stopped || this.deps.everyMinutes() === 0) return
    const due: Promise<void>[] = []
    for (const { row, connections } of this.deps.registry().values()) {
      if (row.quotaPage === null) continue
      for (const connection of connections) {
        if (this.isDue(row, connection)) due.push(this.ask(row, row.quotaPage, connection))
      }
    }
    await Promise.all(due)
  }

  private isDue(row: ProviderRow, connection: Connection): boolean {
    const { clock, lastUsedAt, isOut, everyMinutes } = this.deps
    const { id } = connection
    if (this.running.has(id) || unusableBecause(row, connection) !== null || isOut(id)) return false
    const now = clock.now()
    const usedAt = lastUsedAt(id)
    const last = this.looked.get(id)
    // A clock that was set back must not put it off.
    const isInUse = usedAt === null || now - usedAt < UNUSED_MS
    if (last === undefined || now < last.at) return isInUse
    const pause = everyMinutes() * MINUTE_MS
    const wait = last.failures === 0 ? pause : Math.max(pause, Math.min(pause * 2 ** last.failures, LONGEST_PAUSE_MS))
    if (now - last.at < wait) return false
    if (last.failures > 0 || this.deps.book.find(id)?.isSpentByPage === true) return isInUse
    return usedAt !== null && usedAt > last.at - pause
  }

  private async ask(row: ProviderRow, page: QuotaPage, connection: Connection): Promise<void> {
    const call = quotaCall(row, connection)
    if (call === null) return
    const { id } = connection
    const account = this.accounts.get(id)
    const { clock, transport, book, redact, log, changed } = this.deps
    this.running.add(id)
    await this.atOnce.run(async () => {
      if (this.stopped) return
      const { text, outcome } = await getText(transport(), call, clock, LIMIT_MS)
      // Its key was changed, or it was removed, while the page was asked.
      if (this.stopped || this.accounts.get(id) !== account) return
      const now = clock.now()
      const reading = outcome === null ? readPage(page, text, now) : null
      const { failures } = this.looked.get(id) ?? { failures: 0 }
      this.looked.set(id, { at: now, failures: reading === null ? failures + 1 : 0 })
      if (reading !== null) book.read(id, reading, now)
      else {
        const words =
          outcome === null
            ? `${call.origin} answers in a form that cannot be read`
            : getWords(call.origin, outcome, 'answer')
        const why = redact(words)
        log.debug({ provider: row.id, connectionId: id }, `the allowance could not be read: ${why}`)
        book.failed(id, { why, at: now, hidesQuota: page.kind === 'windows' })
      }
      changed()
    })
    this.running.delete(id)
  }
}

/** Tokens of a sign-in come and go; the account stays. */
const accountsOf = (registry: Registry): ReadonlyMap<string, string> =>
  new Map(
    [...registry.values()].flatMap(({ connections }) =>
      connections.map(
        ({ id, apiKey, login, baseUrl }) => [id, login === undefined ? `${apiKey} ${baseUrl}` : ''] as const,
      ),
    ),
  )
