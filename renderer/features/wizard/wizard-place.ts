// The steps of the first run and what is kept of them. Pure: the store beside it keeps one place.
export const STEPS = ['address', 'connection', 'test', 'tool', 'send'] as const
export type Step = (typeof STEPS)[number]

export interface WizardPlace {
  readonly step: Step
  /** The connection the later steps are about. */
  readonly connectionId: string | null
  /** The model the tool and the first request use: "openai/gpt-x". */
  readonly model: string
}

export const START: WizardPlace = { step: 'address', connectionId: null, model: 'practice/echo' }

/** What was kept, or the start where nothing usable was. */
export function readPlace(raw: string | null): WizardPlace {
  if (raw === null) return START
  try {
    const kept = JSON.parse(raw) as Partial<WizardPlace> | null
    const step = STEPS.find((each) => each === kept?.step)
    if (step === undefined) return START
    return {
      step,
      connectionId: typeof kept?.connectionId === 'string' ? kept.connectionId : null,
      model: typeof kept?.model === 'string' && kept.model !== '' ? kept.model : START.model,
    }
  } catch {
    return START
  }
}

export const nextOf = (step: Step): Step | null => STEPS[STEPS.indexOf(step) + 1] ?? null
export const previousOf = (step: Step): Step | null => STEPS[STEPS.indexOf(step) - 1] ?? null
