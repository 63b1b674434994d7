// The app's own arguments among those of Electron and Chromium.
import { type Arguments, parseArgs } from '../core/node/parse-args'

const OWN = new Set(['--port', '--data-dir', '--log-level'])

/** Ignores what it does not know: Chromium's switches stand in the same line. */
export function appArguments(argv: readonly string[]): Arguments {
  const own: string[] = []
  for (let i = 0; i < argv.length; i++) {
    const [name = ''] = (argv[i] as string).split('=', 1)
    if (name === '--hidden') own.push('--hidden')
    else if (OWN.has(name)) {
      own.push(argv[i] as string)
      if (!(argv[i] as string).includes('=') && i + 1 < argv.length) own.push(argv[++i] as string)
    }
  }
  return parseArgs(own)
}
