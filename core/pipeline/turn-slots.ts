// How many requests a target of a combo takes at once where its targets take turns (docs/resilience.md, "Strategies:
// round-robin"). Other combos have no such limit.
import type { NoSlot, Release, Slots, Waiting } from '../flow/slots'
import type { Member, ResolvedCombo, Target } from '../routing/combo'
import type { TargetView } from '../routing/target-view'

const NOTHING_TAKEN: Release = () => {}

export class TurnSlots {
  constructor(
    private readonly combo: ResolvedCombo,
    private readonly view: (target: Target) => TargetView,
    private readonly slots: Slots,
  ) {}

  /** A turn at a target that is busy is worth waiting for only where all are. */
  freeFirst(order: readonly Member[]): readonly Member[] {
    if (!this.hasTurns()) return order
    const isFree = ({ target }: Member): boolean => this.slots.isFree(this.keyOf(target), this.atOnce(target))
    return [...order.filter(isFree), ...order.filter((member) => !isFree(member))]
  }

  take(target: Target): Release | NoSlot | Waiting {
    if (!this.hasTurns()) return NOTHING_TAKEN
    const { queueDepth: inLine, queueTimeoutMs: timeoutMs } = this.combo.config
    return this.slots.take(this.keyOf(target), { atOnce: this.atOnce(target), inLine, timeoutMs })
  }

  private hasTurns = (): boolean => this.combo.strategy === 'round-robin'

  private keyOf = ({ executionKey }: Target): string => `${this.combo.name}\n${executionKey}`

  /** A connection's own limit, where the target is one connection that has one. */
  private atOnce(target: Target): number {
    return this.view(target).maxConcurrent || this.combo.config.concurrencyPerModel
  }
}
