// What the rows of Chinese providers have in common: days that end at Beijing's midnight, and plans with keys of their own.
import { type ProviderRow, providerRow } from '../provider-row'

export const china = (fields: Parameters<typeof providerRow>[0]): ProviderRow =>
  providerRow({ group: 'china', quotaTimeZone: 'Asia/Shanghai', ...fields })

export const CODING_PLAN = 'For the coding plan and its key; pay-as-you-go keys belong to the other entry.'
