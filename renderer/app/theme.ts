import { useEffect } from 'react'
import { useSetting } from './settings-value'

const REMEMBERED = 'theme'

function apply(theme: unknown): void {
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
  else delete document.documentElement.dataset.theme
}

/** Before the settings are here: the theme of last time, so that the window does not flash. */
export function applyRememberedTheme(): void {
  apply(window.localStorage.getItem(REMEMBERED))
}

export function useTheme(): void {
  const theme = useSetting('theme')
  useEffect(() => {
    if (theme === null) return
    apply(theme)
    window.localStorage.setItem(REMEMBERED, String(theme))
  }, [theme])
}
