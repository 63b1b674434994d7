import './ui/tokens.css'
import './ui/base.css'
import './ui/controls.css'
import './ui/surfaces.css'
import './app/shell.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/app'
import { connect } from './app/connect'
import { ErrorBoundary } from './app/error-boundary'
import { applyRememberedTheme } from './app/theme'

declare global {
  /** Read by get-nonce for the one style tag that the dialog's scroll lock inserts. */
  var __webpack_nonce__: string | undefined
}

const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content
if (nonce !== undefined && !nonce.startsWith('__')) globalThis.__webpack_nonce__ = nonce

async function start(): Promise<void> {
  if (import.meta.env.DEV && window.breakwater === undefined) {
    const { installFakeApi } = await import('./dev/fake-api')
    installFakeApi()
  }
  applyRememberedTheme()
  const root = document.getElementById('root')
  if (root === null) return
  createRoot(root).render(
    <StrictMode>
      <ErrorBoundary>
        <App />
      </ErrorBoundary>
    </StrictMode>,
  )
  connect()
}

void start()
