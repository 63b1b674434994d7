// The menu of the window: there is always a way to quit, and text can be edited by keys on macOS.
import { Menu, type MenuItemConstructorOptions } from 'electron'

export function setMenu(quit: () => void): void {
  const file: MenuItemConstructorOptions = {
    label: process.platform === 'darwin' ? 'Breakwater' : '&File',
    submenu: [
      { role: 'close', label: 'Close window' },
      { type: 'separator' },
      { label: 'Quit Breakwater', accelerator: 'CmdOrCtrl+Q', click: quit },
    ],
  }
  Menu.setApplicationMenu(
    Menu.buildFromTemplate([
      file,
      { role: 'editMenu' },
      { label: '&View', submenu: [{ role: 'resetZoom' }, { role: 'zoomIn' }, { role: 'zoomOut' }] },
    ]),
  )
}
