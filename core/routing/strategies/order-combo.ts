// Combos inside combos: each is ordered by its own strategy, and stands among the members of the other as its own first
// choice would. What is carried out as a whole (fusion, pipeline) stays one member.
import type { AnyStrategyName } from '../../contract/combo-strategies'
import { isWhole, type Member, modelString, type ResolvedCombo, type Target } from '../combo'
import { type Exclusion, type TargetView, UNKNOWN_VIEW } from '../target-view'
import { type OrderInput, orderTargets, settleTarget, type TargetReason } from './order-targets'
import type { Outcome, StrategyState } from './strategy'

export interface ComboInput extends Pick<OrderInput, 'request' | 'now' | 'random'> {
  /** Of real targets. */
  readonly view: (target: Target) => TargetView
  /** By the combo's name. */
  readonly stateOf: (combo: string) => StrategyState | null
}

/** `via`: the combos inside the one that is asked by which the target is reached, the outer first; none: its own. */
export type PlacedReason = TargetReason & { readonly via?: readonly string[] }

export interface ComboOrder {
  /** Who to try, in which order: targets, and combos that are carried out as a whole. */
  readonly ordered: readonly Member[]
  /** Of every target; those of `ordered` as they stand there. */
  readonly reasons: readonly PlacedReason[]
  /** By the combo's name: what replaces its state. */
  readonly states: ReadonlyMap<string, StrategyState>
  /** As of `Ordered`: for the first target. */
  readonly reserveMs: number | null
}

/** A member with the combo it was listed in, so that one target listed in two combos is asked once. */
interface Entry {
  readonly member: Member
  readonly home: ResolvedCombo
}

interface Step extends Omit<ComboOrder, 'ordered'> {
  readonly entries: readonly Entry[]
}

/** @throws GatewayError 402 as orderTargets */
export function orderCombo(combo: ResolvedCombo, input: ComboInput): ComboOrder {
  const { entries, reasons, ...rest } = orderStep(combo, input)
  const ordered = onceEach(entries)
  if (combo.members.every(({ kind }) => kind === 'target')) return { ...rest, reasons, ordered }
  const asked = new Set(ordered.map(({ target }) => target))
  const isSaid = ({ kind, target }: PlacedReason): boolean => kind === 'excluded' || asked.has(target)
  return { ...rest, reasons: reasons.filter(isSaid), ordered }
}

function orderStep(combo: ResolvedCombo, input: ComboInput): Step {
  const memberOf = new Map(combo.members.map((member) => [member.target, member]))
  const nested = new Map<Target, Step>()
  for (const member of combo.members) {
    if (member.kind === 'combo') nested.set(member.target, orderStep(member.combo, input))
  }
  const own = orderTargets(combo.strategy, {
    ...input,
    targets: [...memberOf.keys()],
    view: (target) => {
      const member = memberOf.get(target)
      return member?.kind === 'combo' ? viewOfNested(member.combo, nested.get(target), input) : input.view(target)
    },
    state: input.stateOf(combo.name),
    config: combo.config,
  })
  /** What stands in the place of a nested combo; undefined: it stays one member. */
  const opened = (target: Target): Step | undefined => {
    const member = memberOf.get(target)
    return member?.kind === 'combo' && !isWhole(combo) && !isWhole(member.combo) ? nested.get(target) : undefined
  }
  const entries = own.ordered.flatMap((target): readonly Entry[] => {
    const member = memberOf.get(target)
    return opened(target)?.entries ?? (member === undefined ? [] : [{ member, home: combo }])
  })
  const [leader] = own.ordered
  const led = leader === undefined ? undefined : nested.get(leader)
  return {
    entries,
    reasons: own.reasons.flatMap((reason) => reasonsOf(reason, opened(reason.target))),
    // A nested combo whose choice does not lead has not had its turn: it keeps its state.
    states: new Map([...(led?.states ?? []), [combo.name, own.state]]),
    reserveMs: own.reserveMs ?? led?.reserveMs ?? null,
  }
}

/** A nested combo's own reasons, unless it was its parent's strategy that left it out. */
function reasonsOf(reason: TargetReason, inside: Step | undefined): readonly PlacedReason[] {
  if (inside === undefined || inside.reasons.length === 0) return [reason]
  if (reason.kind === 'excluded' && inside.entries.length > 0) return [reason]
  const name = reason.target.model
  return inside.reasons.map((each) => ({ ...each, via: [name, ...(each.via ?? [])] }))
}

/** As its first choice is seen; a pipeline as its first step, if all can be asked. */
function viewOfNested(combo: ResolvedCombo, step: Step | undefined, input: ComboInput): TargetView {
  const excluded = (step?.reasons ?? []).flatMap((reason) => (reason.kind === 'excluded' ? reason.exclusion : []))
  const first = step?.entries[0]?.member
  const isOut =
    first === undefined || (combo.strategy === 'pipeline' && (step?.entries.length ?? 0) < combo.members.length)
  if (isOut) return { ...UNKNOWN_VIEW, exclusion: earliest(excluded) ?? leadsNowhere(combo) }
  return first.kind === 'target' ? input.view(first.target) : UNKNOWN_VIEW
}

/** The one that ends first; without an end last. */
function earliest(exclusions: readonly Exclusion[]): Exclusion | undefined {
  const end = ({ until }: Exclusion): number => until ?? Number.POSITIVE_INFINITY
  return exclusions.reduce<Exclusion | undefined>(
    (best, one) => (best === undefined || end(one) < end(best) ? one : best),
    undefined,
  )
}

const leadsNowhere = ({ name }: ResolvedCombo): Exclusion => ({
  gate: 'combo',
  reason: null,
  until: null,
  why: `The combo "${name}" leads to no model.`,
})

/** A target that two combos list is asked once in a request; one that a single combo lists twice is meant twice. */
function onceEach(entries: readonly Entry[]): Member[] {
  const homes = new Map<string, ResolvedCombo>()
  return entries.flatMap(({ member, home }) => {
    const { target } = member
    const key = JSON.stringify([modelString(target), target.connectionId])
    const known = homes.get(key)
    if (known !== undefined && known !== home) return []
    homes.set(key, home)
    return member
  })
}

/**
 * What an attempt's end changes, in the combo of the target and in those above it.
 * @returns by the combo's name, what replaces its state
 */
export function settleCombo(
  combo: ResolvedCombo,
  stateOf: ComboInput['stateOf'],
  target: Target,
  outcome: Outcome,
  now: number,
): ReadonlyMap<string, StrategyState> {
  const settled = (name: string, strategy: AnyStrategyName, of: Target): StrategyState =>
    settleTarget(strategy, stateOf(name), of, outcome, combo.config, now)
  for (const member of combo.members) {
    if (member.target === target) return new Map([[combo.name, settled(combo.name, combo.strategy, target)]])
    if (member.kind === 'target') continue
    const inside = settleCombo(member.combo, stateOf, target, outcome, now)
    if (inside.size > 0) return new Map([...inside, [combo.name, settled(combo.name, combo.strategy, member.target)]])
  }
  return new Map()
}
