// Rows of the table of combos: how strategies weigh what is left of an account’s quota, and when it is renewed.
import { amount, type ComboField, flag, words } from './combo-fields'

export const QUOTA_CONFIG = {
  resetAwareSessionWeight: amount({
    fallback: 0.35,
    min: 0,
    max: 1,
    label: 'Weight of five hours',
    help: 'Against the weight of the week; only their ratio counts.',
  }),
  resetAwareWeeklyWeight: amount({
    fallback: 0.65,
    min: 0,
    max: 1,
    label: 'Weight of the week',
    help: 'Against the weight of five hours; only their ratio counts.',
  }),
  resetAwareTieBandPercent: amount({
    fallback: 5,
    min: 0,
    max: 100,
    unit: '%',
    label: 'As good as the best',
    help: 'Accounts so close to the best score take turns.',
  }),
  resetAwareExhaustionGuardPercent: amount({
    fallback: 10,
    min: 0,
    max: 100,
    unit: '%',
    label: 'Spare below',
    help: 'With less than this left of its five hours an account is spared. 0: never.',
  }),
  resetWindows: words({
    fallback: ['weekly', 'monthly', 'session'],
    choices: ['weekly', 'monthly', 'session'],
    label: 'Windows',
    help: 'The first of these that an account has decides.',
  }),
  resetWindowIncludeSession: flag({
    fallback: false,
    label: 'Five hours too',
    help: 'On: the session window counts where no longer one is known.',
  }),
  quotaWeightedFloorPercent: amount({
    fallback: 1,
    min: 0,
    max: 100,
    unit: '%',
    label: 'Reserve below',
    help: 'With no more than this left an account is only a reserve.',
  }),
} satisfies Record<string, ComboField>
