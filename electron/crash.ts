// A fault that nobody caught: written down, and said once. The gateway goes on, for running answers may still finish.
import type { Dialog } from 'electron'
import type { Logger } from '../core/host'

export interface CrashDeps {
  readonly log: Logger
  readonly dialog: Pick<Dialog, 'showMessageBox'>
  readonly logFile: string
  readonly quit: () => void
}

export function reportFault({ log, dialog, logFile, quit }: CrashDeps): (error: unknown) => void {
  let asking = false
  return (error) => {
    log.error({ error: error instanceof Error ? error.stack : String(error) }, 'an unexpected fault')
    // One dialog at a time: a fault that repeats must not bury the desktop.
    if (asking) return
    asking = true
    dialog
      .showMessageBox({
        type: 'error',
        title: 'Breakwater',
        message: 'Breakwater met a fault of its own and may not work as it should until it is started again.',
        detail: `${error instanceof Error ? error.message : String(error)}\n\nDetails: ${logFile}`,
        buttons: ['Keep running', 'Quit'],
        defaultId: 0,
        cancelId: 0,
      })
      .then(({ response }) => {
        asking = false
        if (response === 1) quit()
      })
      .catch(() => {
        asking = false
      })
  }
}
