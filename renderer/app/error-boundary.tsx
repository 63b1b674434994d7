import { Component, type ReactNode } from 'react'
import { Button } from '../ui/button'
import { Callout } from '../ui/callout'

interface Props {
  readonly children: ReactNode
}
interface State {
  readonly message: string | null
}

/** The last door: says the fact and the way out instead of leaving the window blank. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { message: null }

  static getDerivedStateFromError(error: unknown): State {
    return { message: error instanceof Error ? error.message : String(error) }
  }

  override render(): ReactNode {
    if (this.state.message === null) return this.props.children
    return (
      <main className="fault">
        <Callout
          tone="down"
          shape="cross"
          title="This page could not be drawn"
          alert
          actions={
            <Button look="primary" onClick={() => window.location.reload()}>
              Reload the window
            </Button>
          }
        >
          <p>
            The window stopped with: <code>{this.state.message}</code>
          </p>
          <p className="muted">
            The gateway runs on in its own process: tools that use it notice nothing. Reloading starts the window again.
          </p>
        </Callout>
      </main>
    )
  }
}
