// What a combo becomes when a request comes: members in the order of its list, each a target or another combo.
import type { ComboConfig } from '../contract/combo-config'
import type { AnyStrategyName } from '../contract/combo-strategies'

/** A resolved step. Nothing here knows of health. */
export interface Target {
  /** Tells it apart in its combo, the same from request to request: what strategies remember it by. */
  readonly executionKey: string
  /** The provider's id. */
  readonly provider: string
  /** The bare upstream id. */
  readonly model: string
  /** Pinned or chosen; null: whichever connection of the provider. */
  readonly connectionId: string | null
  /** Only these may be used; null: any. */
  readonly allowedConnections: readonly string[] | null
  readonly weight: number
  /** Of a pipeline: what the step is to do. */
  readonly prompt: string | null
  /** Held back until a quota was found spent. */
  readonly onlyAfterQuota: boolean
}

/** A combo inside a combo is one voice: its `target` stands for it among the members of the other. */
export type Member =
  | { readonly kind: 'target'; readonly target: Target }
  | { readonly kind: 'combo'; readonly target: Target; readonly combo: ResolvedCombo }

/** A step that leads to nothing, and why. */
export interface DroppedStep {
  /** Place in the list, from 0; or the judge of a fusion. */
  readonly step: number | 'judge'
  readonly because: 'cycle' | 'too-deep' | 'too-many' | 'unknown-combo' | 'unknown-model' | 'no-match'
  readonly name: string
}

export interface ResolvedCombo {
  readonly name: string
  readonly strategy: AnyStrategyName
  readonly config: ComboConfig
  readonly members: readonly Member[]
  /** Of a fusion that names one. */
  readonly judge: Member | null
  readonly dropped: readonly DroppedStep[]
}

/** Carried out as a whole: its members are not alternatives to each other. */
export const isWhole = ({ strategy }: Pick<ResolvedCombo, 'strategy'>): boolean =>
  strategy === 'fusion' || strategy === 'pipeline'

/** As clients write it. */
export const modelString = ({ provider, model }: Pick<Target, 'provider' | 'model'>): string => `${provider}/${model}`

/** All its members are the same model, by whatever connections. */
export const isOneModel = ({ members }: Pick<ResolvedCombo, 'members'>): boolean =>
  new Set(members.map(({ target }) => modelString(target))).size === 1
