// A model name as a client writes it → the provider and the bare upstream model. In this order: the user's own names,
// provider/model, a plain name that one provider has in its list, the user's patterns. What else a name may mean is put
// in between by resolve-name.ts. Pure; runs for each request.
import { GatewayError } from '../errors'
import { findProvider, type Provider, type Registry } from '../providers/registry'
import {
  type Alias,
  type AliasSet,
  aliasSetsFor,
  findExactAlias,
  findFoldedAlias,
  findPattern,
  type ListedName,
  type ModelWorld,
} from './model-world'

export interface Target {
  readonly provider: Provider
  readonly model: string
}

/** What else than a model a name may mean. `kind` tells it from a model. */
export interface OtherNames<T extends { readonly kind: string }> {
  /** Before anything else. */
  readonly first: (name: string) => T | null
  /** Behind the user's own names, before providers and their lists. */
  readonly next: (name: string) => T | null
  /** In other letters, where nobody has the name as it is written. */
  readonly folded: (name: string) => T | null
  /** What to say of a name nobody has, where it looks like one of these; null: it does not. */
  readonly unknown: (name: string) => string | null
}
const MODELS_ONLY: OtherNames<never> = {
  ...{ first: () => null, next: () => null, folded: () => null, unknown: () => null },
}

export const MAX_NAME = 256
/** An alias may lead to an alias, this many times in a row. */
export const MAX_ALIAS_DEPTH = 3
/** An error names this many choices at most. */
const SHOWN = 8

/**
 * @param clientKeyId whose own names count besides those for all
 * @throws GatewayError 400 for a name that cannot be one or means several models, 404 for one nobody has
 */
export const resolveModel = (name: string, world: ModelWorld, clientKeyId: string | null): Target =>
  resolveAny(name, world, clientKeyId, MODELS_ONLY)

/**
 * The same with other names among those of models. A pattern of the user's that leads to one of them comes before
 * providers and their lists; those that lead to models come last.
 * @throws GatewayError like `resolveModel`
 */
export function resolveAny<T extends { readonly kind: string }>(
  name: string,
  world: ModelWorld,
  clientKeyId: string | null,
  others: OtherNames<T>,
): Target | T {
  const fault = nameFault(name)
  if (fault !== null) throw new GatewayError('bad_request', 400, `model: ${fault}.`, { field: 'model' })
  const names: Names<T> = { world, sets: aliasSetsFor(world, clientKeyId), others }
  const bare = withoutContextMark(name)
  const known = lookUp(name, names, [])
  if (known !== null) return known
  const unmarked = bare === name ? null : lookUp(bare, names, [])
  if (unmarked !== null) return unmarked
  const mapping = findPattern(names.sets, name) ?? findPattern(names.sets, bare)
  if (mapping !== undefined) return follow(mapping, names, [])
  throw nobodyHas(bare, names)
}

/**
 * Where one of the user's names or patterns leads, for the caller it is meant for.
 * @throws GatewayError when it leads nowhere
 */
export const followAlias = (alias: Alias, world: ModelWorld, clientKeyId: string | null): Target =>
  followAny(alias, world, clientKeyId, MODELS_ONLY)

/** The same with other names among those of models. */
export const followAny = <T extends { readonly kind: string }>(
  alias: Alias,
  world: ModelWorld,
  clientKeyId: string | null,
  others: OtherNames<T>,
): Target | T => follow(alias, { world, sets: aliasSetsFor(world, clientKeyId), others }, [])

/** All that a name is looked up in, for one caller. */
interface Names<T extends { readonly kind: string }> {
  readonly world: ModelWorld
  readonly sets: readonly AliasSet[]
  readonly others: OtherNames<T>
}

/** What keeps a text from being a model's name; null when nothing does. */
export function nameFault(name: string): string | null {
  if (name.length === 0 || name.length > MAX_NAME) return `must have 1 to ${MAX_NAME} characters`
  for (let i = 0; i < name.length; i++) {
    const code = name.charCodeAt(i)
    if (code < 0x20 || code === 0x7f) return 'must not contain control characters'
  }
  return null
}

/** Claude Code marks a model whose long context it wants, `claude-x[1m]`, and sometimes sends the mark along. */
const withoutContextMark = (name: string): string => name.replace(/(?:\[1m\])+$/i, '') || name

/** All ways but the patterns that lead to models; null when none leads anywhere. */
function lookUp<T extends { readonly kind: string }>(
  name: string,
  names: Names<T>,
  path: readonly Alias[],
): Target | T | null {
  const { world, sets, others } = names
  const first = others.first(name)
  if (first !== null) return first
  const alias = findExactAlias(sets, name)
  if (alias !== undefined) return follow(alias, names, path)
  const other = (path.length === 0 ? mappedToOther(name, names) : null) ?? others.next(name)
  if (other !== null) return other
  const named = ofNamedProvider(name, world)
  if (named !== null) return named
  const exact = world.names.exact.get(name)
  if (exact !== undefined) return only(name, exact, world)
  const nearly = findFoldedAlias(sets, name)
  if (nearly !== undefined) return follow(nearly, names, path)
  const folded = others.folded(name)
  if (folded !== null) return folded
  const listed = world.names.folded.get(name.toLowerCase())
  return listed === undefined ? null : only(name, listed, world)
}

/** Where the pattern that says most of a name leads to something else than a model. */
function mappedToOther<T extends { readonly kind: string }>(name: string, names: Names<T>): T | null {
  if (names.others === MODELS_ONLY) return null
  const mapping = findPattern(names.sets, name)
  if (mapping === undefined) return null
  try {
    const found = follow(mapping, names, [])
    return 'kind' in found ? found : null
  } catch (error) {
    // A pattern that leads nowhere stands in nobody's way: the name may be one that a provider has.
    if (error instanceof GatewayError) return null
    throw error
  }
}

/** @throws GatewayError that begins with the alias, so that its owner finds it */
function follow<T extends { readonly kind: string }>(
  alias: Alias,
  names: Names<T>,
  path: readonly Alias[],
): Target | T {
  const way = [...path, alias]
  if (path.includes(alias) || way.length > MAX_ALIAS_DEPTH) throw aliasFault(way)
  const { target } = alias
  try {
    const found = lookUp(target, names, way) ?? lookUp(withoutContextMark(target), names, way)
    if (found === null) throw nobodyHas(target, names)
    return found
  } catch (error) {
    if (!(error instanceof GatewayError) || path.length > 0 || error.code === 'alias_cycle') throw error
    throw new GatewayError(
      error.code,
      error.httpStatus,
      `"${alias.pattern}" stands for "${target}". ${error.message}`,
      error.details,
    )
  }
}

function aliasFault(way: readonly Alias[]): GatewayError {
  const names = way.map(({ pattern }) => pattern)
  const closed = new Set(names).size < names.length
  const steps = (closed ? names : [...names, way.at(-1)?.target]).join(' → ')
  return new GatewayError(
    'alias_cycle',
    400,
    `The names ${steps} lead to each other, or through more than ${MAX_ALIAS_DEPTH} steps. Change one of them under Models.`,
    { field: 'model' },
  )
}

/** `provider/model`; null when what stands before the slash is no provider. */
function ofNamedProvider(name: string, world: ModelWorld): Target | null {
  const slash = name.indexOf('/')
  if (slash < 0) return null
  const provider = providerNamed(world.registry, name.slice(0, slash))
  if (provider === undefined) return null
  const { row } = provider
  const asked = name.slice(slash + 1)
  if (asked === '') throw missing(`"${name}" names no model. Write one behind the slash, as ${row.label} calls it.`)
  const model = listedAs(asked, row.id, world) ?? listedAs(withoutContextMark(asked), row.id, world)
  if (model !== null) return { provider, model }
  if (row.passthroughModels) return { provider, model: withoutContextMark(asked) }
  const own = [...world.names.exact.values()].flat().filter((listed) => listed.provider === row.id)
  throw missing(`${row.label} has no model "${asked}". ${choices('It has', own)}`)
}

/** The name as the provider's list has it: in these letters, or the one that differs only in upper and lower case. */
function listedAs(model: string, provider: string, { names }: ModelWorld): string | null {
  if (names.exact.get(model)?.some((listed) => listed.provider === provider)) return model
  const near = names.folded.get(model.toLowerCase())?.filter((listed) => listed.provider === provider)
  return near?.length === 1 ? (near[0]?.model ?? null) : null
}

/** In these letters, then in small ones: ids have no capitals. */
const providerNamed = (registry: Registry, name: string): Provider | undefined =>
  findProvider(registry, name) ?? findProvider(registry, name.toLowerCase())

/** @throws GatewayError 400 naming the choices where there are several */
function only(name: string, found: readonly ListedName[], { registry }: ModelWorld): Target {
  const [first] = found
  const provider = first === undefined ? undefined : registry.get(first.provider)
  if (found.length === 1 && first !== undefined && provider !== undefined) return { provider, model: first.model }
  throw new GatewayError(
    'ambiguous_model',
    400,
    `More than one provider has a model "${name}". ${choices('Write one of', found)}`,
    { field: 'model', diagnostics: { choices: found.map(written) } },
  )
}

const missing = (message: string): GatewayError => new GatewayError('model_not_found', 404, message, { field: 'model' })

const written = ({ provider, model }: ListedName): string => `${provider}/${model}`

function choices(lead: string, names: readonly ListedName[]): string {
  if (names.length === 0) return ''
  const shown = names.slice(0, SHOWN).map(written).join(', ')
  return `${lead} ${shown}${names.length > SHOWN ? ` and ${names.length - SHOWN} more` : ''}.`
}

function nobodyHas<T extends { readonly kind: string }>(name: string, { world, others }: Names<T>): GatewayError {
  const words = others.unknown(name)
  return words === null ? unknownName(name, world) : missing(words)
}

function unknownName(name: string, { registry, names }: ModelWorld): GatewayError {
  const slash = name.indexOf('/')
  const near = alike(name, names.folded.values())
  const hint = near.length > 0 ? ` ${choices('Did you mean', near).replace(/\.$/, '?')}` : ''
  if (slash < 0) {
    const example = near[0] === undefined ? exampleOf(registry) : written(near[0])
    return missing(`No model is named "${name}". Write it as provider/model, for example ${example}.${hint}`)
  }
  const connected = [...registry.values()].filter(({ connections }) => connections.length > 0)
  const known = connected.map(({ row }) => row.id).join(', ')
  return missing(`No provider is named "${name.slice(0, slash)}". Providers with a connection: ${known}.${hint}`)
}

/** Listed models whose last part is the one of this name, or begins with it. */
function alike(name: string, lists: Iterable<readonly ListedName[]>): ListedName[] {
  const wanted = lastPart(name)
  if (wanted.length < 3) return []
  const found: ListedName[] = []
  for (const list of lists) {
    for (const listed of list) if (lastPart(listed.model).startsWith(wanted)) found.push(listed)
  }
  return found.sort((a, b) => a.model.length - b.model.length).slice(0, 3)
}

const lastPart = (name: string): string => name.slice(name.lastIndexOf('/') + 1).toLowerCase()

function exampleOf(registry: Registry): string {
  for (const [id, provider] of registry) {
    if (provider.row.class !== 'local' && provider.connections.length > 0) return `${id}/<model>`
  }
  return 'practice/echo'
}
