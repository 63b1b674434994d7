// The slots of round-robin's targets: so many requests at once for each, the others wait in line or go elsewhere. Every
// other strategy has none.
import type { NoSlot, Release } from '../flow/slots'
import type { Target as Leg, Member } from '../routing/combo'
import type { Home } from './conversation-home'
import type { Run } from './run'

type Place = Pick<Home, 'combo' | 'scene' | 'deps'>

export const givesTurns = ({ combo }: Pick<Place, 'combo'>): boolean => combo.strategy === 'round-robin'

export const hasPlace = (leg: Leg, place: Place): boolean =>
  !givesTurns(place) || place.deps.slots.isFree(slotKey(leg, place), atOnce(leg, place))

/** A turn at a target that is busy is worth waiting for only where all are. */
export function freeFirst(order: readonly Member[], place: Place): readonly Member[] {
  if (!givesTurns(place)) return order
  const isFree = ({ target }: Member): boolean => hasPlace(target, place)
  return [...order.filter(isFree), ...order.filter((member) => !isFree(member))]
}

/** null: the client left meanwhile. */
export async function takeTurn(leg: Leg, run: Run, place: Place): Promise<Release | NoSlot | null> {
  const { queueDepth: inLine, queueTimeoutMs: timeoutMs } = place.combo.config
  const taken = place.deps.slots.take(slotKey(leg, place), { atOnce: atOnce(leg, place), inLine, timeoutMs })
  return typeof taken === 'object' ? run.inLine(taken) : taken
}

const slotKey = ({ executionKey }: Leg, { combo }: Place): string => `${combo.name}\n${executionKey}`

/** A connection's own limit, where the target is one connection that has one. */
const atOnce = (leg: Leg, { combo, scene }: Place): number =>
  scene.view(leg).maxConcurrent || combo.config.concurrencyPerModel

/** Whether a member could answer in a target's place at once: another one, that is not out and has a place. */
export function standsIn({ kind, target }: Member, { provider, model, connectionId }: Leg, place: Place): boolean {
  const isSame = target.provider === provider && target.model === model && target.connectionId === connectionId
  return kind === 'target' && !isSame && hasPlace(target, place) && place.scene.view(target).exclusion === null
}
