import type { ReactNode } from 'react'
import { type Shape, StateShape, type Tone } from './state-shape'

interface CalloutProps {
  readonly tone: Tone
  readonly shape: Shape
  readonly title?: string
  readonly actions?: ReactNode
  /** Announced at once: for what just happened because of the person. */
  readonly alert?: boolean
  readonly children?: ReactNode
}

export function Callout({ tone, shape, title, actions, alert = false, children }: CalloutProps) {
  return (
    <div className={`callout callout--${tone}`} role={alert ? 'alert' : undefined}>
      <StateShape shape={shape} />
      <div className="callout__body">
        {title !== undefined && <strong>{title}</strong>}
        {children}
        {actions !== undefined && <div className="callout__actions">{actions}</div>}
      </div>
    </div>
  )
}
