// Making, changing, ordering and removing combos. What is checked here is what only the whole program knows: other
// combos, providers, connections. What no step can do right now is told, and kept all the same.
import { keptConfig, type SetConfig } from '../contract/combo-config'
import { strategyNamed } from '../contract/combo-strategies'
import type { AutoVariantView, ComboExplanation, ComboView } from '../contract/combo-views'
import { COMBO_NAME_LIMIT, COMBO_PREFIX, Combo, strategyOf } from '../contract/combos'
import type { OperationInput } from '../contract/operations'
import type { JsonObject } from '../dialects/canonical'
import { badInput, GatewayError, notFound } from '../errors'
import { InputRefusedError } from '../http/management/error-body'
import type { Explained } from '../pipeline/explain-combo'
import { findProvider } from '../providers/registry'
import { checkCombo } from '../routing/check-combo'
import type { DroppedStep, ResolvedCombo } from '../routing/combo'
import { autoCombo, MAX_COMBO_DEPTH, MOST_MEMBERS } from '../routing/resolve-combo'
import { AUTO_VARIANTS } from '../routing/strategies/auto/names'
import type { PlacedReason } from '../routing/strategies/order-combo'
import type { StoredCombo } from '../store/combos-table'
import { keptSteps, type StepWorld, withoutNulls } from './combo-steps'
import { renamedIn, usersOf } from './combo-uses'
import { comboView, comboViews } from './combo-views'
import { checkedInput } from './input-issues'
import type { Parts } from './parts'
import { testCombo } from './test-combo'
import type { TryTarget } from './try-request'

/** @throws GatewayError 402 where `auto` finds nobody within a strict budget */
/** @param headers of the request, names in lower case */
export type ExplainCombo = (
  combo: ResolvedCombo,
  request: JsonObject,
  headers: Readonly<Record<string, string>>,
) => Promise<Explained>

export function comboOperations(parts: Parts, tryTarget: () => TryTarget, explain: ExplainCombo) {
  const { combos, combosTable: table, models, clock } = parts

  const find = (idOrName: string): StoredCombo => {
    const { byId, byName } = combos.snapshot()
    const found = byId.get(idOrName) ?? byName.get(idOrName)
    if (found === undefined) throw notFound('combo', idOrName)
    return found
  }
  const view = (id: string): ComboView => comboView(find(id), parts)
  const others = (id: string | null): StoredCombo[] => combos.snapshot().list.filter((combo) => combo.id !== id)

  /** @throws InputRefusedError with every fault and its path */
  const checked = (given: Given): Combo => {
    const input = checkedInput(Combo, { ...given, config: withoutNulls(given.config) })
    if (!input.ok) throw new InputRefusedError(input.issues)
    return { ...input.data, steps: keptSteps(input.data.steps, stepWorld(parts)) }
  }
  /** With a word to the person whose strategy nobody knows. */
  const told = (id: string, strategy: string | undefined): ComboView => {
    const made = view(id)
    if (strategy === undefined || strategy === made.strategy || isKnownStrategy(strategy)) return made
    const message = `"${strategy}" is not a strategy; "priority" is used.`
    return { ...made, warnings: [{ step: null, message }, ...made.warnings] }
  }

  return {
    'combos:list': async () => comboViews(parts),

    'combos:get': async ({ id }: OperationInput<'combos:get'>) => view(id),

    'combos:explain': async ({
      id = '',
      draft,
      request = {},
      headers = {},
      most,
    }: OperationInput<'combos:explain'>) => {
      const combo = combos.resolved(draft === undefined ? (autoCombo(id) ?? find(id)) : checked(draft))
      return {
        ...explanation(await explain(combo, request, headers), most, parts),
        dropped: droppedSteps(combo, parts),
      }
    },

    'combos:create': async ({ name, strategy, config, steps }: OperationInput<'combos:create'>) => {
      const combo = checked({ name, strategy, config, steps })
      checkCombo(combo, others(null), providerNames(parts))
      const { id } = table.insert(combo, clock.now())
      combos.reload()
      return told(id, strategy)
    },

    'combos:update': async ({ id: asked, replace = false, ...changes }: OperationInput<'combos:update'>) => {
      const stored = find(asked)
      const { id } = stored
      const combo = checked(replace ? replaced(stored, changes) : changed(stored, changes))
      const rest = others(id).map((other) => renamedIn(other, stored.name, combo.name))
      // A name that has become a provider's since must not stand in the way of other changes.
      checkCombo(combo, rest, combo.name === stored.name ? new Set() : providerNames(parts))
      table.transaction(() => {
        table.update(id, combo, clock.now())
        if (combo.name !== stored.name) followRename(stored.name, combo.name, rest)
      })
      if (combo.name !== stored.name) models.book.reload()
      combos.reload()
      return told(id, changes.strategy)
    },

    'combos:reorder': async ({ ids }: OperationInput<'combos:reorder'>) => {
      const order = ids.map((asked) => find(asked).id)
      if (new Set(order).size < order.length) throw badInput('ids', 'names a combo twice.')
      const missing = others(null).find(({ id }) => !order.includes(id))
      if (missing !== undefined) throw badInput('ids', `leaves out "${missing.name}". Name all of them.`)
      table.reorder(order)
      combos.reload()
      return comboViews(parts)
    },

    'combos:duplicate': async ({ id, name }: OperationInput<'combos:duplicate'>) => {
      const { strategy, config, steps, ...original } = find(id)
      const copy = checked({ ...{ strategy, config, steps }, name: name ?? freeName(original.name, others(null)) })
      checkCombo(copy, others(null), providerNames(parts))
      const order = others(null).map((combo) => combo.id)
      const made = table.insert(copy, clock.now())
      table.reorder(order.flatMap((each) => (each === original.id ? [each, made.id] : [each])))
      combos.reload()
      return view(made.id)
    },

    'combos:remove': async ({ id: asked }: OperationInput<'combos:remove'>) => {
      const { id, name } = find(asked)
      const users = usersOf(name, others(id))
      if (users.length > 0) {
        const names = users.map((user) => `"${user.name}"`).join(', ')
        throw new GatewayError('combo_in_use', 409, `"${name}" is a step of ${names}. Take it out there first.`)
      }
      table.softRemove(id, clock.now())
      combos.reload()
      return null
    },

    'combos:restore': async ({ id }: OperationInput<'combos:restore'>) => {
      const removed = table.removed(id)
      if (removed === null) throw notFound('removed combo', id)
      checkCombo(removed, others(null), new Set())
      table.restore(id)
      combos.reload()
      return view(id)
    },

    'combos:test': async ({ id, steps }: OperationInput<'combos:test'>) =>
      testCombo(find(id), steps, parts, tryTarget()),

    'combos:auto': async (): Promise<AutoVariantView[]> =>
      AUTO_VARIANTS.map(({ name, help, config }) => ({ name, help, strategy: 'auto', config: { ...config } })),
  }

  /** Steps of other combos and names of the user's follow a combo to its new name. Inside the transaction. */
  function followRename(from: string, to: string, rest: readonly StoredCombo[]): void {
    const before = combos.snapshot().byId
    for (const other of rest) if (before.get(other.id) !== other) table.update(other.id, other, clock.now())
    for (const alias of models.aliases.list()) {
      if (alias.target === from) models.aliases.update({ ...alias, target: to })
      if (alias.target === COMBO_PREFIX + from) models.aliases.update({ ...alias, target: COMBO_PREFIX + to })
    }
  }
}

interface Given {
  readonly name: string
  readonly strategy?: string | undefined
  readonly config?: Readonly<Record<string, unknown>> | undefined
  readonly steps?: readonly unknown[] | undefined
}
type Changes = Omit<OperationInput<'combos:update'>, 'id' | 'replace'>

const replaced = (stored: StoredCombo, { name = stored.name, ...changes }: Changes): Given => ({ name, ...changes })

function changed(stored: StoredCombo, { name = stored.name, strategy, config = {}, steps }: Changes): Given {
  const next = strategyOf({ name, strategy: strategy ?? stored.strategy })
  // Of a changed strategy's configuration only what both have is kept.
  const kept: SetConfig = keptConfig(next, stored.config)
  return {
    name,
    strategy: strategy ?? stored.strategy,
    config: { ...kept, ...config },
    steps: steps ?? stored.steps,
  }
}

const isKnownStrategy = (text: string): boolean => text === 'priority' || strategyNamed(text) !== 'priority'

/** "fast" → "fast-copy", then "fast-copy-2". */
function freeName(name: string, all: readonly Combo[]): string {
  const taken = new Set(all.map((combo) => combo.name))
  for (let n = 1; ; n++) {
    const end = n === 1 ? '-copy' : `-copy-${n}`
    const free = name.slice(0, COMBO_NAME_LIMIT - end.length) + end
    if (!taken.has(free)) return free
  }
}

/** Ids of providers and their other names, in lower case. */
export const providerNames = ({ book }: Pick<Parts, 'book'>): ReadonlySet<string> =>
  new Set(book.rows().flatMap(({ id, aliases }) => [id, ...aliases].map((name) => name.toLowerCase())))

function stepWorld({ book, combos }: Pick<Parts, 'book' | 'combos'>): StepWorld {
  const registry = book.registry()
  return {
    connections: [...registry.values()].flatMap(({ connections }) => connections),
    providerOf(model) {
      const slash = model.indexOf('/')
      const named = slash < 0 ? undefined : findProvider(registry, model.slice(0, slash))
      if (named !== undefined) return named.row.id
      const found = combos.stepModel(model)
      return 'why' in found ? null : found.target.provider.row.id
    },
  }
}

const droppedSteps = ({ dropped }: ResolvedCombo, { combos }: Pick<Parts, 'combos'>): ComboExplanation['dropped'] =>
  dropped.map(({ step, because, name }) => {
    const found = because === 'unknown-model' ? combos.stepModel(name) : null
    const why = found !== null && 'why' in found ? found.why : DROPPED_BECAUSE[because]
    return { step: step === 'judge' ? null : step, name, why }
  })

const DROPPED_BECAUSE: Readonly<Record<DroppedStep['because'], string>> = {
  cycle: 'It leads back to where it came from.',
  'too-deep': `It is more than ${MAX_COMBO_DEPTH} combos deep.`,
  'too-many': `Together the steps lead to more than ${MOST_MEMBERS} models; the rest is left out.`,
  'unknown-combo': 'There is no combo of this name.',
  'unknown-model': 'No provider has it.',
  'no-match': 'No listed model is called like it.',
}

/** A strategy's reasons in words that travel. */
function explanation(
  { reasons, staying }: Explained,
  most: number | undefined,
  { book }: Pick<Parts, 'book'>,
): Omit<ComboExplanation, 'dropped'> {
  const placeOf = ({ target: { provider, model, connectionId }, via = [] }: PlacedReason) => ({
    ...{ provider, model },
    connection: connectionId === null ? null : (book.find(connectionId)?.connection.name ?? connectionId),
    via: [...via],
  })
  const ordered = reasons.flatMap((reason) => (reason.kind === 'ordered' ? reason : []))
  const excluded = reasons.flatMap((reason) => (reason.kind === 'excluded' ? reason : []))
  return {
    ordered: ordered.slice(0, most).map((reason) => {
      const { score, parts, target } = reason
      const stays = staying.get(target) ?? null
      return { ...placeOf(reason), score, parts: { ...parts }, reserve: target.onlyAfterQuota, stays }
    }),
    excluded: excluded.slice(0, most).map((reason) => {
      const { gate, reason: because, why, until } = reason.exclusion
      return { ...placeOf(reason), gate, reason: because, why, until }
    }),
  }
}
