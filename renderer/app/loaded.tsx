import type { ReactNode } from 'react'
import { Button } from '../ui/button'
import { Callout } from '../ui/callout'
import { Waiting } from '../ui/waiting'
import type { Loadable } from './loadable'

interface LoadedProps<T> {
  readonly of: Loadable<T>
  /** In the middle of a sentence: "the models". */
  readonly what: string
  readonly bars?: number
  readonly again: () => unknown
  readonly children: (value: T) => ReactNode
}

/** What is here, or that it is on its way, or why it is not here. */
export function Loaded<T>({ of, what, bars, again, children }: LoadedProps<T>) {
  switch (of.at) {
    case 'loading':
      return (
        <div className="card">
          <Waiting forWhat={what} {...(bars === undefined ? {} : { bars })} />
        </div>
      )
    case 'failed':
      return (
        <Callout
          tone="down"
          shape="cross"
          title={`${what.charAt(0).toUpperCase()}${what.slice(1)} could not be read`}
          actions={<Button onClick={() => void again()}>Try again</Button>}
        >
          <p>{of.error.message}</p>
        </Callout>
      )
    case 'ready':
      return children(of.value)
  }
}
