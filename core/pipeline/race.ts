// Several targets asked for one answer: the first alone, the next one beside it when it is slow to begin. Whoever has
// content first answers the client, and the other is broken off: nothing is held against it. Never more than two at once.
import type { Timer } from '../clock'
import type { ComboEnd } from './combo-run'
import type { PipelineDeps } from './handle-request'
import { Lane } from './lane'
import type { Running } from './outgoing'
import { Run } from './run'

type End = ComboEnd | 'exhausted'
/** Asks one target, by each connection it may use. */
export type Ask = (run: Run) => Promise<End>

const GIVEN_UP = 'given up: another target was faster'

interface Racer {
  readonly lane: Lane
  readonly run: Run
  readonly running: Running
  readonly startedAt: number
  /** It has said that an answer is on its way. */
  hasBegun: boolean
}

export class Race {
  private readonly underWay = new Set<Racer>()
  private winner: Racer | null = null
  /** Somebody answers, or nobody is to any more. */
  private isOver = false
  private timer: Timer | null = null
  private end: End = 'exhausted'
  /** What those who are done have met: whose word counts last. */
  private readonly met: Run[] = []
  private fault: { readonly error: unknown } | null = null
  private settle: () => void = () => {}

  /**
   * @param next whom to ask besides; null: nobody
   * @param into gets what fails on the way
   */
  constructor(
    private readonly next: () => Ask | null,
    private readonly delayMs: number,
    private readonly into: Run,
    private readonly running: Running,
    private readonly deps: PipelineDeps,
  ) {}

  /** Once. */
  async answer(first: Ask): Promise<End> {
    const { answer } = this.running
    const over = new Promise<void>((resolve) => {
      this.settle = resolve
    })
    answer.listen(
      () => this.stop(null),
      () => this.winner?.lane.drained(),
    )
    this.begin(first)
    await over
    answer.listen(null, null)
    for (const run of this.met) this.into.take(run)
    if (this.fault !== null) throw this.fault.error
    return this.end
  }

  private begin(ask: Ask): void {
    const racer = this.racer()
    this.underWay.add(racer)
    // The client may have left before anyone was asked.
    if (this.isOver) racer.lane.leave()
    ask(racer.run).then(
      (end) => this.ended(racer, end),
      (error: unknown) => {
        this.fault ??= { error }
        this.stop(null)
        this.ended(racer, 'exhausted')
      },
    )
    this.watch()
  }

  private racer(): Racer {
    const { running, deps } = this
    const { answer, caller, record, client } = running
    const lane = new Lane(answer, () => this.claim(racer))
    const beside: Running = {
      ...running,
      answer: lane,
      record: record.aside(caller, null, () => (this.winner === null || this.winner === racer ? null : GIVEN_UP)),
      // Of a whole answer nothing can be seen before its end but that it has begun.
      ...(client.asked.stream ? {} : { onBegin: () => this.begun(racer) }),
    }
    const racer: Racer = {
      ...{ lane, running: beside, run: new Run(beside, deps) },
      ...{ startedAt: deps.clock.elapsed(), hasBegun: false },
    }
    return racer
  }

  private claim(racer: Racer): boolean {
    if (this.isOver) return false
    this.winner = racer
    this.stop(racer)
    return true
  }

  private begun(racer: Racer): void {
    racer.hasBegun = true
    this.watch()
  }

  /** Nobody else is asked, and the others are broken off. @param winner null: all are */
  private stop(winner: Racer | null): void {
    this.isOver = true
    this.timer?.cancel()
    for (const racer of this.underWay) if (racer !== winner) racer.lane.leave()
  }

  private ended(racer: Racer, end: End): void {
    this.underWay.delete(racer)
    if (end === 'done') this.running.record.adopt(racer.running.record)
    if (weightOf(end) < weightOf(this.end)) this.met.unshift(racer.run)
    else {
      this.end = end
      this.met.push(racer.run)
    }
    if (this.underWay.size === 0) this.settle()
    else this.watch()
  }

  /** Whoever is alone and slow gets company. */
  private watch(): void {
    this.timer?.cancel()
    const [slow, another] = this.underWay
    if (this.isOver || slow === undefined || another !== undefined || slow.hasBegun) return
    const { clock } = this.deps
    const left = slow.startedAt + this.delayMs - clock.elapsed()
    this.timer = clock.after(Math.max(0, left), () => {
      const ask = this.next()
      if (ask !== null) this.begin(ask)
    })
  }
}

/** What one says counts for all where the others say less. */
function weightOf(end: End): number {
  switch (end) {
    case 'exhausted':
      return 0
    case 'left':
      return 2
    case 'done':
      return 3
    default:
      return 1
  }
}
