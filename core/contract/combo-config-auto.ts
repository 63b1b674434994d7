// Rows of the table of combos: how `auto` chooses.
import { CATEGORIES, FACTORS, PACKS, POOL_FILTERS, ROUTERS } from './auto-words'
import { amount, type ComboField, choice, flag, limit, shares } from './combo-fields'

const HOUR_MS = 3_600_000

export const AUTO_CONFIG = {
  modePack: choice({
    fallback: null,
    choices: PACKS,
    label: 'Preference',
    help: 'A ready-made set of weights. None: balanced, or the weights below.',
  }),
  weights: shares({
    names: FACTORS,
    label: 'Weights',
    help: 'In place of the balanced ones, where no preference is chosen.',
  }),
  routerStrategy: choice({
    fallback: 'rules',
    choices: ROUTERS,
    label: 'Decide by',
    help: 'Rules: by score, with variety and trials. Score: strictly. Or by cost, speed, service level or last success.',
  }),
  explorationRate: amount({
    fallback: 0.05,
    min: 0,
    max: 0.5,
    label: 'Trials',
    help: 'Share of requests that go to a random target, so that unknown ones get known. None in an incident.',
  }),
  autoCategory: choice({
    fallback: null,
    choices: CATEGORIES,
    label: 'Good for',
    help: 'Only models that can do this, as long as there is one.',
  }),
  autoFilter: choice({
    fallback: null,
    choices: POOL_FILTERS,
    label: 'Only',
    help: 'Free: what costs nothing. Pro: paid accounts of the better kind. As long as there is one.',
  }),
  slaTargetP95Ms: limit({
    min: 1,
    max: HOUR_MS,
    unit: 'ms',
    label: 'Answers within',
    help: '95 of 100 answers. Only where decided by service level.',
  }),
  slaMaxErrorRate: limit({
    min: 0,
    max: 1,
    label: 'Failures up to',
    help: 'Share of requests. Only where decided by service level.',
  }),
  slaMaxCostPer1MTokens: limit({
    min: 0,
    max: 1_000_000,
    unit: '$',
    label: 'Cost up to',
    help: 'For a million tokens, three fifths of them input. Only where decided by service level.',
  }),
  slaHardConstraints: flag({
    fallback: false,
    label: 'Limits come first',
    help: 'On: who keeps the limits comes before all others, whatever the score.',
  }),
} satisfies Record<string, ComboField>
