import { X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button, IconButton } from './button'
import { type Toast, useToasts } from './toast-store'

export function Toasts() {
  const toasts = useToasts(({ toasts }) => toasts)
  return (
    <section className="toasts" aria-live="polite" aria-label="Messages">
      {toasts.map((toast) => (
        <ToastRow key={toast.id} toast={toast} />
      ))}
    </section>
  )
}

/** Stays while the pointer or the focus is in it. */
function ToastRow({ toast }: { readonly toast: Toast }) {
  const dismiss = useToasts(({ dismiss }) => dismiss)
  const [held, setHeld] = useState(false)
  useEffect(() => {
    if (held) return
    const timer = setTimeout(() => dismiss(toast.id), toast.forMs)
    return () => clearTimeout(timer)
  }, [held, toast, dismiss])
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only holds the message while it is being read
    <div
      className={toast.bad ? 'toast toast--bad' : 'toast'}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <span className="toast__text">{toast.text}</span>
      {toast.action !== null && (
        <Button
          small
          onClick={() => {
            toast.action?.run()
            dismiss(toast.id)
          }}
        >
          {toast.action.label}
        </Button>
      )}
      <IconButton label="Dismiss" onClick={() => dismiss(toast.id)}>
        <X size={16} strokeWidth={1.75} />
      </IconButton>
    </div>
  )
}
