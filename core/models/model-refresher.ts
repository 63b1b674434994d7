// Keeps the providers' model lists fresh in the background: soon after the start, when connections change, and every
// few hours. A list that cannot be fetched leaves the old one in place, and feeds nobody's health.
import type { Clock, Timer } from '../clock'
import { AtOnce } from '../flow/at-once'
import type { Logger } from '../host'
import type { Transport } from '../pipeline/transport'
import type { Registry } from '../providers/registry'
import { fetchModelList } from './fetch-model-list'
import { type CallOf, type ListPlace, listPlaces, placeKey } from './list-places'
import type { ListedModel } from './parse-model-list'

export interface RefresherDeps {
  readonly clock: Clock
  /** 0 ≤ x < 1. */
  readonly random: () => number
  readonly log: Logger
  readonly registry: () => Registry
  readonly callOf: CallOf
  readonly transport: () => Transport
  /** Hours between two fetches of a list; 0: only at the start, on a change, and when a person asks. */
  readonly everyHours: () => number
  readonly redact: (text: string) => string
  /** When the list of a place was fetched last; null: never. */
  readonly fetchedAt: (place: ListPlace) => number | null
  readonly fetched: (place: ListPlace, models: readonly ListedModel[]) => void
  /** `why`: in words for a person. */
  readonly failed: (place: ListPlace, why: string) => void
}

const START_DELAY_MS = 3_000
/** A start soon after the last one asks nobody again. */
const FRESH_MS = 10 * 60_000
/** Several changes of connections make one round. */
const SETTLE_MS = 500
const TICK_MS = 60_000
const FIRST_RETRY_MS = 10 * 60_000
const HOUR_MS = 3_600_000
const AT_ONCE = 2

export class ModelRefresher {
  /** Moments by place. Places that are not in here are due. */
  private readonly dueAt = new Map<string, number>()
  private readonly failures = new Map<string, number>()
  private readonly signatures = new Map<string, string>()
  private readonly running = new Map<string, Promise<void>>()
  private readonly timers: Timer[] = []
  private settling: Timer | null = null
  private readonly atOnce = new AtOnce(AT_ONCE)
  private stopped = false

  constructor(private readonly deps: RefresherDeps) {}

  start(): void {
    const { clock, random } = this.deps
    for (const place of this.places()) this.signatures.set(placeKey(place), place.signature)
    this.timers.push(
      clock.after(START_DELAY_MS * (1 + random()), () => this.round(FRESH_MS)),
      clock.every(TICK_MS, () => this.tick()),
    )
  }

  stop(): void {
    this.stopped = true
    for (const timer of this.timers) timer.cancel()
    this.settling?.cancel()
  }

  /** Connections or keys may have changed: what leads to a new place, or there with a new key, is fetched. */
  connectionsChanged(): void {
    if (this.stopped) return
    if (this.settling !== null) {
      this.settling.restart()
      return
    }
    this.settling = this.deps.clock.after(SETTLE_MS, () => {
      this.settling = null
      for (const place of this.places()) {
        const key = placeKey(place)
        if (this.signatures.get(key) === place.signature) continue
        this.signatures.set(key, place.signature)
        void this.refresh(place)
      }
    })
  }

  /** A person asks: all lists of one provider, or all there are. Resolves when the last one is there or has failed. */
  async refreshNow(provider?: string): Promise<void> {
    const places = this.places().filter((place) => provider === undefined || place.provider === provider)
    await Promise.all(places.map((place) => this.refresh(place)))
  }

  private places(): ListPlace[] {
    return listPlaces(this.deps.registry(), this.deps.callOf)
  }

  /** Fetches what is older than this. */
  private round(freshMs: number): void {
    const now = this.deps.clock.now()
    for (const place of this.places()) {
      const at = this.deps.fetchedAt(place)
      // A list "from tomorrow" was fetched under a wrong clock, and does not count.
      if (at === null || Math.abs(now - at) >= freshMs) void this.refresh(place)
      else this.dueAt.set(placeKey(place), at + this.pauseMs())
    }
  }

  private tick(): void {
    const { clock, everyHours } = this.deps
    if (everyHours() === 0) return
    const now = clock.now()
    const longest = everyHours() * HOUR_MS * 1.1
    for (const place of this.places()) {
      const due = this.dueAt.get(placeKey(place))
      // What the start or a change has not reached yet is theirs; a clock set back must not put a list off for days.
      if (due !== undefined && (due <= now || due > now + longest)) void this.refresh(place)
    }
  }

  /** Spread by a tenth, so that not all ask at the same minute. */
  private pauseMs(): number {
    return Math.max(this.deps.everyHours(), 1) * HOUR_MS * (1 + this.deps.random() / 10)
  }

  private refresh(place: ListPlace): Promise<void> {
    const key = placeKey(place)
    const known = this.running.get(key)
    if (known !== undefined) return known
    const work = this.atOnce.run(() => this.fetch(place)).finally(() => this.running.delete(key))
    this.running.set(key, work)
    return work
  }

  private async fetch(place: ListPlace): Promise<void> {
    const { clock, transport, fetched, failed, log, redact } = this.deps
    const key = placeKey(place)
    let why = ''
    for (const call of place.calls) {
      if (this.stopped) return
      const result = await fetchModelList(call, transport(), clock)
      if (this.stopped) return
      if (result.ok) {
        this.failures.delete(key)
        this.dueAt.set(key, clock.now() + this.pauseMs())
        fetched(place, result.models)
        return
      }
      why = redact(result.why)
    }
    const count = this.failures.get(key) ?? 0
    this.failures.set(key, count + 1)
    this.dueAt.set(key, clock.now() + Math.min(FIRST_RETRY_MS * 2 ** count, this.pauseMs()))
    log.debug({ provider: place.provider }, `the list of models could not be fetched: ${why}`)
    failed(place, why)
  }
}
