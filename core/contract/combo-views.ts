// Combos as the core shows them.
import { z } from 'zod'
import { QUOTA_SHARE, STRATEGIES } from './combo-strategies'
import { Step } from './combos'
import { REASONS } from './kinds'

const moment = z.number() // epoch milliseconds

/** What stands in a combo's way, in one sentence. It may be kept all the same. */
export const ComboWarning = z.object({
  /** Place of the step it is about, from 0; null: the combo as a whole. */
  step: z.number().nullable(),
  message: z.string(),
})
export type ComboWarning = z.infer<typeof ComboWarning>

/** What can be set of a combo, by key (COMBO_CONFIG). */
const Config = z.record(z.string(), z.unknown()).meta({ title: 'ComboConfig' })

export const ComboView = z.object({
  id: z.string(),
  name: z.string(),
  /** The one that is used: `quota-share` for names that begin with `qtSd/`. */
  strategy: z.enum([...STRATEGIES, QUOTA_SHARE]),
  /** What was set; everything else is as the strategy has it. */
  config: Config,
  steps: z.array(Step),
  /** Names of the combos it is a step of. */
  usedBy: z.array(z.string()),
  warnings: z.array(ComboWarning),
  createdAt: moment,
  updatedAt: moment,
})
export type ComboView = z.infer<typeof ComboView>

/** One of the names under which `auto` is asked for. */
export const AutoVariantView = z.object({
  name: z.string(),
  help: z.string(),
  strategy: z.literal('auto'),
  config: Config,
})
export type AutoVariantView = z.infer<typeof AutoVariantView>

/** What became of one small request. */
export const TestedTarget = z.object({
  /** provider/model */
  target: z.string(),
  ok: z.boolean(),
  /** null: the gateway itself could not be reached. */
  status: z.number().nullable(),
  ms: z.number(),
  /** Which connection answered. */
  connectionId: z.string().nullable(),
  connectionName: z.string().nullable(),
  /** One sentence. */
  message: z.string(),
  /** The request's id in the log. */
  requestId: z.string().nullable(),
})
export type TestedTarget = z.infer<typeof TestedTarget>

export const TestedStep = z.object({
  /** Place in the list, from 0. */
  step: z.number(),
  /** The model or combo it names. */
  name: z.string(),
  /** At least one of its targets answered. */
  ok: z.boolean(),
  message: z.string(),
  targets: z.array(TestedTarget),
})
export type TestedStep = z.infer<typeof TestedStep>

export const ComboTest = z.object({
  /** At least one step answered. */
  ok: z.boolean(),
  message: z.string(),
  steps: z.array(TestedStep),
})
export type ComboTest = z.infer<typeof ComboTest>

/** The combos inside this one by which it is reached, the outer first. */
const via = z.array(z.string())

/** For a request now: who would be asked, in which order, and who is left out until when. Nothing is sent. */
export const ComboExplanation = z
  .object({
    ordered: z.array(
      z.object({
        provider: z.string(),
        model: z.string(),
        /** Its name; null: whichever connection of the provider. */
        connection: z.string().nullable(),
        /** null: the strategy gives none. */
        score: z.number().nullable(),
        /** What the score is made of. */
        parts: z.record(z.string(), z.number()),
        /** Asked only after a quota was found spent. */
        reserve: z.boolean(),
        via,
        /** A conversation goes first to the account that answered it last; null: none does here. */
        stays: z.object({ why: z.string(), until: z.number() }).nullable(),
      }),
    ),
    excluded: z.array(
      z.object({
        provider: z.string(),
        model: z.string(),
        connection: z.string().nullable(),
        /** Which mechanism keeps it out. */
        gate: z.string(),
        reason: z.enum(REASONS).nullable(),
        why: z.string(),
        /** Epoch milliseconds; null: no time ends it. */
        until: z.number().nullable(),
        via,
      }),
    ),
    /** Steps that lead to nothing. */
    dropped: z.array(z.object({ step: z.number().nullable(), name: z.string(), why: z.string() })),
  })
  .meta({ title: 'ComboExplanation' })
export type ComboExplanation = z.infer<typeof ComboExplanation>
