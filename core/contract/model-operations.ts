// What can be asked for around models and the user's own names for them.
import { z } from 'zod'
import { FACT_VALUES } from './model-facts'
import { AliasView, ModelListState, ModelsPage, ModelView } from './model-views'

const none = z.undefined()
const id = z.string().min(1).max(100)
const name = z.string().trim().min(1, 'must not be empty').max(256)
const label = z.string().trim().max(200)
/** `null` takes the user's value back; a missing member stays as it is. */
const facts = z.object({
  contextWindow: FACT_VALUES.contextWindow.nullable().optional(),
  maxOutput: FACT_VALUES.maxOutput.nullable().optional(),
  inputPrice: FACT_VALUES.inputPrice.nullable().optional(),
  outputPrice: FACT_VALUES.outputPrice.nullable().optional(),
  cacheReadPrice: FACT_VALUES.cacheReadPrice.nullable().optional(),
  cacheWritePrice: FACT_VALUES.cacheWritePrice.nullable().optional(),
  tools: FACT_VALUES.tools.nullable().optional(),
  images: FACT_VALUES.images.nullable().optional(),
  reasoning: FACT_VALUES.reasoning.nullable().optional(),
})

export const MODEL_OPERATIONS = {
  /** Models of providers that can be used now. `search`: a part of name or label. */
  'models:list': {
    input: z.object({
      provider: id.optional(),
      search: z.string().max(200).optional(),
      limit: z.number().int().min(1).max(5000).default(500),
    }),
    output: ModelsPage,
  },
  /** `label: null` and facts of `null` fall back to what the provider or the table says. */
  'models:edit': {
    input: z.object({
      provider: id,
      model: name,
      label: label.nullable().optional(),
      hidden: z.boolean().optional(),
      facts: facts.optional(),
    }),
    output: ModelView,
  },
  /** For models that the provider does not list. */
  'models:add': {
    input: z.object({ provider: id, model: name, label: label.optional(), facts: facts.optional() }),
    output: ModelView,
  },
  /** Takes back what was added by hand, or all edits of a listed model. */
  'models:remove': { input: z.object({ provider: id, model: name }), output: z.null() },
  /** Fetches the lists of one provider, or all, and waits for them. */
  'models:refresh': { input: z.object({ provider: id.optional() }), output: z.array(ModelListState) },
  'aliases:list': { input: none, output: z.array(AliasView) },
  /** `clientKeyId` missing or null: for all keys. */
  'aliases:add': {
    input: z.object({ pattern: name, target: name, clientKeyId: id.nullable().optional() }),
    output: AliasView,
  },
  'aliases:update': {
    input: z.object({ id, pattern: name.optional(), target: name.optional(), clientKeyId: id.nullable().optional() }),
    output: AliasView,
  },
  'aliases:remove': { input: z.object({ id }), output: z.null() },
} as const satisfies Record<string, { input: z.ZodType; output: z.ZodType }>
