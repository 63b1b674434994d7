// Between the core's events and the window: at most ten messages a second of each kind, none while nobody looks, and
// the whole again when somebody does. No Electron.
import type { Clock } from '../core/clock'
import type { PushData, PushName } from '../core/contract/events'

const EVERY_MS = 100
/** The window shows fewer; a page that wants more asks for it. */
const LOG_ROWS_KEPT = 500

/** What replaces the value before it, in contrast to what adds to it. */
const WHOLE: readonly PushName[] = [
  'gateway:changed',
  'settings:changed',
  'providers:changed',
  'keys:changed',
  'metrics:changed',
]

interface Waiting {
  readonly name: PushName
  readonly data: PushData<PushName>
}

export class PushQueue {
  private readonly waiting = new Map<string, Waiting>()
  private readonly whole = new Map<PushName, PushData<PushName>>()
  private visible = false
  private lastSent = Number.NEGATIVE_INFINITY
  private armed = false

  constructor(
    private readonly clock: Clock,
    private readonly send: (name: PushName, data: PushData<PushName>) => void,
  ) {}

  add<N extends PushName>(name: N, data: PushData<N>): void {
    if (WHOLE.includes(name)) this.whole.set(name, data)
    const slot = name === 'try:chunk' ? `${name} ${(data as PushData<'try:chunk'>).tryId}` : name
    const before = this.waiting.get(slot)
    this.waiting.set(slot, { name, data: before === undefined ? data : merge(name, before.data, data) })
    if (this.visible) this.arm()
  }

  setVisible(visible: boolean): void {
    if (visible === this.visible) return
    this.visible = visible
    if (!visible) return
    for (const [name, data] of this.whole) this.waiting.set(name, { name, data })
    this.arm()
  }

  private arm(): void {
    if (this.armed || this.waiting.size === 0) return
    const wait = this.lastSent + EVERY_MS - this.clock.elapsed()
    if (wait <= 0) return this.flush()
    this.armed = true
    this.clock.after(wait, () => {
      this.armed = false
      if (this.visible) this.flush()
    })
  }

  private flush(): void {
    this.lastSent = this.clock.elapsed()
    const batch = [...this.waiting.values()]
    this.waiting.clear()
    for (const { name, data } of batch) this.send(name, data)
  }
}

function merge(name: PushName, before: PushData<PushName>, data: PushData<PushName>): PushData<PushName> {
  if (name === 'log:appended') {
    return [...(before as PushData<'log:appended'>), ...(data as PushData<'log:appended'>)].slice(-LOG_ROWS_KEPT)
  }
  if (name === 'try:chunk') {
    const next = data as PushData<'try:chunk'>
    return { ...next, text: (before as PushData<'try:chunk'>).text + next.text }
  }
  return data
}
