// How much each factor weighs: balanced, and ready-made sets that replace it whole (docs/resilience.md, "Strategies: auto").
import type { Factor, Pack } from '../../../contract/auto-words'
import type { ComboConfig } from '../../../contract/combo-config'
import type { AutoWishes } from './wishes'

export type Weights = Readonly<Record<Factor, number>>

export const BALANCED: Weights = {
  quota: 0.1429,
  health: 0.1605,
  costInv: 0.1429,
  latencyInv: 0.1143,
  taskFit: 0.0762,
  stability: 0.0476,
  tierPriority: 0.0476,
  tierAffinity: 0.0476,
  specificityMatch: 0.0476,
  contextAffinity: 0.0476,
  sessionAvailability: 0.0476,
  connectionDensity: 0.0476,
  cacheAffinity: 0,
  resetWindowAffinity: 0,
  quality: 0.03,
  reliability: 0,
}

/** The same in every pack. */
const IN_ALL = {
  tierAffinity: 0,
  specificityMatch: 0,
  sessionAvailability: 0.0476,
  connectionDensity: 0.0476,
  cacheAffinity: 0,
  resetWindowAffinity: 0,
}

export const PACK_WEIGHTS: Readonly<Record<Pack, Weights>> = {
  'ship-fast': {
    ...IN_ALL,
    quota: 0.1133,
    health: 0.2667,
    costInv: 0.0276,
    latencyInv: 0.3048,
    taskFit: 0.0952,
    stability: 0,
    tierPriority: 0.0376,
    contextAffinity: 0.0095,
    quality: 0.02,
    reliability: 0.03,
  },
  'cost-saver': {
    ...IN_ALL,
    quota: 0.1133,
    health: 0.181,
    costInv: 0.3324,
    latencyInv: 0.0476,
    taskFit: 0.0952,
    stability: 0.0476,
    tierPriority: 0.0376,
    contextAffinity: 0,
    quality: 0.02,
    reliability: 0.03,
  },
  'quality-first': {
    ...IN_ALL,
    quota: 0.0752,
    health: 0.1714,
    costInv: 0.0276,
    latencyInv: 0.0476,
    taskFit: 0.3524,
    stability: 0.1429,
    tierPriority: 0.0276,
    contextAffinity: 0,
    quality: 0.03,
    reliability: 0.03,
  },
  'offline-friendly': {
    ...IN_ALL,
    quota: 0.3324,
    health: 0.2667,
    costInv: 0.0752,
    latencyInv: 0.0476,
    taskFit: 0,
    stability: 0.0952,
    tierPriority: 0.0376,
    contextAffinity: 0,
    quality: 0.02,
    reliability: 0.03,
  },
  'reliability-first': {
    ...IN_ALL,
    quota: 0.1133,
    health: 0.3524,
    costInv: 0.0181,
    latencyInv: 0.0476,
    taskFit: 0.0952,
    stability: 0.1905,
    tierPriority: 0.0276,
    contextAffinity: 0,
    quality: 0.02,
    reliability: 0.04,
  },
  'chaos-mode': {
    ...IN_ALL,
    quota: 0.0376,
    health: 0.4,
    costInv: 0.014,
    latencyInv: 0.0186,
    taskFit: 0.1905,
    stability: 0.1714,
    tierPriority: 0.004,
    contextAffinity: 0.0186,
    quality: 0.02,
    reliability: 0.03,
  },
}

/** The request's wish, else the combo's preference, else the balanced ones with the combo's own. */
export function weightsFor(
  { modePack, weights }: Pick<ComboConfig, 'modePack' | 'weights'>,
  wishes: AutoWishes,
): Weights {
  const pack = wishes.pack ?? modePack
  if (pack === 'balanced') return BALANCED
  return pack === null ? { ...BALANCED, ...weights } : PACK_WEIGHTS[pack]
}
