// The tray icon: drawn anew when its model has changed, at most once a second.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Menu, type MenuItemConstructorOptions, nativeImage, Tray } from 'electron'
import type { Clock } from '../core/clock'
import type { OverallState } from '../core/contract/kinds'
import { sameModel, type TrayAction, type TrayItem, type TrayModel } from './tray-model'

const EVERY_MS = 1_000

export interface TrayIconDeps {
  readonly assetsDir: string
  readonly clock: Clock
  readonly platform: NodeJS.Platform
  readonly model: () => TrayModel
  readonly act: (action: TrayAction) => void
}

export class TrayIcon {
  // A tray that nothing refers to is collected, and its icon vanishes.
  private tray: Tray | null = null
  private shown: TrayModel | null = null
  private lastDrawn = Number.NEGATIVE_INFINITY
  private armed = false

  constructor(private readonly deps: TrayIconDeps) {}

  /** Also again, when a tray host appeared: an icon that was offered to nobody is not offered a second time. */
  create(): void {
    this.destroy()
    const model = this.deps.model()
    this.tray = new Tray(this.image(model.icon))
    // macOS and Linux open the menu; elsewhere a click means the window.
    if (this.deps.platform !== 'darwin') this.tray.on('click', () => this.deps.act({ kind: 'open', page: null }))
    this.draw(model)
  }

  destroy(): void {
    this.tray?.destroy()
    this.tray = null
    this.shown = null
  }

  /** Something may have changed. */
  refresh(): void {
    if (this.armed || this.tray === null) return
    const wait = this.lastDrawn + EVERY_MS - this.deps.clock.elapsed()
    if (wait <= 0) return this.drawChanged()
    this.armed = true
    this.deps.clock.after(wait, () => {
      this.armed = false
      this.drawChanged()
    })
  }

  private drawChanged(): void {
    if (this.tray === null) return
    const model = this.deps.model()
    if (!sameModel(this.shown, model)) this.draw(model)
  }

  private draw(model: TrayModel): void {
    if (this.tray === null) return
    this.lastDrawn = this.deps.clock.elapsed()
    if (this.shown?.icon !== model.icon) this.tray.setImage(this.image(model.icon))
    this.tray.setToolTip(model.tooltip)
    // Linux shows changed items only when the whole menu is set again.
    this.tray.setContextMenu(Menu.buildFromTemplate(model.items.map((item) => this.menuItem(item))))
    this.shown = model
  }

  private menuItem(item: TrayItem): MenuItemConstructorOptions {
    switch (item.kind) {
      case 'separator':
        return { type: 'separator' }
      case 'text':
        return { label: plain(item.label), enabled: false }
      case 'action':
        return { label: plain(item.label), click: () => this.deps.act(item.action) }
    }
  }

  /** Template images take the menu bar's own colour on macOS; panels elsewhere do not know them. */
  private image(state: OverallState): Electron.NativeImage {
    const file = join(this.deps.assetsDir, `${state}${this.deps.platform === 'darwin' ? 'Template' : ''}.png`)
    return existsSync(file) ? nativeImage.createFromPath(file) : nativeImage.createEmpty()
  }
}

/** A single & would mark the next letter as the item's key. */
const plain = (label: string): string => label.replaceAll('&', '&&')
