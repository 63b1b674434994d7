// What keeps the steps of a combo from being used now, in sentences. A combo with such steps may be kept: a model can be
// listed tomorrow, a connection come back. Pure.
import type { ComboWarning } from '../contract/combo-views'
import type { Combo, Step } from '../contract/combos'
import { isUsable } from '../models/list-places'
import { type Connection, type Provider, type Registry, unusableBecause } from '../providers/registry'
import type { ResolvedCombo } from './combo'
import type { StepModel } from './combo-book'
import { isPattern } from './glob'
import { MOST_MEMBERS, nestedCombo } from './resolve-combo'

export interface WarningWorld {
  readonly registry: Registry
  readonly combos: ReadonlyMap<string, Combo>
  readonly stepModel: (name: string) => StepModel
  /** Whether a provider has a model; null: its list is not known. */
  readonly has: (provider: string, model: string) => boolean | null
  readonly resolved: (combo: Combo) => ResolvedCombo
  /** The user's own names for models, for all client keys. */
  readonly ownNames: ReadonlySet<string>
}

/** Those of the whole first, then by step. */
export function comboWarnings(combo: Combo, world: WarningWorld): ComboWarning[] {
  const { dropped } = world.resolved(combo)
  const ofSteps = combo.steps.flatMap((step, i): ComboWarning[] => {
    const because = dropped.find((drop) => drop.step === i)?.because ?? null
    const message = because === 'too-many' ? TOO_MANY : stepTrouble(step, because === 'no-match', world)
    return message === null ? [] : [{ step: i, message }]
  })
  const ofAll: string[] = []
  if (world.ownNames.has(combo.name))
    ofAll.push(`One of your names for models is "${combo.name}" too; it is not reached any more.`)
  const judge = dropped.find(({ step }) => step === 'judge')
  if (judge !== undefined)
    ofAll.push(`Its judge "${judge.name}" leads to nothing: the first of the list judges instead.`)
  const { handoffModel = null } = combo.config
  if (handoffModel !== null && nestedCombo({ combo: null, model: handoffModel }, world.combos) === null) {
    const found = world.stepModel(handoffModel)
    if ('why' in found) ofAll.push(`No summaries are made for who takes over: ${found.why}`)
  }
  if (combo.strategy !== 'pipeline' && combo.steps.some(({ prompt }) => prompt !== null))
    ofAll.push('The prompts of its steps are left out: only a pipeline gives its steps a task each.')
  if (ofSteps.length === combo.steps.length) ofAll.push('None of its steps can be used now.')
  return [...ofAll.map((message) => ({ step: null, message })), ...ofSteps]
}

const TOO_MANY = `Together the steps lead to more than ${MOST_MEMBERS} models; the rest is left out.`

function stepTrouble(step: Step, matchesNothing: boolean, world: WarningWorld): string | null {
  const { model, combo } = step
  if (nestedCombo(step, world.combos) !== null) return null
  if (model === null) return `There is no combo "${combo}".`
  if (isPattern(model)) return matchesNothing ? noMatch(model, world) : connectionTrouble(step, null, world)
  const found = world.stepModel(model)
  if ('why' in found) return found.why
  const { provider } = found.target
  const { label, id } = provider.row
  if (provider.connections.length === 0) return `${label} has no connection.`
  if (!isUsable(provider)) return `${label} has no connection that can be used.`
  const pinned = connectionTrouble(step, provider, world)
  if (pinned !== null) return pinned
  return world.has(id, found.target.model) === false ? `${label} does not list "${found.target.model}".` : null
}

function noMatch(pattern: string, { registry }: WarningWorld): string {
  const row = registry.get(pattern.slice(0, pattern.indexOf('/')))?.row
  const named = row?.exempt === true ? ` Models of ${row.label} are used only where they are named.` : ''
  return `No listed model is called like "${pattern}".${named}`
}

/** @param provider of the step's model; null: a pattern may lead to any */
function connectionTrouble(
  { connection, allowedConnections }: Step,
  provider: Provider | null,
  { registry }: WarningWorld,
): string | null {
  if (connection !== null) return unusable(connection, provider, registry)
  if (allowedConnections === null) return null
  const faults = allowedConnections.map((id) => unusable(id, provider, registry))
  return faults.every((fault) => fault !== null) ? (faults[0] ?? null) : null
}

function unusable(id: string, provider: Provider | null, registry: Registry): string | null {
  const found = connectionOf(id, registry)
  if (found === null) return `Its connection "${id}" is gone.`
  const { owner, connection } = found
  if (provider !== null && owner !== provider)
    return `Its connection "${connection.name}" is one of ${owner.row.label}, not of ${provider.row.label}.`
  const because = unusableBecause(owner.row, connection)
  return because === null ? null : `Its connection "${connection.name}" cannot be used: ${because}.`
}

function connectionOf(id: string, registry: Registry): { owner: Provider; connection: Connection } | null {
  for (const owner of registry.values()) {
    const connection = owner.connections.find((known) => known.id === id)
    if (connection !== undefined) return { owner, connection }
  }
  return null
}
