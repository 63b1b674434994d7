// A combo as it is edited, what is wrong with it, and what of it is sent. Pure: the panel only draws it.
import { keptConfig, type SetConfig } from '../../../core/contract/combo-config'
import { type AnyStrategyName, QUOTA_SHARE } from '../../../core/contract/combo-strategies'
import type { ComboView } from '../../../core/contract/combo-views'
import type { CallInput, IpcError } from '../../../core/contract/ipc'
import { messageAtField } from '../../app/error-words'
import { MOST_STEPS, nameFault, strategyInForce } from './combo-words'
import { type ConfigTexts, checkConfig, configChanges, textsOf } from './config-texts'
import { checkStep, type StepDraft, type StepErrors, type StepField, stepDraftOf, toStep } from './step-draft'

export interface ComboDraft {
  readonly name: string
  readonly strategy: AnyStrategyName
  readonly config: ConfigTexts
  readonly steps: readonly StepDraft[]
}

export interface ComboErrors {
  readonly name?: string
  readonly strategy?: string
  /** About the list as a whole. */
  readonly steps?: string
  /** By the step's key. */
  readonly ofSteps: Readonly<Record<string, StepErrors>>
  /** By the key of the configuration. */
  readonly config: Readonly<Record<string, string>>
  readonly general?: string
}
export const NO_ERRORS: ComboErrors = { ofSteps: {}, config: {} }

export const EMPTY_COMBO: ComboDraft = { name: '', strategy: 'priority', config: {}, steps: [] }

export const draftOf = ({ name, strategy, config, steps }: ComboView): ComboDraft => ({
  ...{ name, strategy },
  config: textsOf(config),
  steps: steps.map(stepDraftOf),
})

interface Others {
  /** Ids of providers and their other names, in lower case. */
  readonly providerIds: ReadonlySet<string>
  /** Names of the other combos. */
  readonly taken: ReadonlySet<string>
}

export function checkCombo(draft: ComboDraft, { providerIds, taken }: Others): ComboErrors {
  const strategy = strategyInForce(draft.name, draft.strategy)
  const name = nameFault(draft.name.trim(), providerIds, taken)
  const steps = stepsFault(draft, strategy)
  const ofSteps = draft.steps.flatMap((step) => {
    const errors = checkStep(step, strategy)
    return Object.keys(errors).length === 0 ? [] : [[step.key, errors] as const]
  })
  return {
    ...(name === null ? {} : { name }),
    ...(steps === null ? {} : { steps }),
    ofSteps: Object.fromEntries(ofSteps),
    config: checkConfig(strategy, draft.config),
  }
}

function stepsFault({ steps, config }: ComboDraft, strategy: AnyStrategyName): string | null {
  if (steps.length === 0) return 'Add one model at least.'
  if (steps.length > MOST_STEPS) return `At most ${MOST_STEPS} steps.`
  const agentic = strategy === 'pipeline' && config.agentic === 'on'
  return agentic && steps.length !== 2 ? 'Planner and executor need exactly two steps.' : null
}

export const isSound = ({ name, strategy, steps, ofSteps, config, general }: ComboErrors): boolean =>
  [name, strategy, steps, general].every((each) => each === undefined) &&
  Object.keys(ofSteps).length + Object.keys(config).length === 0

/** Nobody chooses `quota-share`: the name does. A combo that loses such a name has the strategy that is shown then. */
function chosen({ name, strategy }: ComboDraft): { strategy?: string } {
  const wanted = strategy === QUOTA_SHARE ? strategyInForce(name, strategy) : strategy
  return wanted === QUOTA_SHARE ? {} : { strategy: wanted }
}

export function toCreate(draft: ComboDraft): CallInput<'combos:create'> {
  const config = configChanges(strategyInForce(draft.name, draft.strategy), draft.config, {})
  return {
    name: draft.name.trim(),
    ...chosen(draft),
    ...(Object.keys(config).length === 0 ? {} : { config }),
    steps: draft.steps.map(toStep),
  }
}

/** As it would be asked now, were it saved; null: it cannot be told yet. A name is not needed for that. */
export function toPreview(draft: ComboDraft, others: Others): CallInput<'combos:create'> | null {
  const { name, ...errors } = checkCombo(draft, others)
  return isSound(errors) ? toCreate(name === undefined ? draft : { ...draft, name: PREVIEW }) : null
}

const PREVIEW = 'preview'

/** Only what differs from what was there when editing began; null when nothing does. */
export function toUpdate(draft: ComboDraft, base: ComboView): CallInput<'combos:update'> | null {
  const { id, name, strategy, steps } = base
  const next = strategyInForce(draft.name, draft.strategy)
  // What both strategies have is kept by the core.
  const config = configChanges(next, draft.config, keptConfig(next, base.config as SetConfig))
  const given = draft.steps.map(toStep)
  const changes = {
    ...(draft.name.trim() === name ? {} : { name: draft.name.trim() }),
    ...(next === strategy && draft.strategy === strategy ? {} : chosen(draft)),
    ...(Object.keys(config).length === 0 ? {} : { config }),
    ...(JSON.stringify(given) === JSON.stringify(steps.map((step, i) => toStep(stepDraftOf(step, i))))
      ? {}
      : { steps: given }),
  }
  return Object.keys(changes).length === 0 ? null : { id, ...changes }
}

/** Whether something was entered that is lost when it is thrown away, understood or not. */
export const isTouched = (draft: ComboDraft, base: ComboView | null): boolean => {
  const before = base === null ? EMPTY_COMBO : draftOf(base)
  const plain = ({ name, strategy, config, steps }: ComboDraft) =>
    JSON.stringify([
      name,
      strategy,
      Object.entries(config)
        .filter(([, text]) => text !== '')
        .sort(),
      steps,
    ])
  return plain(draft) !== plain(before)
}

const STEP_FIELDS: Readonly<Record<string, StepField>> = {
  weight: 'weight',
  connection: 'connections',
  allowedConnections: 'connections',
  prompt: 'prompt',
}

/** A refusal at the field or the step it is about: "steps[2].weight", "config.retryDelayMs". */
export function placeComboError(error: IpcError, { steps }: ComboDraft): ComboErrors {
  const field = error.field ?? ''
  const message = messageAtField(error)
  const ofStep = /^steps\[(\d+)\](?:\.(\w+))?/.exec(field)
  const step = ofStep === null ? undefined : steps[Number(ofStep[1])]
  if (step !== undefined)
    return { ...NO_ERRORS, ofSteps: { [step.key]: { [STEP_FIELDS[ofStep?.[2] ?? ''] ?? 'name']: message } } }
  if (field.startsWith('config.')) return { ...NO_ERRORS, config: { [field.slice('config.'.length)]: message } }
  return field === 'name' || field === 'strategy' || field === 'steps'
    ? { ...NO_ERRORS, [field]: message }
    : { ...NO_ERRORS, general: message }
}

/** What stands in the way of each step, by its key, as long as the step is as it was saved. */
export function stepWarnings(draft: ComboDraft, base: ComboView | null): Readonly<Record<string, string>> {
  if (base === null) return {}
  const saved = new Map(
    base.steps.map((step, place) => [`s${place}`, JSON.stringify(toStep(stepDraftOf(step, place)))]),
  )
  const found = base.warnings.flatMap(({ step, message }) => (step === null ? [] : [{ key: `s${step}`, message }]))
  return Object.fromEntries(
    found
      .filter(({ key }) =>
        draft.steps.some((step) => step.key === key && JSON.stringify(toStep(step)) === saved.get(key)),
      )
      .map(({ key, message }) => [key, message]),
  )
}
