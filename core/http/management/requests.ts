// The request log and the figures: what went through the gateway.
import { z } from 'zod'
import { GatewayStatus, MetricsBucket, RequestView } from '../../contract/views'
import { queryInt } from './fields'
import { type ManagementRoute, route } from './route'

const CURSOR = 'must be the "next" of an earlier answer'
/** Moment and id of the last row shown. */
const cursor = z
  .string()
  .regex(/^\d{1,15}\.[\w.:-]{1,128}$/, CURSOR)
  .transform((text) => {
    const dot = text.indexOf('.')
    return { at: Number(text.slice(0, dot)), id: text.slice(dot + 1) }
  })

export const requestRoutes: readonly ManagementRoute[] = [
  route({
    method: 'GET',
    path: '/api/requests',
    about:
      'The request log, newest first, each with its attempts. `before` is the `next` of an earlier answer; `next: null` is the end. A search looks at the newest 5,000 from there.',
    query: z.strictObject({
      limit: queryInt(1, 500).optional(),
      before: cursor.optional(),
      search: z.string().max(200).optional(),
      outcome: RequestView.shape.outcome.optional(),
    }),
    answer: z.object({ requests: z.array(RequestView), next: z.string().nullable() }),
    async run({ query: { limit = 100, ...query } }, { operations }) {
      const requests = await operations['log:list']({ ...query, limit })
      const last = requests.length < limit ? undefined : requests.at(-1)
      return { requests, next: last === undefined ? null : `${last.at}.${last.id}` }
    },
  }),
  route({
    method: 'GET',
    path: '/api/metrics',
    about: 'Traffic in steps of ten seconds, the oldest first, and today’s totals.',
    query: z.strictObject({ minutes: queryInt(1, 60).optional() }),
    answer: z.object({
      buckets: z.array(MetricsBucket),
      today: GatewayStatus.shape.today,
      running: GatewayStatus.shape.running,
    }),
    async run({ query: { minutes = 15 } }, { operations }) {
      const { today, running } = await operations['gateway:status'](undefined)
      return { buckets: await operations['metrics:recent']({ minutes }), today, running }
    },
  }),
]
