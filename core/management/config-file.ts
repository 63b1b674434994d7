// The documented configuration file (docs/configuration-file.md): read with exact error paths, taken over in one
// transaction, written without a secret.
import { z } from 'zod'
import { CONNECTION_PATCH_FIELDS, fromWireNames } from '../contract/connection-settings'
import { DIALECTS, PROVIDER_CLASSES, SCOPES } from '../contract/kinds'
import { NAME_LIMIT } from '../contract/operations'
import { checkChange } from '../contract/resilience-merge'
import { type Field, schemaOf } from '../contract/setting-fields'
import { isSettingKey, SETTING_KEYS, SETTINGS } from '../contract/settings'
import { badInput, type GatewayError } from '../errors'
import { hashKey } from '../http/client-keys'
import { JsonScanner, JsonSyntaxError } from '../http/json-scanner'
import { normalizeBaseUrl } from '../providers/base-url'
import { builtInIds, builtInRow, PRACTICE_ID } from '../providers/catalogue'
import { checkOptions } from '../providers/options'
import type { ProviderRow } from '../providers/provider-row'
import { isRuleKey, RULE_SCHEMAS } from '../resilience/rules-store'
import { normalizeApiKey } from './api-key'
import { clientKeyMask } from './client-keys'
import { type FileAlias, FileAliases } from './config-aliases'
import { type FileCombo, readFileCombos } from './config-combos'
import {
  type ConnectionTarget,
  type ExportedConnection,
  exportConnections,
  importConnections,
  ownRow,
  sealSecrets,
} from './config-connections'
import { wantedProxy } from './connection-proxy'

export const CONFIG_FILE_VERSION = 1

const name = z.string().trim().min(1, 'must not be empty').max(NAME_LIMIT)

const ConfigFileSchema = z.strictObject({
  version: z.literal(CONFIG_FILE_VERSION, { error: `must be ${CONFIG_FILE_VERSION}` }),
  settings: z.record(z.string(), z.unknown()).optional(),
  clientKeys: z
    .array(
      z.strictObject({
        name,
        key: z.string().regex(/^[\x21-\x7e]{16,256}$/, 'must be 16 to 256 visible ASCII characters'),
        scopes: z.array(z.enum(SCOPES)).optional(),
      }),
    )
    .optional(),
  providers: z
    .array(
      z.strictObject({
        id: z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'must be lower-case letters, digits and dashes, at most 40'),
        label: name,
        class: z.enum(PROVIDER_CLASSES),
        dialect: z.enum(DIALECTS),
        baseUrl: z.string(),
        perModelQuota: z.boolean().optional(),
      }),
    )
    .optional(),
  connections: z
    .array(
      z.preprocess(
        fromWireNames,
        z.strictObject({
          provider: z.string(),
          name,
          apiKey: z.string().optional(),
          baseUrl: z.string().optional(),
          options: z.record(z.string(), z.string()).optional(),
          priority: z.number().int().min(0).max(1000).optional(),
          enabled: z.boolean().optional(),
          proxy: z.string().nullable().optional(),
          ...CONNECTION_PATCH_FIELDS,
        }),
      ),
    )
    .optional(),
  modelAliases: FileAliases.optional(),
  /** Checked by readFileCombos. */
  combos: z.array(z.unknown()).optional(),
})

export type ConfigFile = z.output<typeof ConfigFileSchema>

const refused = (path: string, message: string): GatewayError =>
  badInput(path, `${message}${/[.!]$/.test(message) ? '' : '.'} Nothing was taken over.`)

/** @throws GatewayError 400 whose message begins with the path of the fault, "connections[1].apiKey: …" */
export function parseConfigFile(text: string, userProviders: readonly string[] = []): ConfigFile {
  let raw: unknown
  try {
    raw = JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch {
    // Not the parser's own words: they quote the file, and the file holds keys.
    throw refused('', `The file is not valid JSON${whereJsonBreaks(text)}`)
  }
  const parsed = ConfigFileSchema.safeParse(raw)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    const path = pathText(issue?.path ?? [])
    if (issue?.code === 'unrecognized_keys') {
      throw refused([path, issue.keys[0]].filter((part) => part !== '').join('.'), 'is not a known field')
    }
    throw refused(path, issue?.message ?? 'is not valid')
  }
  checkReferences(parsed.data, userProviders)
  return parsed.data
}

function whereJsonBreaks(text: string): string {
  const bytes = Buffer.from(text.replace(/^\uFEFF/, ''))
  try {
    const scanner = new JsonScanner(new Set())
    scanner.feed(bytes)
    scanner.end()
    return ''
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) return ''
    const lines = bytes.toString('utf8', 0, error.position).split('\n')
    return `: see line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1}`
  }
}

const RESILIENCE_KEY = 'resilienceSettings'

/** Checked against the defaults: what the file leaves out counts as those. */
function checkResilience(value: unknown): void {
  const checked = checkChange(value, { stored: {}, env: {} })
  const issue = checked.ok ? undefined : checked.issues[0]
  if (issue !== undefined)
    throw refused([`settings.${RESILIENCE_KEY}`, issue.field].filter((part) => part !== '').join('.'), issue.message)
}

function checkReferences(file: ConfigFile, userProviders: readonly string[]): void {
  for (const [key, value] of Object.entries(file.settings ?? {})) {
    if (key === RESILIENCE_KEY) checkResilience(value)
    else {
      const schema = isSettingKey(key) ? schemaOf(SETTINGS[key]) : isRuleKey(key) ? RULE_SCHEMAS[key] : null
      if (schema === null) throw refused(`settings.${key}`, 'is not a known setting')
      const checked = schema.safeParse(value)
      const issue = checked.success ? undefined : checked.error.issues[0]
      if (issue !== undefined) throw refused(pathText(['settings', key, ...issue.path]), issue.message)
    }
  }
  const keys = file.clientKeys ?? []
  refuseTwins('clientKeys', 'name', keys, 'two keys have this name')
  refuseTwins('clientKeys', 'key', keys, 'two names have this key')
  const providers = file.providers ?? []
  refuseTwins('providers', 'id', providers, 'two providers have this id')
  providers.forEach(({ id, baseUrl, dialect }, i) => {
    if (builtInIds.has(id)) throw refused(`providers[${i}].id`, `"${id}" is a built-in provider; choose another id`)
    at(`providers[${i}].baseUrl`, () => normalizeBaseUrl(baseUrl, dialect, ''))
  })
  const own = new Set([...userProviders, ...providers.map(({ id }) => id)])
  const seen = new Set<string>()
  for (const [i, connection] of (file.connections ?? []).entries()) {
    const path = `connections[${i}]`
    const provider = providerIdOf(connection.provider, own)
    if (provider === null) throw refused(`${path}.provider`, `there is no provider "${connection.provider}"`)
    if (provider === PRACTICE_ID) throw refused(`${path}.provider`, 'practice has its own connections')
    const twin = `${provider} ${connection.name}`
    if (seen.has(twin)) throw refused(`${path}.name`, 'this provider has two connections of that name')
    seen.add(twin)
    if (connection.apiKey !== undefined) at(`${path}.apiKey`, () => normalizeApiKey(connection.apiKey ?? '', ''))
    if (connection.proxy !== undefined) at(`${path}.proxy`, () => wantedProxy(connection.proxy, null, ''))
    if (connection.baseUrl !== undefined)
      at(`${path}.baseUrl`, () => normalizeBaseUrl(connection.baseUrl ?? '', 'openai-chat', ''))
    checkFileOptions(path, own.has(provider) ? ownRow(provider) : builtInRow(provider), connection.options ?? {})
  }
  readFileCombos(file.combos ?? [])
}

/** What a file calls a provider, by id or alias, → its id; null: there is none. The user's own come first. */
const providerIdOf = (name: string, own: ReadonlySet<string>): string | null =>
  own.has(name) ? name : (builtInRow(name)?.id ?? null)

function checkFileOptions(path: string, row: ProviderRow | undefined, options: Readonly<Record<string, string>>): void {
  for (const [key, value] of Object.entries(options)) {
    if (row === undefined) return
    at(`${path}.options.${key}`, () => checkOptions(row, { [key]: value }, ''))
  }
}

function refuseTwins<F extends string>(
  list: string,
  field: F,
  entries: readonly Readonly<Record<F, string>>[],
  message: string,
): void {
  const seen = new Set<string>()
  for (const [i, entry] of entries.entries()) {
    if (seen.has(entry[field])) throw refused(`${list}[${i}].${field}`, message)
    seen.add(entry[field])
  }
}

function at(path: string, check: () => unknown): void {
  try {
    check()
  } catch (error) {
    throw refused(path, (error as Error).message)
  }
}

/** ["connections", 1, "apiKey"] → "connections[1].apiKey" */
const pathText = (path: readonly PropertyKey[]): string =>
  path.reduce<string>(
    (text, part) =>
      typeof part === 'number' ? `${text}[${part}]` : text === '' ? String(part) : `${text}.${String(part)}`,
    '',
  )

/** What of `Parts` the import writes, each with one method more than the window needs. */
export interface ImportTarget {
  readonly transaction: (run: () => void) => void
  readonly settings: { set(key: string, value: unknown): void }
  readonly providers: {
    list(): { id: string; dialect: (typeof DIALECTS)[number] }[]
    upsert(provider: UpsertedProvider): void
  }
  readonly connections: ConnectionTarget
  readonly clientKeys: {
    list(): readonly { name: string; hash: Buffer }[]
    upsert(key: {
      name: string
      hash: Buffer
      mask: string
      scopes: readonly (typeof SCOPES)[number][]
      createdAt: number
    }): void
  }
  readonly seal: (plain: string) => Promise<{ vault: string; data: Uint8Array }>
  readonly addSecret: (value: string) => void
  readonly now: number
}

type UpsertedProvider = Omit<NonNullable<ConfigFile['providers']>[number], 'perModelQuota'> & { perModelQuota: boolean }
/** Upserts by (provider, name) in one transaction: all of the file or nothing. */
export async function importConfig(file: ConfigFile, target: ImportTarget): Promise<void> {
  for (const { key } of file.clientKeys ?? []) target.addSecret(key)
  // Sealing may wait for the system's key store; a transaction must not.
  const sealed = await Promise.all((file.connections ?? []).map((connection) => sealSecrets(connection, target)))
  target.transaction(() => {
    for (const [key, value] of Object.entries(file.settings ?? {})) target.settings.set(key, value)
    for (const provider of file.providers ?? []) {
      target.providers.upsert({
        ...provider,
        baseUrl: normalizeBaseUrl(provider.baseUrl, provider.dialect),
        perModelQuota: provider.perModelQuota ?? true,
      })
    }
    for (const [i, { name: keyName, key, scopes = [] }] of (file.clientKeys ?? []).entries()) {
      const hash = hashKey(key)
      const same = target.clientKeys.list().find((known) => known.hash.equals(hash))
      if (same !== undefined && same.name !== keyName) {
        throw refused(`clientKeys[${i}].key`, `is already here under the name "${same.name}"`)
      }
      target.clientKeys.upsert({ name: keyName, hash, mask: clientKeyMask(key), scopes, createdAt: target.now })
    }
    importConnections(file.connections ?? [], sealed, target)
  })
}

export interface ExportSource {
  readonly settings: ReadonlyMap<string, unknown>
  readonly providers: readonly UpsertedProvider[]
  readonly modelAliases?: readonly FileAlias[]
  readonly combos?: readonly FileCombo[]
  readonly connections: readonly ExportedConnection[]
}

/** Without keys of either side and passwords; it can be imported again, and then leaves those as they are. */
export function exportConfig({
  settings,
  providers,
  connections,
  modelAliases = [],
  combos = [],
}: ExportSource): string {
  const known = SETTING_KEYS.filter((key) => (SETTINGS[key] as Field).group !== 'Internal')
  const kept = [...known, ...Object.keys(RULE_SCHEMAS), RESILIENCE_KEY].filter((key) => settings.has(key))
  const file: ConfigFile = {
    version: CONFIG_FILE_VERSION,
    settings: Object.fromEntries(kept.map((key) => [key, settings.get(key)])),
    providers: providers.map((provider) => ({ ...provider })),
    connections: exportConnections(connections),
    ...(modelAliases.length === 0 ? {} : { modelAliases: [...modelAliases] }),
    ...(combos.length === 0 ? {} : { combos: [...combos] }),
  }
  return `${JSON.stringify(file, null, 2)}\n`
}
