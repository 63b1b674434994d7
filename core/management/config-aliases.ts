// The user's names for models in the configuration file: { "name": "claude-*", "target": "openai/gpt-5", "clientKey": "main" }.
import { z } from 'zod'
import { badInput, type GatewayError } from '../errors'
import { checkAlias, MOST_ALIASES } from '../routing/check-alias'
import type { ModelAliasesTable } from '../store/model-aliases-table'

const text = z.string().trim().min(1, 'must not be empty').max(256)

export const FileAliases = z.array(z.strictObject({ name: text, target: text, clientKey: z.string().optional() }))
export type FileAlias = z.output<typeof FileAliases>[number]

type NamedKeys = readonly { readonly id: string; readonly name: string }[]

/**
 * Upserts by name and client key. Runs inside the import's transaction, after its client keys were written.
 * @throws GatewayError 400 whose message begins with the path of the fault
 */
export function importAliases(
  given: readonly FileAlias[],
  { aliases, keys, now }: { readonly aliases: ModelAliasesTable; readonly keys: NamedKeys; readonly now: number },
): void {
  const seen = new Set<string>()
  for (const [i, { name, target, clientKey }] of given.entries()) {
    const refused = (field: string, message: string): GatewayError =>
      badInput(`modelAliases[${i}].${field}`, `${message} Nothing was taken over.`)
    const key = clientKey === undefined ? null : keys.find((known) => known.name === clientKey)
    if (key === undefined) throw refused('clientKey', `there is no client key "${clientKey}".`)
    const clientKeyId = key?.id ?? null
    const twin = JSON.stringify([name, clientKeyId])
    if (seen.has(twin)) throw refused('name', 'two names are the same.')
    seen.add(twin)
    const stored = aliases.list()
    const others = stored.filter((known) => known.pattern !== name || known.clientKeyId !== clientKeyId)
    if (others.length >= MOST_ALIASES) throw refused('name', `more than ${MOST_ALIASES} names are too many.`)
    try {
      checkAlias({ id: '', pattern: name, target, clientKeyId }, others)
    } catch (error) {
      const [, field, words] = /^(pattern|target): (.*)$/s.exec((error as Error).message) ?? []
      throw refused(field === 'pattern' ? 'name' : 'target', words ?? (error as Error).message)
    }
    aliases.upsert({ pattern: name, target, clientKeyId, createdAt: now + i })
  }
}

/** In a fixed order, so that two files can be compared. */
export function exportAliases(aliases: ModelAliasesTable, keys: NamedKeys): FileAlias[] {
  const nameOf = new Map(keys.map(({ id, name }) => [id, name]))
  return aliases
    .list()
    .map(({ pattern, target, clientKeyId }) => {
      const clientKey = clientKeyId === null ? undefined : nameOf.get(clientKeyId)
      return { name: pattern, target, ...(clientKey === undefined ? {} : { clientKey }) }
    })
    .sort((a, b) => compare(a.name, b.name) || compare(a.clientKey ?? '', b.clientKey ?? ''))
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
