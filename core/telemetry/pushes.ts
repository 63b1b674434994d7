// From what happens in the core to whoever listens: window, tray, tests. A listener that throws disturbs nobody.
import type { PushData, PushName } from '../contract/events'
import type { Logger } from '../host'

export interface Pushes {
  /** Returns its own unsubscribe. */
  on<N extends PushName>(name: N, listener: (data: PushData<N>) => void): () => void
}

export class PushBus implements Pushes {
  private readonly listeners = new Map<PushName, Set<(data: never) => void>>()

  constructor(private readonly log: Logger) {}

  on<N extends PushName>(name: N, listener: (data: PushData<N>) => void): () => void {
    const set = this.listeners.get(name) ?? new Set()
    this.listeners.set(name, set)
    set.add(listener as (data: never) => void)
    return () => set.delete(listener as (data: never) => void)
  }

  /** `data` is only computed when somebody listens. */
  emit<N extends PushName>(name: N, data: () => PushData<N>): void {
    const set = this.listeners.get(name)
    if (set === undefined || set.size === 0) return
    const value = data()
    for (const listener of set) {
      try {
        ;(listener as (data: PushData<N>) => void)(value)
      } catch (error) {
        this.log.error({ push: name, error: String(error) }, 'a listener failed')
      }
    }
  }
}
