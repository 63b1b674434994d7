// Where the first run stands. Kept in the window's own storage, so that it goes on where it was left.
import { create } from 'zustand'
import { readPlace, START, type Step, type WizardPlace } from './wizard-place'

const KEY = 'first-run'
export const useWizard = create<WizardPlace>()(() => readPlace(window.localStorage.getItem(KEY)))
useWizard.subscribe((place) => window.localStorage.setItem(KEY, JSON.stringify(place)))

export const goTo = (step: Step): void => useWizard.setState({ step })
export const resetWizard = (): void => useWizard.setState(START)
