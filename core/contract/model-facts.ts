// What can be known of a model beyond its name: one list for the user's edits, providers' lists, the table and the window.
import { z } from 'zod'

/** Tokens. */
const tokens = z.number().int().min(1).max(1_000_000_000)
/** US dollars for a million tokens. */
const price = z.number().min(0).max(1_000_000)

export const FACT_VALUES = {
  /** Input and output together, as providers count it. */
  contextWindow: tokens,
  maxOutput: tokens,
  inputPrice: price,
  outputPrice: price,
  cacheReadPrice: price,
  cacheWritePrice: price,
  tools: z.boolean(),
  /** Sees images. */
  images: z.boolean(),
  reasoning: z.boolean(),
} as const satisfies Record<string, z.ZodType>

export type FactName = keyof typeof FACT_VALUES
export type FactValue<N extends FactName> = z.output<(typeof FACT_VALUES)[N]>
export const FACT_NAMES = Object.keys(FACT_VALUES) as FactName[]

/** A missing member is unknown. */
export type ModelFacts = { readonly [N in FactName]?: FactValue<N> }

/** Where a value comes from, strongest first: the user's edit, the provider's own list, the table in the program. */
export const FACT_SOURCES = ['user', 'provider', 'table'] as const
export type FactSource = (typeof FACT_SOURCES)[number]
