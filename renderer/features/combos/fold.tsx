import { type ReactNode, useEffect, useState } from 'react'

interface FoldProps {
  readonly title: string
  /** Something inside is wrong: it opens, and stays open while it is mended. */
  readonly wrong: boolean
  readonly className?: string
  readonly children: ReactNode
}

/** What is seldom needed, folded away. */
export function Fold({ title, wrong, className, children }: FoldProps) {
  const [open, setOpen] = useState(wrong)
  useEffect(() => {
    if (wrong) setOpen(true)
  }, [wrong])
  return (
    <details
      className={className === undefined ? 'more' : `more ${className}`}
      open={open}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>{title}</summary>
      <div className="more__body">{children}</div>
    </details>
  )
}
