// Starting at login, as the two settings have it: whether at all, and whether hidden.
import { homedir } from 'node:os'
import type { App } from 'electron'
import type { Settings } from '../core/contract/settings'
import type { Logger } from '../core/host'
import { autostartEntry, autostartPath, removeAutostart, writeAutostart } from './autostart-file'

type Wanted = Pick<Settings, 'startAtLogin' | 'startHidden'>

export interface LoginItemDeps {
  readonly app: Pick<App, 'isPackaged' | 'getAppPath' | 'setLoginItemSettings'>
  readonly platform: NodeJS.Platform
  readonly env: Readonly<Record<string, string | undefined>>
  readonly log: Logger
  /** Where the data lies, if not in the usual place: the start at login must find it too. */
  readonly dataDir: string | null
}

/** Returns what to call with the settings, at start and after each change. */
export function createLoginItem({ app, platform, env, log, dataDir }: LoginItemDeps): (wanted: Wanted) => void {
  let applied: string | null = null
  return (wanted) => {
    const state = JSON.stringify([wanted.startAtLogin, wanted.startHidden])
    if (state === applied) return
    const first = applied === null
    applied = state
    // A start never takes away what another data folder's settings have put there.
    if (first && !wanted.startAtLogin) return
    try {
      apply(wanted)
    } catch (error) {
      log.error({ error: String(error) }, 'starting at login could not be set')
    }
  }

  function apply({ startAtLogin, startHidden }: Wanted): void {
    const args = [...(dataDir === null ? [] : ['--data-dir', dataDir]), ...(startHidden ? ['--hidden'] : [])]
    if (platform !== 'linux') {
      app.setLoginItemSettings({ openAtLogin: startAtLogin, args })
      return
    }
    const file = autostartPath(env, homedir())
    if (startAtLogin) writeAutostart(file, autostartEntry([...command(), ...args]))
    else removeAutostart(file)
  }

  /** An AppImage runs from a mount that is gone after a restart: its own file is what to start. */
  function command(): string[] {
    if (env.APPIMAGE !== undefined && env.APPIMAGE !== '') return [env.APPIMAGE]
    return app.isPackaged ? [process.execPath] : [process.execPath, app.getAppPath()]
  }
}
