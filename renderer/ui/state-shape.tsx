// Shape + word + colour: a state is never shown by colour alone.
import type { ReactNode } from 'react'

export type Shape = 'check' | 'triangle' | 'clock' | 'square' | 'hollow' | 'cross' | 'pause' | 'dashed'
export type Tone = 'ok' | 'warn' | 'down' | 'idle'

const line = { fill: 'none', stroke: 'currentColor', strokeWidth: 1.75, strokeLinecap: 'round' } as const
const cut = { fill: 'none', stroke: 'var(--shape-cut)', strokeWidth: 1.75, strokeLinecap: 'round' } as const

const DRAWINGS: Readonly<Record<Shape, ReactNode>> = {
  check: (
    <>
      <circle cx="8" cy="8" r="7" fill="currentColor" />
      <path d="M4.9 8.3 7.1 10.4 11.2 5.9" strokeLinejoin="round" {...cut} />
    </>
  ),
  triangle: (
    <>
      <path d="M8 1.9 14.6 13.6H1.4Z" strokeLinejoin="round" {...line} />
      <path d="M8 6.4V10.4" {...line} />
    </>
  ),
  clock: (
    <>
      <circle cx="8" cy="8" r="6.4" {...line} />
      <path d="M8 4.6V8L10.3 9.5" strokeLinejoin="round" {...line} />
    </>
  ),
  square: (
    <>
      <rect x="1.2" y="1.2" width="13.6" height="13.6" rx="2.6" fill="currentColor" />
      <path d="M8 4.5V8.7M8 11.4V11.5" {...cut} />
    </>
  ),
  hollow: <circle cx="8" cy="8" r="6.1" {...line} />,
  cross: (
    <>
      <path d="M5.1 1H10.9L15 5.1V10.9L10.9 15H5.1L1 10.9V5.1Z" fill="currentColor" />
      <path d="M5.6 5.6 10.4 10.4M10.4 5.6 5.6 10.4" {...cut} />
    </>
  ),
  pause: (
    <>
      <circle cx="8" cy="8" r="6.4" {...line} />
      <path d="M6.4 5.6V10.4M9.6 5.6V10.4" {...line} />
    </>
  ),
  dashed: <circle cx="8" cy="8" r="6.1" strokeDasharray="3 3.4" {...line} />,
}

export function StateShape({ shape, size = 16 }: { readonly shape: Shape; readonly size?: number }) {
  return (
    <svg className={`shape shape--${shape}`} width={size} height={size} viewBox="0 0 16 16" aria-hidden="true">
      {DRAWINGS[shape]}
    </svg>
  )
}

export interface StateLook {
  readonly shape: Shape
  readonly tone: Tone
  readonly word: string
}

export function StateBadge({ look, wordHidden = false }: { readonly look: StateLook; readonly wordHidden?: boolean }) {
  return (
    <span className={`state state--${look.tone}`}>
      <StateShape shape={look.shape} />
      <span className={wordHidden ? 'visually-hidden' : 'state__word'}>{look.word}</span>
    </span>
  )
}
