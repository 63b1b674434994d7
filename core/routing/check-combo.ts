// Whether combos may be kept: their names, that what they name is there, and that they do not lead in circles. Pure.
import { COMBO_PREFIX, type Combo, comboNameFault } from '../contract/combos'
import { badInput } from '../errors'
import { MAX_COMBO_DEPTH, nestedCombo } from './resolve-combo'

export const MOST_COMBOS = 500

/**
 * @param others without the one that is changed
 * @param providerIds ids and aliases, in lower case
 * @throws GatewayError 400 naming the field
 */
export function checkCombo(changed: Combo, others: readonly Combo[], providerIds: ReadonlySet<string>): void {
  const fault = comboNameFault(changed.name, providerIds)
  if (fault !== null) throw badInput('name', `${fault}.`)
  if (others.some(({ name }) => name === changed.name)) {
    throw badInput('name', `there is a combo "${changed.name}" already. Edit it instead.`)
  }
  if (others.length >= MOST_COMBOS) throw badInput('name', `more than ${MOST_COMBOS} combos are too many.`)
  const all = new Map([...others, changed].map((combo) => [combo.name, combo]))
  for (const [i, step] of changed.steps.entries()) {
    const missing = step.combo ?? (step.model?.startsWith(COMBO_PREFIX) ? step.model : null)
    if (missing !== null && nestedCombo(step, all) === null) {
      throw badInput(
        `steps[${i}].${step.combo === null ? 'model' : 'combo'}`,
        `there is no combo "${missing}". Make it first, or name a model.`,
      )
    }
  }
  const words = nestingFault(changed.name, all)
  if (words !== null) throw badInput('steps', words)
}

type Book = ReadonlyMap<string, Combo>

/** The user's combos that a combo leads to at once, a judge too. */
const below = (name: string, book: Book): readonly string[] => {
  const combo = book.get(name)
  if (combo === undefined) return []
  const named = [...combo.steps, { combo: null, model: combo.config.judgeModel ?? null }]
  return named.flatMap((step) => nestedCombo(step, book)?.name ?? []).filter((nested) => book.has(nested))
}

/** A combo that leads to itself, or is part of a nest that is too deep: words for it; null: neither. */
export function nestingFault(name: string, book: Book): string | null {
  const circle = wayBack(name, book)
  if (circle !== null) return `the combos ${circle.join(' → ')} lead in a circle. Remove one of these steps.`
  const above = new Map<string, string[]>()
  for (const upper of book.keys()) {
    for (const nested of below(upper, book)) above.set(nested, [...(above.get(nested) ?? []), upper])
  }
  const up = longestWay(name, (from) => above.get(from) ?? [])
  const down = longestWay(name, (from) => below(from, book))
  const way = [...up.toReversed(), ...down.slice(1)]
  if (way.length <= MAX_COMBO_DEPTH + 1) return null
  return `the combos ${way.join(' → ')} lead more than ${MAX_COMBO_DEPTH} deep. Name models in place of the last ones.`
}

/** The shortest way from a combo to itself; null: there is none. */
function wayBack(name: string, book: Book): readonly string[] | null {
  const seen = new Set<string>()
  let ways: readonly (readonly string[])[] = [[name]]
  while (ways.length > 0) {
    const next: (readonly string[])[] = []
    for (const way of ways) {
      for (const nested of below(way.at(-1) ?? name, book)) {
        if (nested === name) return [...way, name]
        if (seen.has(nested)) continue
        seen.add(nested)
        next.push([...way, nested])
      }
    }
    ways = next
  }
  return null
}

/** A longest one, though never much longer than is allowed; one for each place it can be at is enough to follow. */
function longestWay(name: string, next: (from: string) => readonly string[]): readonly string[] {
  let ways = new Map<string, readonly string[]>([[name, [name]]])
  for (let depth = 0; depth <= MAX_COMBO_DEPTH; depth++) {
    const longer = new Map<string, readonly string[]>()
    for (const [at, way] of ways) for (const to of next(at)) longer.set(to, [...way, to])
    if (longer.size === 0) break
    ways = longer
  }
  return [...ways.values()][0] ?? [name]
}
