// Models and the user's own names for them, as the core shows them.
import { z } from 'zod'
import { FACT_SOURCES, FACT_VALUES } from './model-facts'

const moment = z.number() // epoch milliseconds

const fact = <T extends z.ZodType>(value: T) =>
  z.object({ value, source: z.enum(FACT_SOURCES), /** When the source said so. */ at: moment }).nullable()

export const ModelView = z.object({
  provider: z.string(),
  /** As the provider calls it. */
  model: z.string(),
  /** As clients write it: provider/model. */
  id: z.string(),
  label: z.string(),
  /** Added by hand. */
  added: z.boolean(),
  /** Not shown to clients, and not found by its plain name; provider/model still works. */
  hidden: z.boolean(),
  /** The user has edited it. */
  edited: z.boolean(),
  embeds: z.boolean(),
  /** null: unknown. */
  facts: z.object({
    contextWindow: fact(FACT_VALUES.contextWindow),
    maxOutput: fact(FACT_VALUES.maxOutput),
    inputPrice: fact(FACT_VALUES.inputPrice),
    outputPrice: fact(FACT_VALUES.outputPrice),
    cacheReadPrice: fact(FACT_VALUES.cacheReadPrice),
    cacheWritePrice: fact(FACT_VALUES.cacheWritePrice),
    tools: fact(FACT_VALUES.tools),
    images: fact(FACT_VALUES.images),
    reasoning: fact(FACT_VALUES.reasoning),
  }),
})
export type ModelView = z.infer<typeof ModelView>

/** One list of a provider's models, at one of its addresses. */
export const ModelListState = z.object({
  provider: z.string(),
  address: z.string(),
  /** null: never fetched. */
  fetchedAt: moment.nullable(),
  count: z.number(),
  /** Why the last try failed, in one sentence; empty when it did not. The list before it stays. */
  why: z.string(),
})
export type ModelListState = z.infer<typeof ModelListState>

export const ModelsPage = z.object({
  models: z.array(ModelView),
  /** How many match, shown or not. */
  total: z.number(),
  lists: z.array(ModelListState),
  /** ISO day of the prices that come with the program. */
  tableDate: z.string(),
})
export type ModelsPage = z.infer<typeof ModelsPage>

export const AliasView = z.object({
  id: z.string(),
  /** What a client writes; `*` stands for anything, `?` for one character. */
  pattern: z.string(),
  kind: z.enum(['name', 'pattern']),
  /** null: for all client keys. */
  clientKeyId: z.string().nullable(),
  clientKey: z.string().nullable(),
  target: z.string(),
  /** provider/model that it leads to, or the name of a combo; null where it leads nowhere. */
  resolvesTo: z.string().nullable(),
  /** Why it cannot be used now, in one sentence; null when it can. */
  broken: z.string().nullable(),
  createdAt: moment,
})
export type AliasView = z.infer<typeof AliasView>
