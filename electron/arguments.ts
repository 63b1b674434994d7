// The app's own arguments among those of Chromium, of Electron and of whatever started it. No Electron.
import { type Arguments, parseArgs } from '../core/node/parse-args'

const WITH_VALUE = ['port', 'data-dir', 'import', 'log-level']
const SWITCHES = ['hidden', 'version', 'help']

/** Leaves out what is not ours: `--no-sandbox`, `--inspect=0`, the app's folder, an opened file. */
export function ownArguments(argv: readonly string[]): string[] {
  const own: string[] = []
  for (let index = 0; index < argv.length; index++) {
    const [name, value] = split(argv[index] ?? '')
    if (name === null) continue
    if (SWITCHES.includes(name)) own.push(`--${name}`)
    else if (WITH_VALUE.includes(name)) own.push(`--${name}`, value ?? argv[++index] ?? '')
  }
  return own
}

function split(argument: string): [string | null, string | null] {
  const [, name, value] = /^--([^=]+)(?:=(.*))?$/s.exec(argument) ?? []
  return [name ?? null, value ?? null]
}

/** @throws UsageError */
export const parseAppArguments = (argv: readonly string[]): Arguments => parseArgs(ownArguments(argv))
