// Rows of the table of combos: those that are carried out as a whole, fusion and pipeline.
import { type ComboField, flag, text, whole } from './combo-fields'

export const WHOLE_CONFIG = {
  judgeModel: text({
    maxLength: 256,
    label: 'Judge',
    help: 'The model that writes the answer. Empty: the first of the list.',
  }),
  minPanel: whole({
    fallback: 2,
    min: 2,
    max: 40,
    unit: 'answers',
    label: 'Enough are',
    help: 'With so many answers the others get a last moment. No more than there are members.',
  }),
  maxPanel: whole({
    fallback: 40,
    min: 2,
    max: 40,
    label: 'Members up to',
    help: 'A larger panel is refused: each member is a call of its own.',
  }),
  stragglerGraceMs: whole({
    fallback: 8_000,
    min: 0,
    max: 600_000,
    unit: 'ms',
    label: 'Last moment',
    help: 'How long the others are waited for when enough have answered.',
  }),
  panelHardTimeoutMs: whole({
    fallback: 90_000,
    min: 1_000,
    max: 600_000,
    unit: 'ms',
    label: 'At most',
    help: 'Then the judge works with what there is.',
  }),

  agentic: flag({
    fallback: false,
    label: 'Planner and executor',
    help: 'Two steps: the first plans, the second works with tools.',
  }),
  maxToolRounds: whole({
    fallback: 8,
    min: 1,
    max: 32,
    unit: 'rounds',
    label: 'Tool rounds',
    help: 'How often the executor may use tools before it must answer.',
  }),
} satisfies Record<string, ComboField>
