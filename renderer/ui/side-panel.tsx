import { X } from 'lucide-react'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { IconButton } from './button'

interface SidePanelProps {
  readonly title: ReactNode
  /** Changes when the panel shows another thing: focus goes to the title again. */
  readonly subject: string
  readonly onClose: () => void
  /** False where a field inside takes the focus at once. */
  readonly focusTitle?: boolean
  readonly footer?: ReactNode
  readonly children: ReactNode
}

/** Beside the page, not over it: the page stays usable. Esc closes it and gives the focus back to where it was. */
export function SidePanel({ title, subject, onClose, focusTitle = true, footer, children }: SidePanelProps) {
  const id = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  const opener = useRef<Element | null>(null)
  const close = useRef(onClose)
  close.current = onClose

  useEffect(() => {
    opener.current = document.activeElement
    return () => {
      if (opener.current instanceof HTMLElement && opener.current.isConnected) opener.current.focus()
    }
  }, [])

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new subject is what moves the focus
  useEffect(() => {
    if (focusTitle) heading.current?.focus()
  }, [subject])

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !event.defaultPrevented) {
        event.preventDefault()
        close.current()
      }
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])

  return (
    <aside className="side-panel" aria-labelledby={id}>
      <header className="side-panel__head">
        <h2 className="side-panel__title truncate" id={id} ref={heading} tabIndex={-1}>
          {title}
        </h2>
        <IconButton label="Close panel" onClick={onClose}>
          <X size={16} strokeWidth={1.75} />
        </IconButton>
      </header>
      <div className="side-panel__body">{children}</div>
      {footer !== undefined && <footer className="side-panel__foot">{footer}</footer>}
    </aside>
  )
}
