// The application menu: there is always a way to quit and to edit text, on a desktop without a tray too.
import { Menu, type MenuItemConstructorOptions } from 'electron'

export interface MenuActions {
  readonly open: () => void
  readonly quit: () => void
  readonly development: boolean
  readonly platform: NodeJS.Platform
}

export function menuTemplate({ open, quit, development, platform }: MenuActions): MenuItemConstructorOptions[] {
  const quitItem: MenuItemConstructorOptions = {
    label: 'Quit Breakwater',
    accelerator: 'CommandOrControl+Q',
    click: quit,
  }
  const first: MenuItemConstructorOptions =
    platform === 'darwin'
      ? { label: 'Breakwater', submenu: [{ role: 'about' }, { type: 'separator' }, { role: 'hide' }, quitItem] }
      : { label: '&File', submenu: [{ label: 'Open Breakwater', click: open }, { type: 'separator' }, quitItem] }
  const view: MenuItemConstructorOptions[] = [
    { role: 'resetZoom' },
    { role: 'zoomIn' },
    { role: 'zoomOut' },
    { type: 'separator' },
    { role: 'togglefullscreen' },
  ]
  const tools: MenuItemConstructorOptions[] = [{ type: 'separator' }, { role: 'reload' }, { role: 'toggleDevTools' }]
  return [
    first,
    { role: 'editMenu' },
    { label: '&View', submenu: development ? [...view, ...tools] : view },
    { role: 'windowMenu' },
  ]
}

export const setMenu = (actions: MenuActions): void =>
  Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate(actions)))
