// What can be asked for around combos. A combo is named by its id or its name.
import { z } from 'zod'
import { AutoVariantView, ComboExplanation, ComboTest, ComboView } from './combo-views'
import { MOST_STEPS, type StepInput } from './combos'

const none = z.undefined()
const combo = z.string().min(1, 'must not be empty').max(200)
const name = z.string().trim().min(1, 'must not be empty').max(200)
const strategy = z.string().trim().min(1, 'must not be empty').max(100)
/** By key; `null` stands for what the strategy has. */
const config = z.record(z.string(), z.unknown()).meta({ title: 'ComboConfig' })
/** Checked with the rest of the combo, so that faults are told by their whole path: `steps[2].weight`. */
const steps = z.array(z.custom<StepInput>())

export const COMBO_OPERATIONS = {
  /** In the user's order. */
  'combos:list': { input: none, output: z.array(ComboView) },
  'combos:get': { input: z.object({ id: combo }), output: ComboView },
  /** Connections may be named by id, or by name. */
  'combos:create': {
    input: z.object({ name, strategy: strategy.optional(), config: config.optional(), steps }),
    output: ComboView,
  },
  /**
   * A missing field stays as it is, and so does a missing key of `config`, unless it is not for a changed strategy.
   * `steps` replaces all of them. With `replace` what is missing falls back to its default instead; steps must be given.
   * A new name is followed by the steps and names that lead here.
   */
  'combos:update': {
    input: z.object({
      id: combo,
      replace: z.boolean().optional(),
      name: name.optional(),
      strategy: strategy.optional(),
      config: config.optional(),
      steps: steps.optional(),
    }),
    output: ComboView,
  },
  /** All of them, in their new order. */
  'combos:reorder': { input: z.object({ ids: z.array(combo).max(2_000) }), output: z.array(ComboView) },
  /** `name` left out: the old one with "-copy" behind it. */
  'combos:duplicate': { input: z.object({ id: combo, name: name.optional() }), output: ComboView },
  /** Refused while another combo has it as a step. */
  'combos:remove': { input: z.object({ id: combo }), output: z.null() },
  /** Undoes `combos:remove` within this run. */
  'combos:restore': { input: z.object({ id: combo }), output: ComboView },
  /** A small real request to what each step leads to, through the gateway's own port. `steps` left out: all. */
  'combos:test': {
    input: z.object({ id: combo, steps: z.array(z.number().int().min(0).max(MOST_STEPS)).max(MOST_STEPS).optional() }),
    output: ComboTest,
  },
  /**
   * `id` also names one of `auto`. `draft`: in its place, a combo that is not saved.
   * `request`: the body of a Chat Completions request; left out: any. `headers`: its own, names in lower case: what
   * `auto` is wished. `most`: no more of each list than so many.
   */
  'combos:explain': {
    input: z.object({
      id: combo.optional(),
      draft: z.object({ name, strategy: strategy.optional(), config: config.optional(), steps }).optional(),
      request: z.record(z.string(), z.unknown()).optional(),
      headers: z.record(z.string(), z.string()).optional(),
      most: z.number().int().min(1).optional(),
    }),
    output: ComboExplanation,
  },
  /** The names of `auto`, which need no combo. */
  'combos:auto': { input: none, output: z.array(AutoVariantView) },
} as const satisfies Record<string, { input: z.ZodType; output: z.ZodType }>
