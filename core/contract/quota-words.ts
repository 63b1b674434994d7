// The closed word lists of allowances: how long one lasts, what it counts, and how near its end it is.

/** Until it is there again. `minute` and `hour` are rates, which pass by themselves, and no quotas; `total`: never. */
export const QUOTA_SPANS = ['minute', 'hour', '5h', 'daily', '7d', 'monthly', 'total'] as const
export type QuotaSpan = (typeof QUOTA_SPANS)[number]

export const QUOTA_COUNTS = ['requests', 'tokens', 'input tokens', 'output tokens', 'dollars'] as const
export type QuotaCount = (typeof QUOTA_COUNTS)[number]

/** Where a figure comes from: the headers of an answer, or the provider's own page about the account. */
export const QUOTA_SOURCES = ['headers', 'provider'] as const
export type QuotaSourceName = (typeof QUOTA_SOURCES)[number]

/** `low`: less is left than `quotaPreflight.warn` says. */
export const QUOTA_LEVELS = ['ok', 'low', 'spent'] as const
export type QuotaLevel = (typeof QUOTA_LEVELS)[number]

/** Names of the windows in a connection's `quotaWindowThresholds`; all are understood. Rates have none. */
export const THRESHOLD_NAMES: Readonly<Record<QuotaSpan, readonly string[]>> = {
  minute: [],
  hour: [],
  '5h': ['5h', 'session'],
  daily: ['daily', 'day'],
  '7d': ['7d', 'weekly', 'week'],
  monthly: ['monthly', 'month'],
  total: ['total'],
}

/** In words for a person. */
export const SPAN_WORDS: Readonly<Record<QuotaSpan, string>> = {
  minute: 'Minute',
  hour: 'Hour',
  '5h': 'Five hours',
  daily: 'Day',
  '7d': 'Week',
  monthly: 'Month',
  total: 'In all',
}
