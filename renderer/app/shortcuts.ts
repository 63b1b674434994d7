import { useEffect } from 'react'
import { navigate, PAGES } from './ui-state'

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null

/** Ctrl/Cmd+1…9 go to a page; `/` goes to the search of the models there, else of the log. */
export function useShortcuts(): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const withCommand = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey
      const page = withCommand ? PAGES[Number(event.key) - 1] : undefined
      if (page !== undefined) {
        event.preventDefault()
        navigate(page)
      } else if (event.key === '/' && !withCommand && !isTyping(event.target)) {
        event.preventDefault()
        const here = document.getElementById('model-search')
        if (here !== null) return here.focus()
        navigate('log')
        requestAnimationFrame(() => document.getElementById('log-search')?.focus())
      }
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
}
