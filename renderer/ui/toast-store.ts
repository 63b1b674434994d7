import { create } from 'zustand'

export interface Toast {
  readonly id: number
  readonly text: string
  readonly bad: boolean
  readonly action: { readonly label: string; readonly run: () => void } | null
  readonly forMs: number
}

interface ToastState {
  readonly toasts: readonly Toast[]
  readonly show: (toast: { text: string; bad?: boolean; action?: Toast['action']; forMs?: number }) => void
  readonly dismiss: (id: number) => void
}

const MOST = 4
const USUAL_MS = 6000
let lastId = 0

export const useToasts = create<ToastState>()((set) => ({
  toasts: [],
  show: ({ text, bad = false, action = null, forMs = USUAL_MS }) => {
    lastId += 1
    const toast: Toast = { id: lastId, text, bad, action, forMs }
    set(({ toasts }) => ({ toasts: [...toasts, toast].slice(-MOST) }))
  },
  dismiss: (id) => set(({ toasts }) => ({ toasts: toasts.filter((toast) => toast.id !== id) })),
}))

/** For code outside components. */
export const showToast = (toast: Parameters<ToastState['show']>[0]): void => useToasts.getState().show(toast)
