// Starting at login on Linux: a desktop entry in the autostart folder, as the XDG standard has it.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

export function autostartPath(env: Readonly<Record<string, string | undefined>>, home: string): string {
  return join(env.XDG_CONFIG_HOME || join(home, '.config'), 'autostart', 'breakwater.desktop')
}

export function autostartEntry(command: readonly string[]): string {
  return [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Breakwater',
    'Comment=Local AI gateway',
    `Exec=${command.map(quote).join(' ')}`,
    'Icon=breakwater',
    'Terminal=false',
    'X-GNOME-Autostart-enabled=true',
    '',
  ].join('\n')
}

/** The entry's value is unescaped once as a text and once as a command line; % begins a field code. */
function quote(argument: string): string {
  const inQuotes = argument.replace(/(["`$\\])/g, '\\$1')
  return `"${inQuotes.replaceAll('\\', '\\\\').replaceAll('%', '%%')}"`
}

/** Writes only what differs: a file that is as it should be keeps its date. */
export function writeAutostart(file: string, entry: string): void {
  if (existsSync(file) && readFileSync(file, 'utf8') === entry) return
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, entry)
}

export const removeAutostart = (file: string): void => rmSync(file, { force: true })
