// What a model name is looked up in: providers, the names in their lists, and the user's own names. Built when one of
// them changes, so that a request costs a few lookups in maps.
import type { Registry } from '../providers/registry'
import { isPattern, literalLength, matchesGlob } from './glob'

/** A bare model name in the list of a usable provider. */
export interface ListedName {
  readonly provider: string
  readonly model: string
  /** Makes embeddings and nothing else. */
  readonly embeds?: boolean
}

/** Names by their letters, and by their letters in lower case. */
export interface NameIndex {
  readonly exact: ReadonlyMap<string, readonly ListedName[]>
  readonly folded: ReadonlyMap<string, readonly ListedName[]>
}

/** One row of the user's own names. A `pattern` with `*` or `?` maps whole families of names. */
export interface Alias {
  readonly id: string
  readonly pattern: string
  /** null: for all client keys. */
  readonly clientKeyId: string | null
  /** `provider/model`, a plain name, or another alias. */
  readonly target: string
}

/** The user's names for one client key, or for all. */
export interface AliasSet {
  readonly exact: ReadonlyMap<string, Alias>
  readonly folded: ReadonlyMap<string, readonly Alias[]>
  /** Those that say most come first; of equals the older. */
  readonly patterns: readonly Alias[]
}

export interface AliasIndex {
  readonly forAll: AliasSet
  readonly byKey: ReadonlyMap<string, AliasSet>
}

/** Everything a name is resolved with. Replaced whole on a change. */
export interface ModelWorld {
  readonly registry: Registry
  readonly names: NameIndex
  readonly aliases: AliasIndex
}

export function indexNames(names: Iterable<ListedName>): NameIndex {
  const exact = new Map<string, ListedName[]>()
  const folded = new Map<string, ListedName[]>()
  for (const name of names) {
    push(exact, name.model, name)
    push(folded, name.model.toLowerCase(), name)
  }
  return { exact, folded }
}

/** `aliases` in the order of their making. */
export function indexAliases(aliases: readonly Alias[]): AliasIndex {
  const byKey = new Map<string, Alias[]>()
  for (const alias of aliases) if (alias.clientKeyId !== null) push(byKey, alias.clientKeyId, alias)
  return {
    forAll: aliasSet(aliases.filter(({ clientKeyId }) => clientKeyId === null)),
    byKey: new Map([...byKey].map(([key, own]) => [key, aliasSet(own)])),
  }
}

function aliasSet(aliases: readonly Alias[]): AliasSet {
  const folded = new Map<string, Alias[]>()
  const plain = aliases.filter(({ pattern }) => !isPattern(pattern))
  for (const alias of plain) push(folded, alias.pattern.toLowerCase(), alias)
  return {
    exact: new Map(plain.map((alias) => [alias.pattern, alias])),
    folded,
    patterns: aliases
      .filter(({ pattern }) => isPattern(pattern))
      .sort((a, b) => literalLength(b.pattern) - literalLength(a.pattern)),
  }
}

/** The sets that count for a caller, the more particular one first. */
export function aliasSetsFor({ aliases }: ModelWorld, clientKeyId: string | null): readonly AliasSet[] {
  const own = clientKeyId === null ? undefined : aliases.byKey.get(clientKeyId)
  return own === undefined ? [aliases.forAll] : [own, aliases.forAll]
}

export function findExactAlias(sets: readonly AliasSet[], name: string): Alias | undefined {
  for (const { exact } of sets) {
    const found = exact.get(name)
    if (found !== undefined) return found
  }
  return undefined
}

/** In other letters, where only one is meant. */
export function findFoldedAlias(sets: readonly AliasSet[], name: string): Alias | undefined {
  for (const { folded } of sets) {
    const found = folded.get(name.toLowerCase())
    if (found?.length === 1) return found[0]
  }
  return undefined
}

export function findPattern(sets: readonly AliasSet[], name: string): Alias | undefined {
  for (const { patterns } of sets) {
    const found = patterns.find(({ pattern }) => matchesGlob(pattern, name))
    if (found !== undefined) return found
  }
  return undefined
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const known = map.get(key)
  if (known === undefined) map.set(key, [value])
  else known.push(value)
}
