import { Tooltip as Radix } from 'radix-ui'
import type { ReactElement } from 'react'

/** Needs a focusable child, so that the text can be reached by keyboard too. */
export function Tooltip({ text, children }: { readonly text: string; readonly children: ReactElement }) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content className="tooltip" sideOffset={6} collisionPadding={8}>
          {text}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

export const TooltipProvider = Radix.Provider
