// The combos of the configuration file: { "name": "fast", "strategy": "weighted", "config": {}, "steps": [{ "model":
// "fake/m1", "weight": 3, "connection": "a" }] }. Connections are named as people name them.
import { Combo, type Step } from '../contract/combos'
import { badInput, GatewayError } from '../errors'
import { checkCombo } from '../routing/check-combo'
import type { CombosTable, StoredCombo } from '../store/combos-table'
import { keptSteps, type NamedConnection, type StepWorld, withoutNulls } from './combo-steps'
import { checkedInput } from './input-issues'

const refused = (path: string, message: string): GatewayError =>
  badInput(path, `${message}${/[.!]$/.test(message) ? '' : '.'} Nothing was taken over.`)

/** What can be told of them without the rest of the program. @throws GatewayError 400 with the path of the fault */
export function readFileCombos(given: readonly unknown[]): Combo[] {
  const combos = given.map((each, i) => {
    const checked = checkedInput(Combo, withoutEmpty(each), ['combos', i])
    if (checked.ok) return checked.data
    const { field, message } = checked.issues[0] ?? { field: `combos[${i}]`, message: 'is not valid' }
    throw refused(field, message)
  })
  const seen = new Set<string>()
  for (const [i, { name }] of combos.entries()) {
    if (seen.has(name)) throw refused(`combos[${i}].name`, 'two combos have this name')
    seen.add(name)
  }
  return combos
}

const withoutEmpty = (given: unknown): unknown => {
  if (typeof given !== 'object' || given === null || !('config' in given)) return given
  const { config } = given
  if (typeof config !== 'object' || config === null || Array.isArray(config)) return given
  return { ...given, config: withoutNulls(config as Record<string, unknown>) }
}

interface ImportWorld extends StepWorld {
  readonly table: CombosTable
  /** Ids and other names of all providers, in lower case. */
  readonly providerNames: ReadonlySet<string>
  readonly now: number
}

/**
 * Upserts by name, each of them whole. Runs inside the import's transaction, after its connections were written.
 * @throws GatewayError 400 whose message begins with the path of the fault
 */
export function importCombos(given: readonly Combo[], { table, providerNames, now, ...world }: ImportWorld): void {
  const before = new Map(table.list().map((combo) => [combo.name, combo.id]))
  for (const [i, combo] of given.entries()) {
    const kept = { ...combo, steps: at(i, () => keptSteps(combo.steps, world)) }
    const id = before.get(combo.name)
    if (id === undefined) table.insert(kept, now + i)
    else table.update(id, kept, now)
  }
  // Only now: they may lead to each other, whatever their order.
  const all = table.list()
  for (const [i, { name }] of given.entries()) {
    const combo = all.find((known) => known.name === name)
    if (combo === undefined) continue
    const others = all.filter((other) => other !== combo)
    at(i, () => checkCombo(combo, others, before.has(name) ? new Set() : providerNames))
  }
}

/** A fault of one combo, told with its place in the file. */
function at<T>(i: number, check: () => T): T {
  try {
    return check()
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    const { field } = error.details
    const words = field === undefined ? error.message : error.message.slice(`${field}: `.length)
    throw refused(field === undefined ? `combos[${i}]` : `combos[${i}].${field}`, words)
  }
}

export type FileCombo = Pick<StoredCombo, 'name' | 'strategy'> & {
  readonly config?: StoredCombo['config']
  readonly steps: readonly Partial<Step>[]
}

/** In the user's order, with what was not set left out, so that it reads as a person would write it. */
export const exportCombos = (combos: readonly StoredCombo[], connections: readonly NamedConnection[]): FileCombo[] =>
  combos.map(({ name, strategy, config, steps }) => ({
    ...{ name, strategy },
    ...(Object.keys(config).length === 0 ? {} : { config }),
    steps: steps.map((step) => fileStep(step, connections)),
  }))

function fileStep(step: Step, connections: readonly NamedConnection[]): Partial<Step> {
  const { model, combo, weight, connection, allowedConnections, prompt, fallbackOnlyOnQuotaExhaustion } = step
  const nameOf = (id: string): string => connectionName(id, model, connections)
  return {
    ...(model === null ? {} : { model }),
    ...(combo === null ? {} : { combo }),
    ...(weight === 1 ? {} : { weight }),
    ...(connection === null ? {} : { connection: nameOf(connection) }),
    ...(allowedConnections === null ? {} : { allowedConnections: allowedConnections.map(nameOf) }),
    ...(prompt === null ? {} : { prompt }),
    ...(fallbackOnlyOnQuotaExhaustion ? { fallbackOnlyOnQuotaExhaustion } : {}),
  }
}

/** Its name, where that will be understood again: of the provider before the slash, or the only one of that name. */
function connectionName(id: string, model: string | null, connections: readonly NamedConnection[]): string {
  const found = connections.find((connection) => connection.id === id)
  if (found === undefined) return id
  const isPlain = connections.filter(({ name }) => name === found.name).length === 1
  return isPlain || model?.startsWith(`${found.provider}/`) === true ? found.name : id
}
