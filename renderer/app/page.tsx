import type { ReactNode } from 'react'

interface PageProps {
  readonly title: string
  readonly action?: ReactNode
  /** Beside the page: edits and details. */
  readonly panel?: ReactNode
  /** The page scrolls inside itself. */
  readonly fixed?: boolean
  readonly children: ReactNode
}

/** One title, one primary action top right, and room for a panel beside it. */
export function PageFrame({ title, action, panel, fixed = false, children }: PageProps) {
  return (
    <>
      <main className="page">
        <header className="page__head">
          <h1 className="grow truncate">{title}</h1>
          {action}
        </header>
        <div className={fixed ? 'page__body page__body--fixed' : 'page__body'}>{children}</div>
      </main>
      {panel}
    </>
  )
}
