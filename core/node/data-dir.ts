// Where the data lies by default: the same folder for the app and for headless runs.
import { join } from 'node:path'

export function defaultDataDir(
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
  home: string,
): string {
  const chosen = env.BREAKWATER_DATA_DIR
  if (chosen !== undefined && chosen !== '') return chosen
  switch (platform) {
    case 'darwin':
      return join(home, 'Library', 'Application Support', 'Breakwater')
    case 'win32':
      return join(env.APPDATA || join(home, 'AppData', 'Roaming'), 'Breakwater')
    default:
      return join(env.XDG_CONFIG_HOME || join(home, '.config'), 'Breakwater')
  }
}
