// Whether a name of the user's may be kept: what it must look like, and that names do not lead in circles. Pure.
import { badInput, GatewayError } from '../errors'
import { type Alias, indexAliases, indexNames, type ModelWorld } from './model-world'
import { followAlias, nameFault } from './resolve-model'

export const MOST_ALIASES = 1_000

/** @throws GatewayError 400 naming the field */
export function checkAlias(changed: Alias, others: readonly Alias[]): void {
  for (const field of ['pattern', 'target'] as const) {
    const fault = nameFault(changed[field])
    if (fault !== null) throw badInput(field, `${fault}.`)
  }
  if (changed.target.includes('*')) throw badInput('target', 'must be one model, without "*".')
  const twin = others.some(
    ({ pattern, clientKeyId }) => pattern === changed.pattern && clientKeyId === changed.clientKeyId,
  )
  if (twin) throw badInput('pattern', `"${changed.pattern}" is there already. Edit it instead.`)
  const before = circles(others)
  const after = [...circles([...others, changed])].find(([id]) => !before.has(id))
  if (after !== undefined) throw badInput('target', after[1])
}

/** Names that go in a circle, or through too many others, whatever the providers list: words for it, by id. */
export function circles(aliases: readonly Alias[]): Map<string, string> {
  const world: ModelWorld = { registry: new Map(), names: indexNames([]), aliases: indexAliases(aliases) }
  const callers = [null, ...new Set(aliases.flatMap(({ clientKeyId }) => clientKeyId ?? []))]
  const found = new Map<string, string>()
  for (const caller of callers) {
    for (const alias of aliases) {
      if (alias.clientKeyId !== null && alias.clientKeyId !== caller) continue
      const words = circleOf(alias, world, caller)
      if (words !== null) found.set(alias.id, words)
    }
  }
  return found
}

function circleOf(alias: Alias, world: ModelWorld, clientKeyId: string | null): string | null {
  try {
    followAlias(alias, world, clientKeyId)
    return null
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    return error.code === 'alias_cycle' ? error.message : null
  }
}
