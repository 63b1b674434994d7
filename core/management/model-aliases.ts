// The user's own names for models: for one client key or for all, names and patterns.
import type { AliasView } from '../contract/model-views'
import type { OperationInput } from '../contract/operations'
import { badInput, notFound } from '../errors'
import { isUsable } from '../models/list-places'
import { checkAlias, MOST_ALIASES } from '../routing/check-alias'
import type { ComboSnapshot } from '../routing/combo-book'
import { isPattern } from '../routing/glob'
import type { Alias, ModelWorld } from '../routing/model-world'
import { followName } from '../routing/resolve-name'
import type { StoredAlias } from '../store/model-aliases-table'
import type { Parts } from './parts'

export function aliasOperations(parts: AliasParts & Pick<Parts, 'clock'>) {
  const { models, keys, clock } = parts
  const { aliases } = models
  const viewOf = (id: string): AliasView => {
    const view = aliasViews(parts).find((known) => known.id === id)
    if (view === undefined) throw notFound('name', id)
    return view
  }
  const check = (changed: Alias): void => {
    const others = aliases.list().filter(({ id }) => id !== changed.id)
    if (changed.clientKeyId !== null && !keys.list().some(({ id }) => id === changed.clientKeyId)) {
      throw notFound('key', changed.clientKeyId)
    }
    checkAlias(changed, others)
  }

  return {
    'aliases:list': async () => aliasViews(parts),

    'aliases:add': async ({ pattern, target, clientKeyId = null }: OperationInput<'aliases:add'>) => {
      const fresh = { pattern, target, clientKeyId, createdAt: clock.now() }
      check({ ...fresh, id: '' })
      if (aliases.list().length >= MOST_ALIASES) throw badInput('', `There are ${MOST_ALIASES} names already.`)
      const { id } = aliases.insert(fresh)
      models.book.reload()
      return viewOf(id)
    },

    'aliases:update': async ({ id, pattern, target, clientKeyId }: OperationInput<'aliases:update'>) => {
      const stored = aliases.list().find((known) => known.id === id)
      if (stored === undefined) throw notFound('name', id)
      const changed = {
        id,
        pattern: pattern ?? stored.pattern,
        target: target ?? stored.target,
        clientKeyId: clientKeyId === undefined ? stored.clientKeyId : clientKeyId,
      }
      check(changed)
      aliases.update(changed)
      models.book.reload()
      return viewOf(id)
    },

    'aliases:remove': async ({ id }: OperationInput<'aliases:remove'>) => {
      viewOf(id)
      aliases.remove(id)
      models.book.reload()
      return null
    },
  }
}

type AliasParts = Pick<Parts, 'models' | 'combos' | 'keys'>

export function aliasViews({ models, combos, keys }: AliasParts): AliasView[] {
  const world = models.book.world()
  const names = new Map(keys.list().map(({ id, name }) => [id, name]))
  return models.aliases.list().map((alias) => aliasView(alias, world, combos.snapshot(), names))
}

function aliasView(
  alias: StoredAlias,
  world: ModelWorld,
  combos: ComboSnapshot,
  keyNames: ReadonlyMap<string, string>,
): AliasView {
  const { id, pattern, clientKeyId, target, createdAt } = alias
  const common = {
    ...{ id, pattern, clientKeyId, target, createdAt },
    kind: isPattern(pattern) ? ('pattern' as const) : ('name' as const),
    clientKey: clientKeyId === null ? null : (keyNames.get(clientKeyId) ?? null),
  }
  try {
    const found = followName(alias, world, combos, clientKeyId)
    const hidden = combos.byName.has(pattern) ? `A combo is called "${pattern}" too, and comes first.` : null
    if (found.kind === 'combo') return { ...common, resolvesTo: found.combo.name, broken: hidden }
    const { provider, model } = found.target
    const broken = isUsable(provider) ? null : `${provider.row.label} has no connection that can be used.`
    return { ...common, resolvesTo: `${provider.row.id}/${model}`, broken: hidden ?? broken }
  } catch (error) {
    return { ...common, resolvesTo: null, broken: error instanceof Error ? error.message : String(error) }
  }
}
