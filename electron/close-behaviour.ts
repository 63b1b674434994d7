// What closing the window means. The one thing that must never happen is an app that runs on and cannot be found.

export interface CloseSituation {
  readonly closeAction: 'keep' | 'quit'
  readonly trayVisible: boolean
  readonly hintShown: boolean
  /** The page was asked already and has not answered: it may be unable to. */
  readonly askPending: boolean
  readonly pageWorks: boolean
}

/** `ask-natively`: by a dialog of the system, for a page that cannot ask. */
export type CloseOutcome = 'quit' | 'hide' | 'hide-with-hint' | 'ask' | 'ask-natively'

export function onClose(situation: CloseSituation): CloseOutcome {
  if (situation.closeAction === 'quit') return 'quit'
  if (situation.trayVisible) return situation.hintShown ? 'hide' : 'hide-with-hint'
  return situation.pageWorks && !situation.askPending ? 'ask' : 'ask-natively'
}
