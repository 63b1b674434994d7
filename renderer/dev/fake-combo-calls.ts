// Combos in the fake core: kept in memory, changed as the real one would. Development only.
import type { ComboView } from '../../core/contract/combo-views'
import { Combo } from '../../core/contract/combos'
import type { CallInput, CallName, CallOutput } from '../../core/contract/ipc'
import { Refused } from './refused'

type ComboCall = Extract<CallName, `combos:${string}`>
type Handlers = { readonly [N in ComboCall]: (input: CallInput<N>) => CallOutput<N> | Promise<CallOutput<N>> }

export function fakeComboCalls(empty: boolean, push: (combos: ComboView[]) => void): Handlers {
  let combos: ComboView[] = empty ? [] : someCombos()
  const removed = new Map<string, ComboView>()
  const set = (next: ComboView[]): ComboView[] => {
    combos = next
    push(combos)
    return combos
  }
  const find = (id: string): ComboView => {
    const found = combos.find((combo) => combo.id === id || combo.name === id)
    if (found === undefined) throw new Refused('This combo does not exist any more.')
    return found
  }
  const checked = (given: object, id: string | null): Omit<Combo, 'config'> & Pick<ComboView, 'config'> => {
    const read = Combo.safeParse(given)
    const issue = read.error?.issues[0]
    if (!read.success) {
      const path = (issue?.path ?? []).reduce<string>(
        (text, part) =>
          typeof part === 'number' ? `${text}[${part}]` : text === '' ? String(part) : `${text}.${String(part)}`,
        '',
      )
      throw new Refused(`${path}: ${issue?.message ?? 'is not valid'}`, path)
    }
    if (combos.some((combo) => combo.name === read.data.name && combo.id !== id))
      throw new Refused(`name: there is a combo "${read.data.name}" already. Edit it instead.`, 'name')
    return { ...read.data, config: { ...read.data.config } }
  }
  const add = (given: object): ComboView => {
    const made = view(`combo${Date.now()}`, checked(given, null))
    set([...combos, made])
    return made
  }

  return {
    'combos:list': () => combos,
    'combos:get': ({ id }) => find(id),
    'combos:create': add,
    'combos:update': ({ id, replace: _, config, ...changes }) => {
      const { name, strategy, steps, config: before, ...known } = find(id)
      const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
      const merged = Object.fromEntries(Object.entries({ ...before, ...config }).filter(([, value]) => value !== null))
      const next = {
        ...known,
        ...checked({ name, strategy, steps, ...given, config: merged }, known.id),
        updatedAt: Date.now(),
      }
      set(combos.map((combo) => (combo.id === next.id ? next : combo)))
      return next
    },
    'combos:reorder': ({ ids }) => set(ids.map(find)),
    'combos:duplicate': ({ id, name }) => {
      const { strategy, config, steps, name: old } = find(id)
      return add({ name: name ?? `${old}-copy`, strategy, config, steps })
    },
    'combos:remove': ({ id }) => {
      const gone = find(id)
      if (gone.usedBy.length > 0)
        throw new Refused(`"${gone.name}" is a step of "${gone.usedBy.join('", "')}". Take it out there first.`)
      removed.set(gone.id, gone)
      set(combos.filter((combo) => combo !== gone))
      return null
    },
    'combos:restore': ({ id }) => {
      const back = removed.get(id)
      if (back === undefined) throw new Refused('It cannot be brought back any more.')
      set([...combos, back])
      return back
    },
    'combos:test': async ({ id }) => {
      await new Promise((resolve) => setTimeout(resolve, 1200))
      const tested = find(id).steps.map((step, i) => ({
        step: i,
        name: step.combo ?? step.model ?? '',
        ok: i !== 1,
        message: i === 1 ? 'The provider refused the key (401).' : 'Answered in 412 ms.',
        targets: [],
      }))
      return {
        ok: true,
        message: `${tested.filter(({ ok }) => ok).length} of ${tested.length} steps answered.`,
        steps: tested,
      }
    },
    'combos:auto': () => [
      { name: 'auto', help: 'The best of all models, balanced.', strategy: 'auto', config: {} },
      { name: 'auto/fast', help: 'Quick answers first.', strategy: 'auto', config: { modePack: 'ship-fast' } },
    ],
  }
}

const view = (id: string, combo: Pick<ComboView, 'name' | 'strategy' | 'config' | 'steps'>): ComboView => ({
  ...{ id, usedBy: [], warnings: [], createdAt: Date.now(), updatedAt: Date.now() },
  ...combo,
})

function someCombos(): ComboView[] {
  const of = (id: string, given: object): ComboView => {
    const combo = Combo.parse(given)
    return view(id, { ...combo, config: { ...combo.config } })
  }
  return [
    of('combo1', {
      name: 'coding',
      steps: [{ model: 'anthropic/claude-opus-4-5' }, { model: 'openai/gpt-5' }, { combo: 'spare' }],
    }),
    {
      ...of('combo2', {
        name: 'spare',
        strategy: 'weighted',
        config: { stickyWeightedLimit: 5 },
        steps: [{ model: 'openrouter/meta/llama-4', weight: 3 }, { model: 'groq/llama-4' }],
      }),
      usedBy: ['coding'],
      warnings: [{ step: 1, message: 'Groq has no connection.' }],
    },
  ]
}
