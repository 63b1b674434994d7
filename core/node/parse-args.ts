// The command line of the headless gateway and of the app.
import { parseArgs as parse } from 'node:util'
import { SCOPES, type Scope } from '../contract/kinds'
import { NAME_LIMIT } from '../contract/operations'
import { type Field, parseText, schemaOf } from '../contract/setting-fields'
import { SETTINGS } from '../contract/settings'

export interface Arguments {
  /** Values for settings that have a flag, by flag name. */
  readonly flags: Readonly<Record<string, string>>
  readonly dataDir: string | null
  readonly importFile: string | null
  readonly exportFile: string | null
  readonly newKey: { readonly name: string; readonly scopes: readonly Scope[] } | null
  readonly help: boolean
  readonly version: boolean
}

export class UsageError extends Error {}

export const HELP = `breakwater gateway: a local AI gateway

  --port N            listen on this port (0: any free one); default 4517
  --data-dir DIR      where settings, keys and the request log are kept
  --import FILE       take over a configuration file, then run
  --export FILE       write the configuration without secrets, then end
  --new-key NAME      make a client key and print it on this run
  --scope manage      what the new key may do besides sending requests
  --log-level LEVEL   debug, info, warn or error
  --hidden            app only: start in the tray
  --version, --help
`

/** @throws UsageError with one sentence that says what to do */
export function parseArgs(argv: readonly string[]): Arguments {
  const string = { type: 'string' } as const
  const boolean = { type: 'boolean' } as const
  let values: Record<string, string | boolean | string[] | undefined>
  try {
    values = parse({
      args: [...argv],
      strict: true,
      allowPositionals: false,
      options: {
        port: string,
        'data-dir': string,
        import: string,
        export: string,
        'new-key': string,
        scope: { type: 'string', multiple: true },
        'log-level': string,
        hidden: boolean,
        help: boolean,
        version: boolean,
      },
    }).values
  } catch (error) {
    throw new UsageError(`${(error as Error).message.split('.')[0]}. See --help.`)
  }
  const scopes = (values.scope ?? []) as string[]
  const wrong = scopes.find((scope) => !SCOPES.includes(scope as Scope))
  if (wrong !== undefined) throw new UsageError(`--scope ${wrong}: must be ${SCOPES.join(' or ')}.`)
  const text = (name: string): string | null => (typeof values[name] === 'string' ? (values[name] as string) : null)
  const flags: Record<string, string> = {}
  for (const name of ['port', 'log-level']) {
    const value = text(name)
    if (value !== null) flags[name] = value.trim()
  }
  if (values.hidden === true) flags.hidden = 'true'
  checkFlags(flags)
  const newKey = text('new-key')
  if (newKey !== null && (newKey.trim() === '' || newKey.length > NAME_LIMIT))
    throw new UsageError(`--new-key: must have 1 to ${NAME_LIMIT} characters.`)
  if (scopes.length > 0 && newKey === null) throw new UsageError('--scope is for a new key: add --new-key NAME.')
  for (const name of ['data-dir', 'import', 'export'])
    if (text(name) === '') throw new UsageError(`--${name}: must not be empty.`)
  return {
    flags,
    dataDir: text('data-dir'),
    importFile: text('import'),
    exportFile: text('export'),
    newKey: newKey === null ? null : { name: newKey.trim(), scopes: [...new Set(scopes as Scope[])] },
    help: values.help === true,
    version: values.version === true,
  }
}

/** Someone at a command line is told at once, where a stored value would fall back with a warning. */
function checkFlags(flags: Readonly<Record<string, string>>): void {
  for (const field of Object.values<Field>(SETTINGS)) {
    const raw = field.flag === undefined ? undefined : flags[field.flag]
    if (raw === undefined) continue
    const checked = schemaOf(field).safeParse(parseText(field, raw))
    if (!checked.success) throw new UsageError(`--${field.flag} ${raw}: ${checked.error.issues[0]?.message}.`)
  }
}
