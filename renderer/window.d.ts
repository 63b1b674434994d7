import type { BreakwaterApi } from '../core/contract/ipc'

declare global {
  interface Window {
    /** Put there by the preload; missing when the page runs outside the app. */
    breakwater?: BreakwaterApi
  }
  /** Read by get-nonce for the one style tag that the dialog's scroll lock inserts. */
  var __webpack_nonce__: string | undefined
}
