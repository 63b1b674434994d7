// The part of a desktop that shows tray icons, as far as the app can see it: a StatusNotifierWatcher on the session
// bus. Sends plain messages, for the item's introspection is incomplete.
import { Message, type MessageBus, MessageType, sessionBus, Variant } from 'dbus-next'

const WATCHER = 'org.kde.StatusNotifierWatcher'
const WATCHER_PATH = '/StatusNotifierWatcher'
const ITEM = 'org.kde.StatusNotifierItem'
const MENU = 'com.canonical.dbusmenu'
const PROPERTIES = 'org.freedesktop.DBus.Properties'

export interface MenuEntry {
  readonly id: number
  readonly label: string
  readonly enabled: boolean
  readonly separator: boolean
}

export interface TrayItem {
  tooltip(): Promise<string>
  /** The icon's pixels, to tell one picture from another. */
  icon(): Promise<string>
  menu(): Promise<MenuEntry[]>
  /** Clicks the entry with this label. */
  click(label: string | RegExp): Promise<void>
  /** What a click on the icon itself does. */
  activate(): Promise<void>
}

export interface TrayHost {
  /** The item registered last; waits for the first. */
  item(): Promise<TrayItem>
  /** How many have registered so far. */
  registrations(): number
  stop(): Promise<void>
}

export async function startTrayHost(): Promise<TrayHost> {
  const bus = sessionBus()
  const items: string[] = []
  const waiting: ((service: string) => void)[] = []
  bus.addMethodHandler((message: Message) => answer(bus, message, items, waiting))
  await bus.requestName(WATCHER, 0)
  bus.send(Message.newSignal(WATCHER_PATH, WATCHER, 'StatusNotifierHostRegistered'))
  return {
    async item() {
      const service = items.at(-1) ?? (await new Promise<string>((resolve) => waiting.push(resolve)))
      return trayItem(bus, service)
    },
    registrations: () => items.length,
    async stop() {
      await bus.releaseName(WATCHER)
      bus.disconnect()
    },
  }
}

/** Whether this message was for the watcher. */
function answer(bus: MessageBus, message: Message, items: string[], waiting: ((service: string) => void)[]): boolean {
  if (message.path !== WATCHER_PATH) return false
  const reply = (signature: string, body: unknown[]): boolean => {
    bus.send(Message.newMethodReturn(message, signature, body))
    return true
  }
  if (message.interface === PROPERTIES && message.member === 'Get') {
    const [, name] = message.body as [string, string]
    if (name === 'IsStatusNotifierHostRegistered') return reply('v', [new Variant('b', true)])
    if (name === 'ProtocolVersion') return reply('v', [new Variant('i', 0)])
    if (name === 'RegisteredStatusNotifierItems') return reply('v', [new Variant('as', items)])
  }
  if (message.interface === WATCHER && message.member === 'RegisterStatusNotifierItem') {
    // A bus name, or a path on the sender's connection.
    const [given] = message.body as [string]
    const service = given.startsWith('/') ? `${message.sender}${given}` : `${given}/StatusNotifierItem`
    items.push(service)
    for (const resolve of waiting.splice(0)) resolve(service)
    return reply('', [])
  }
  return false
}

function trayItem(bus: MessageBus, service: string): TrayItem {
  const slash = service.indexOf('/')
  const destination = service.slice(0, slash)
  const path = service.slice(slash)
  const message = (at: string, on: string, member: string, signature: string, body: unknown[]): Message =>
    new Message({ type: MessageType.METHOD_CALL, destination, path: at, interface: on, member, signature, body })
  const call = async (
    at: string,
    on: string,
    member: string,
    signature: string,
    body: unknown[],
  ): Promise<unknown[]> => {
    return (await bus.call(message(at, on, member, signature, body)))?.body ?? []
  }
  const property = async (name: string): Promise<unknown> => {
    const [all] = (await call(path, PROPERTIES, 'GetAll', 's', [ITEM])) as [Record<string, Variant>]
    return all[name]?.value
  }
  const menu = async (): Promise<MenuEntry[]> => {
    const at = (await property('Menu')) as string
    const [, [, , children]] = (await call(at, MENU, 'GetLayout', 'iias', [0, -1, []])) as [number, Layout]
    return children.map(({ value }) => entryOf(value))
  }
  return {
    async tooltip() {
      const [, , title, text] = (await property('ToolTip')) as [string, unknown, string, string]
      return [title, text].filter((part) => part !== '').join('\n')
    },
    icon: async () =>
      JSON.stringify(((await property('IconPixmap')) as [number, number, Buffer][]).map(([, , bytes]) => [...bytes])),
    menu,
    async click(label) {
      const entry = (await menu()).find((one) =>
        typeof label === 'string' ? one.label === label : label.test(one.label),
      )
      if (entry === undefined) throw new Error(`The tray's menu has no entry ${String(label)}.`)
      const at = (await property('Menu')) as string
      // Without waiting for an answer: an app that quits gives none.
      bus.send(message(at, MENU, 'Event', 'isvu', [entry.id, 'clicked', new Variant('s', ''), 0]))
    },
    async activate() {
      await call(path, ITEM, 'Activate', 'ii', [0, 0])
    },
  }
}

type Layout = [id: number, properties: Record<string, Variant>, children: { value: Layout }[]]

function entryOf([id, properties]: Layout): MenuEntry {
  const label = String(properties.label?.value ?? '')
  return {
    id,
    // An underscore marks the next letter as the key; two of them are one.
    label: label.replace(/_(.)/g, '$1'),
    enabled: properties.enabled?.value !== false,
    separator: properties.type?.value === 'separator',
  }
}
