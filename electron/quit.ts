// The way out, whoever asks for it: menu, tray, signal, logout. The gateway ends its answers and closes its databases,
// but cannot hold the app for longer than the deadline.
import type { GatewayStatus } from '../core/contract/views'

export const QUIT_DEADLINE_MS = 3_000

export interface QuitDeps {
  /** What vanishes at once: window and tray. */
  readonly vanish: () => void
  readonly stop: () => Promise<void>
  readonly exit: () => void
  readonly deadlineMs?: number
  readonly onLate: () => void
}

export class Quit {
  private state: 'running' | 'stopping' | 'done' = 'running'

  constructor(private readonly deps: QuitDeps) {}

  get asked(): boolean {
    return this.state !== 'running'
  }

  /** For the app's `before-quit`: holds it until all is stopped, then ends the process. */
  onBeforeQuit(event: { preventDefault(): void }): void {
    if (this.state === 'done') return
    event.preventDefault()
    if (this.state === 'stopping') return
    this.state = 'stopping'
    this.deps.vanish()
    void this.finish()
  }

  private async finish(): Promise<void> {
    const { stop, exit, onLate, deadlineMs = QUIT_DEADLINE_MS } = this.deps
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<'late'>((resolve) => {
      timer = setTimeout(() => resolve('late'), deadlineMs)
    })
    try {
      if ((await Promise.race([stop(), late])) === 'late') onLate()
    } catch {
      // Whatever failed on the way out is logged where it failed; the app ends all the same.
    }
    clearTimeout(timer)
    this.state = 'done'
    exit()
  }
}

/** 5 where the data was refused, as the headless gateway has it; an autostart does not retry on it. */
export const exitCodeOf = ({ listener }: GatewayStatus): number => (listener.kind === 'database-refused' ? 5 : 0)
