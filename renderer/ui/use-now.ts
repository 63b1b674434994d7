import { useSyncExternalStore } from 'react'

// One clock for every relative time on the page; it stops when nothing listens.
let now = Date.now()
let timer: ReturnType<typeof setInterval> | null = null
const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  if (timer === null) {
    now = Date.now()
    timer = setInterval(() => {
      now = Date.now()
      for (const each of listeners) each()
    }, 1000)
  }
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0 && timer !== null) {
      clearInterval(timer)
      timer = null
    }
  }
}

const read = (): number => now

/** The time, once a second. */
export const useNow = (): number => useSyncExternalStore(subscribe, read)
