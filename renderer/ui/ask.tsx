import { AlertDialog } from 'radix-ui'
import type { ReactNode } from 'react'

interface AskProps {
  readonly title: string
  readonly children: ReactNode
  /** The choices; the first one gets the focus, so it should be the harmless one. */
  readonly actions: ReactNode
  readonly onCancel: () => void
}

/** Only for what cannot be undone, and for the window's last question. */
export function Ask({ title, children, actions, onCancel }: AskProps) {
  return (
    <AlertDialog.Root open onOpenChange={(open) => !open && onCancel()}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className="scrim" />
        <AlertDialog.Content className="dialog">
          <AlertDialog.Title asChild>
            <h2>{title}</h2>
          </AlertDialog.Title>
          <AlertDialog.Description asChild>
            <div className="stack">{children}</div>
          </AlertDialog.Description>
          <div className="dialog__actions">{actions}</div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}

/** Closes the dialog without choosing. */
export const AskCancel = AlertDialog.Cancel
