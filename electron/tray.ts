// The tray icon: draws the model when it changed, at most once a second.
import { join } from 'node:path'
import { Menu, type MenuItemConstructorOptions, nativeImage, Tray } from 'electron'
import type { Gateway } from '../core/gateway'
import { type TrayAction, type TrayItem, type TrayModel, trayModel } from './tray-model'

const REFRESH_MS = 1_000

export interface AppTray {
  destroy(): void
}

export function createTray(gateway: Gateway, assets: string, act: (action: TrayAction) => void): AppTray {
  const image = (state: string) =>
    nativeImage.createFromPath(join(assets, `${state}${process.platform === 'darwin' ? 'Template' : ''}.png`))
  const model = async (): Promise<TrayModel> => {
    const providers = gateway.parts() === null ? [] : await gateway.operations['providers:list'](undefined)
    return trayModel(gateway.status(), providers)
  }
  // Kept for the life of the app: a tray without a reference disappears when it is collected.
  const tray = new Tray(image('starting'))
  tray.setToolTip('Breakwater')
  let shown = ''
  let timer: NodeJS.Timeout | null = null
  let last = 0

  const draw = async (): Promise<void> => {
    timer = null
    last = Date.now()
    const next = await model()
    const text = JSON.stringify(next)
    if (text === shown || tray.isDestroyed()) return
    shown = text
    tray.setImage(image(next.icon))
    tray.setToolTip(next.tooltip)
    // Linux shows no change of a menu: it has to be given anew.
    tray.setContextMenu(Menu.buildFromTemplate(next.items.map((item) => toMenuItem(item, act))))
  }
  const refresh = (): void => {
    timer ??= setTimeout(() => void draw(), Math.max(0, last + REFRESH_MS - Date.now()))
  }
  const stops = [gateway.pushes.on('gateway:changed', refresh), gateway.pushes.on('providers:changed', refresh)]
  tray.on('click', () => act('open'))
  void draw()
  return {
    destroy() {
      for (const stop of stops) stop()
      if (timer !== null) clearTimeout(timer)
      tray.destroy()
    },
  }
}

function toMenuItem(item: TrayItem, act: (action: TrayAction) => void): MenuItemConstructorOptions {
  switch (item.kind) {
    case 'separator':
      return { type: 'separator' }
    case 'text':
      return { label: item.label, enabled: false }
    case 'action':
      return { label: item.label, click: () => act(item.action) }
  }
}
