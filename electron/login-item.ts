// Starting at login, as each desktop does it. On Linux that is a file in the autostart folder (freedesktop.org,
// Desktop Application Autostart Specification).
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { app } from 'electron'
import type { Settings } from '../core/contract/settings'

export function applyLoginItem({ startAtLogin, startHidden }: Pick<Settings, 'startAtLogin' | 'startHidden'>): void {
  if (process.platform === 'linux') return applyAutostartFile(startAtLogin, startHidden)
  app.setLoginItemSettings({ openAtLogin: startAtLogin, args: startHidden ? ['--hidden'] : [] })
}

function applyAutostartFile(on: boolean, hidden: boolean): void {
  const file = join(process.env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'autostart', 'breakwater.desktop')
  if (!on) return rmSync(file, { force: true })
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(
    file,
    autostartEntry(process.env.APPIMAGE ?? process.execPath, app.isPackaged ? null : app.getAppPath(), hidden),
  )
}

/** A development run names its folder behind Electron; an installed app is its own program. */
export function autostartEntry(program: string, folder: string | null, hidden: boolean): string {
  const command = [program, ...(folder === null ? [] : [folder]), ...(hidden ? ['--hidden'] : [])]
  const quoted = command.map((part) => `"${part.replace(/(["`$\\])/g, '\\$1')}"`).join(' ')
  return `[Desktop Entry]\nType=Application\nName=Breakwater\nExec=${quoted}\nX-GNOME-Autostart-enabled=true\n`
}
