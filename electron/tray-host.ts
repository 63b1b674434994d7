// Whether a tray icon can be seen. macOS and Windows always show one; a Linux desktop only where something on the
// session bus takes icons in, and that may come later or go away.
import { busSocket, connectBus, type SessionBus } from './session-bus'

const WATCHER = 'org.kde.StatusNotifierWatcher'
const BUS_OBJECT = {
  destination: 'org.freedesktop.DBus',
  path: '/org/freedesktop/DBus',
  interface: 'org.freedesktop.DBus',
}
const RULES = [
  `type='signal',sender='org.freedesktop.DBus',interface='org.freedesktop.DBus',member='NameOwnerChanged',arg0='${WATCHER}'`,
  `type='signal',interface='${WATCHER}',member='StatusNotifierHostRegistered'`,
  `type='signal',interface='${WATCHER}',member='StatusNotifierHostUnregistered'`,
]

export interface TrayHost {
  visible(): boolean
  /** Tells of each change. */
  onChange(listener: (visible: boolean) => void): void
  stop(): void
}

const always: TrayHost = { visible: () => true, onChange: () => {}, stop: () => {} }
const never: TrayHost = { visible: () => false, onChange: () => {}, stop: () => {} }

export async function watchTrayHost(
  platform: NodeJS.Platform,
  env: Readonly<Record<string, string | undefined>>,
): Promise<TrayHost> {
  if (platform !== 'linux') return always
  const socket = busSocket(env)
  if (socket === null) return never
  try {
    return await watchBus(await connectBus(socket))
  } catch {
    return never
  }
}

export async function watchBus(bus: SessionBus): Promise<TrayHost> {
  const listeners = new Set<(visible: boolean) => void>()
  let visible = false
  const set = (next: boolean): void => {
    if (next === visible) return
    visible = next
    for (const listener of listeners) listener(next)
  }
  // Answers may overtake each other: only the newest question counts.
  let asked = 0
  const check = async (): Promise<void> => {
    const turn = ++asked
    const seen = await hasHost(bus)
    if (turn === asked) set(seen)
  }
  bus.onClose(() => set(false))
  for (const rule of RULES) await bus.onSignal(rule, ({ member }) => void (isAbout(member) && check()))
  await check()
  return { visible: () => visible, onChange: (listener) => void listeners.add(listener), stop: () => bus.close() }
}

const isAbout = (member: string): boolean => member === 'NameOwnerChanged' || member.startsWith('StatusNotifierHost')

async function hasHost(bus: SessionBus): Promise<boolean> {
  try {
    const [owned] = await bus.call({ ...BUS_OBJECT, member: 'NameHasOwner', body: [WATCHER] })
    if (owned !== true) return false
    const [registered] = await bus.call({
      destination: WATCHER,
      path: '/StatusNotifierWatcher',
      interface: 'org.freedesktop.DBus.Properties',
      member: 'Get',
      body: [WATCHER, 'IsStatusNotifierHostRegistered'],
    })
    return registered === true
  } catch {
    return false
  }
}
