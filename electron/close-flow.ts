// Closing the window, from the click to hiding, asking or quitting.
import { dialog, Notification } from 'electron'
import type { APP_PUSHES } from '../core/contract/ipc'
import type { Settings } from '../core/contract/settings'
import { onClose } from './close-behaviour'
import type { AppWindow } from './window'

export type CloseChoice = 'keep' | 'quit' | 'cancel'

export interface CloseFlowDeps {
  readonly window: AppWindow
  readonly settings: () => Settings
  readonly trayVisible: () => boolean
  readonly push: (name: keyof typeof APP_PUSHES, data: null) => void
  readonly rememberHint: () => void
  readonly quit: () => void
}

export class CloseFlow {
  private askPending = false

  constructor(private readonly deps: CloseFlowDeps) {}

  onClose(): void {
    const { window, settings, trayVisible, push, quit } = this.deps
    const { closeAction, trayHintShown } = settings()
    const outcome = onClose({
      closeAction,
      trayVisible: trayVisible(),
      hintShown: trayHintShown,
      askPending: this.askPending,
      pageWorks: window.pageWorks(),
    })
    switch (outcome) {
      case 'quit':
        return quit()
      case 'hide':
        return window.hide()
      case 'hide-with-hint':
        return this.hideWithHint()
      case 'ask':
        this.askPending = true
        return push('window:close-asked', null)
      case 'ask-natively':
        void this.askNatively()
    }
  }

  /** The person's answer, from the page or from the dialog. */
  answer(choice: CloseChoice): void {
    this.askPending = false
    if (choice === 'keep') this.deps.window.hide()
    if (choice === 'quit') this.deps.quit()
  }

  private hideWithHint(): void {
    const { window, push, rememberHint } = this.deps
    push('window:tray-hint', null)
    rememberHint()
    window.hide()
    // The page can only say it when it is seen again; the desktop can say it now.
    if (!Notification.isSupported()) return
    const body = 'The gateway keeps running in the tray. Quit from the tray menu ends it.'
    new Notification({ title: 'Breakwater', body, silent: true }).show()
  }

  private async askNatively(): Promise<void> {
    const { response } = await dialog.showMessageBox({
      type: 'question',
      title: 'Breakwater',
      message: 'Keep the gateway running?',
      detail: 'This desktop shows no tray icon. Start Breakwater again to bring the window back.',
      buttons: ['Keep running', 'Quit', 'Cancel'],
      defaultId: 0,
      cancelId: 2,
    })
    this.answer((['keep', 'quit', 'cancel'] as const)[response] ?? 'cancel')
  }
}
