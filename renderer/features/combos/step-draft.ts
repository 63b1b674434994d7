// One step of a combo as it is edited. Pure.

import type { AnyStrategyName } from '../../../core/contract/combo-strategies'
import type { ComboView } from '../../../core/contract/combo-views'
import type { ModelView } from '../../../core/contract/model-views'
import type { ConnectionView, ProviderView } from '../../../core/contract/views'
import { counted } from '../../ui/numbers'
import { MOST_WEIGHT, stepName, usesPrompt, usesQuotaReserve } from './combo-words'

type Step = ComboView['steps'][number]

export interface StepDraft {
  /** Stays with the step wherever it is moved. `s<place>`: it was there when editing began. */
  readonly key: string
  readonly kind: 'model' | 'combo'
  readonly name: string
  /** As typed. */
  readonly weight: string
  readonly by: 'any' | 'one' | 'some'
  /** A connection's id; empty: none is chosen yet. */
  readonly one: string
  readonly some: readonly string[]
  readonly prompt: string
  readonly afterQuota: boolean
}

export type StepField = 'name' | 'weight' | 'connections' | 'prompt'
export type StepErrors = Readonly<Partial<Record<StepField, string>>>

let made = 0
/** A step that was not there before. */
export function newStep(kind: StepDraft['kind'], name: string): StepDraft {
  made += 1
  const none = { weight: '1', by: 'any', one: '', some: [], prompt: '', afterQuota: false } as const
  return { key: `n${made}`, kind, name, ...none }
}

export const pinnedTo = (step: StepDraft, connection: string): StepDraft => ({ ...step, by: 'one', one: connection })

export const stepDraftOf = (step: Step, place: number): StepDraft => ({
  key: `s${place}`,
  kind: step.combo === null ? 'model' : 'combo',
  name: stepName(step),
  weight: String(step.weight),
  by: step.connection !== null ? 'one' : step.allowedConnections !== null ? 'some' : 'any',
  one: step.connection ?? '',
  some: step.allowedConnections ?? [],
  prompt: step.prompt ?? '',
  afterQuota: step.fallbackOnlyOnQuotaExhaustion,
})

export function toStep({ kind, name, weight, by, one, some, prompt, afterQuota }: StepDraft): Step {
  const isModel = kind === 'model'
  // A pinned connection is one of the allowed ones, or there is no list of them.
  const allowed = by === 'some' || (by === 'one' && some.includes(one)) ? [...some] : null
  return {
    model: isModel ? name.trim() : null,
    combo: isModel ? null : name,
    weight: readWeight(weight) ?? 1,
    connection: isModel && by === 'one' ? one : null,
    allowedConnections: isModel ? allowed : null,
    prompt: prompt.trim() === '' ? null : prompt,
    fallbackOnlyOnQuotaExhaustion: afterQuota,
  }
}

function readWeight(text: string): number | null {
  const typed = text.trim().replace(',', '.')
  if (typed === '') return 1
  return /^\d+(?:\.\d+)?$/.test(typed) && Number(typed) <= MOST_WEIGHT ? Number(typed) : null
}

export function checkStep(step: StepDraft, strategy: AnyStrategyName): StepErrors {
  return {
    ...(step.name.trim() === '' ? { name: 'Enter a model: provider/model, or its plain name.' } : {}),
    ...(usesPrompt(strategy) && step.kind === 'model' && step.name.includes('*')
      ? { name: 'It must be one model: a pipeline asks each step once.' }
      : {}),
    ...(readWeight(step.weight) === null ? { weight: 'A number from 0 to 10,000.' } : {}),
    ...(step.kind === 'model' && step.by === 'one' && step.one === '' ? { connections: 'Choose a connection.' } : {}),
    ...(step.kind === 'model' && step.by === 'some' && step.some.length === 0
      ? { connections: 'Choose one at least, or any.' }
      : {}),
  }
}

export interface NamedConnection {
  readonly connection: ConnectionView
  readonly provider: ProviderView
}

/** Connections that can carry the step: those of its model's provider, or all where that cannot be told. */
export function connectionsFor(
  name: string,
  providers: readonly ProviderView[],
  models: readonly ModelView[],
): readonly NamedConnection[] {
  const owners = ownersOf(name.trim(), providers, models)
  return providers
    .filter(({ id }) => owners === null || owners.has(id))
    .flatMap((provider) => provider.connections.map((connection) => ({ connection, provider })))
}

function ownersOf(
  name: string,
  providers: readonly ProviderView[],
  models: readonly ModelView[],
): ReadonlySet<string> | null {
  const first = name.slice(0, Math.max(0, name.indexOf('/'))).toLowerCase()
  const named = providers.find(({ id, aliases }) => id === first || aliases.includes(first))
  if (named !== undefined) return new Set([named.id])
  const plain = models.filter(({ model, hidden }) => model === name && !hidden).map(({ provider }) => provider)
  return plain.length > 0 ? new Set(plain) : null
}

/** What is special about the step, in short, beside its name. */
export function stepNotes(
  step: StepDraft,
  strategy: AnyStrategyName,
  providers: readonly ProviderView[],
): readonly string[] {
  const nameOf = (id: string): string =>
    providers.flatMap(({ connections }) => connections).find((connection) => connection.id === id)?.name ??
    'a connection that is gone'
  return [
    ...(step.kind === 'model' && step.by === 'one' && step.one !== '' ? [`only ${nameOf(step.one)}`] : []),
    ...(step.kind === 'model' && step.by === 'some' ? [`only ${counted(step.some.length, 'connection')}`] : []),
    ...(usesQuotaReserve(strategy) && step.afterQuota ? ['only after a quota is spent'] : []),
    ...(usesPrompt(strategy) && step.prompt.trim() !== '' ? ['with a prompt'] : []),
  ]
}

/** The list with one of it at another place. */
export function moved<T>(list: readonly T[], from: number, to: number): readonly T[] {
  const item = list[from]
  if (item === undefined || to < 0 || to >= list.length || from === to) return list
  const rest = list.filter((_, place) => place !== from)
  return [...rest.slice(0, to), item, ...rest.slice(to)]
}
