// Sleep, wake-up and shutdown of the machine.
import type { PowerMonitor } from 'electron'
import type { Gateway } from '../core/gateway'

export function followPower(
  monitor: PowerMonitor,
  gateway: Pick<Gateway, 'onSuspend' | 'onResume'>,
  quit: () => void,
): void {
  monitor.on('suspend', () => gateway.onSuspend())
  monitor.on('resume', () => gateway.onResume())
  // Asks the system for the moment it takes to end answers and close the databases.
  monitor.on(
    'shutdown' as 'suspend',
    ((event?: { preventDefault?: () => void }) => {
      event?.preventDefault?.()
      quit()
    }) as () => void,
  )
}
