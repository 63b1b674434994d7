import { type ReactNode, useId } from 'react'

interface CardProps {
  readonly title?: string
  readonly aside?: ReactNode
  readonly className?: string
  readonly children: ReactNode
}

/** A surface with a hairline and, where it has a title, a heading that names it. */
export function Card({ title, aside, className, children }: CardProps) {
  const id = useId()
  return (
    <section
      className={className === undefined ? 'card' : `card ${className}`}
      aria-labelledby={title === undefined ? undefined : id}
    >
      {title !== undefined && (
        <header className="card__head">
          <h2 id={id} className="grow truncate">
            {title}
          </h2>
          {aside}
        </header>
      )}
      {children}
    </section>
  )
}

export function Empty({ text, children }: { readonly text: string; readonly children?: ReactNode }) {
  return (
    <div className="empty">
      <p className="empty__text">{text}</p>
      {children}
    </div>
  )
}
