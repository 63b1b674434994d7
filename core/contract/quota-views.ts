// What is known of a connection's allowances, as the window and REST show it. Nothing is there of what nobody told.
import { z } from 'zod'
import { QUOTA_COUNTS, QUOTA_LEVELS, QUOTA_SOURCES, QUOTA_SPANS } from './quota-words'

const moment = z.number() // epoch milliseconds

export const QuotaWindowView = z.object({
  span: z.enum(QUOTA_SPANS),
  counts: z.enum(QUOTA_COUNTS).nullable(),
  /** It is that model's alone; null: the account's. */
  model: z.string().nullable(),
  /** Per cent, 0 to 100 and beyond. */
  usedPercent: z.number().nullable(),
  /** null: unknown, or it has just begun anew. */
  resetAt: moment.nullable(),
  from: z.enum(QUOTA_SOURCES),
  readAt: moment,
  level: z.enum(QUOTA_LEVELS),
})
export type QuotaWindowView = z.infer<typeof QuotaWindowView>

export const ConnectionQuota = z
  .object({
    /** Quotas before rates, shorter ones before longer ones. */
    windows: z.array(QuotaWindowView),
    money: z.object({ amount: z.number(), currency: z.string() }).nullable(),
    /** The provider says that nothing can be asked for now. */
    refused: z.boolean(),
    /** The provider's own page about the account; null: it was never asked. */
    page: z
      .object({
        readAt: moment.nullable(),
        /** Why the last look failed, in words for a person; null: it did not. */
        failure: z.object({ why: z.string(), at: moment }).nullable(),
      })
      .nullable(),
  })
  .meta({ title: 'ConnectionQuota' })
export type ConnectionQuota = z.infer<typeof ConnectionQuota>
