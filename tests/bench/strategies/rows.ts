// The rows of the comparison: every strategy as it comes, and `auto` with the preference for reliability.
import type { SetConfig } from '../../../core/contract/combo-config'
import { type AnyStrategyName, QUOTA_SHARE, STRATEGIES } from '../../../core/contract/combo-strategies'

export interface Row {
  readonly name: string
  readonly strategy: AnyStrategyName
  readonly config: SetConfig
}

export const RELIABLE: Row = {
  name: 'auto (reliability-first)',
  strategy: 'auto',
  config: { modePack: 'reliability-first' },
}

const ALL: readonly AnyStrategyName[] = [...STRATEGIES, QUOTA_SHARE]

export const ROWS: readonly Row[] = [
  ...ALL.map((strategy): Row => ({ name: strategy, strategy, config: {} })),
  RELIABLE,
].sort((a, b) => (a.name < b.name ? -1 : 1))
