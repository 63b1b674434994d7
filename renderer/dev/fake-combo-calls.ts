// Combos in the fake core: kept in memory, changed as the real one would. Development only.
import type { ComboTest, ComboView } from '../../core/contract/combo-views'
import type { CallInput, CallName, CallOutput } from '../../core/contract/ipc'
import { explanation, combo as makeCombo, step as makeStep, combos as someCombos } from './fake-combos'
import { Refused } from './refused'

type ComboCall = Extract<CallName, `combos:${string}`>
type Handlers = { readonly [N in ComboCall]: (input: CallInput<N>) => CallOutput<N> | Promise<CallOutput<N>> }
type Given = Pick<CallInput<'combos:update'>, 'name' | 'strategy' | 'config' | 'steps'>

/** What the names of `auto` choose among. */
const ALL = makeCombo({
  ...{ id: 'auto', name: 'auto', strategy: 'auto' },
  steps: [makeStep({ model: 'openai/gpt-5.1' }), makeStep({ model: 'lab/llama-4-scout' })],
})

export function fakeComboCalls(empty: boolean, push: (combos: ComboView[]) => void): Handlers {
  let combos: ComboView[] = empty ? [] : someCombos()
  const removed = new Map<string, ComboView>()
  const set = (next: ComboView[]): void => {
    combos = next
    push(combos)
  }
  const find = (id: string): ComboView => {
    const found = combos.find((combo) => combo.id === id || combo.name === id)
    if (found === undefined) throw new Refused(`There is no combo "${id}". It may have been removed meanwhile.`)
    return found
  }
  const changed = (combo: ComboView, { name, strategy, config = {}, steps }: Given): ComboView => {
    if (name === 'taken') throw new Refused('name: there is a combo "taken" already. Edit it instead.', 'name')
    const bad = steps?.findIndex((step) => step.model === 'bad') ?? -1
    if (bad >= 0) throw new Refused(`steps[${bad}].model: cannot be used.`, `steps[${bad}].model`)
    const kept = Object.entries({ ...combo.config, ...config }).filter(([, value]) => value !== null)
    return {
      ...combo,
      name: name ?? combo.name,
      strategy: (strategy ?? combo.strategy) as ComboView['strategy'],
      config: Object.fromEntries(kept),
      steps: steps?.map((step) => makeStep(step as ComboView['steps'][number])) ?? combo.steps,
      warnings: steps === undefined ? combo.warnings : [],
    }
  }
  const add = (combo: ComboView): ComboView => {
    set([...combos, combo])
    return combo
  }
  return {
    'combos:list': () => combos,
    'combos:get': ({ id }) => find(id),
    'combos:create': (given) => add(changed(makeCombo({ id: `b${Date.now()}`, name: given.name }), given)),
    'combos:update': ({ id, ...given }) => {
      const next = changed(find(id), given)
      set(combos.map((each) => (each.id === id ? next : each)))
      return next
    },
    'combos:reorder': ({ ids }) => {
      set(ids.map(find))
      return combos
    },
    'combos:duplicate': ({ id, name }) => {
      const original = find(id)
      return add({ ...original, id: `b${Date.now()}`, name: name ?? `${original.name}-copy`, usedBy: [] })
    },
    'combos:remove': ({ id }) => {
      const gone = find(id)
      if (gone.usedBy.length > 0)
        throw new Refused(`"${gone.name}" is a step of "${gone.usedBy[0]}". Take it out there first.`)
      removed.set(gone.id, gone)
      set(combos.filter((each) => each !== gone))
      return null
    },
    'combos:restore': ({ id }) => {
      const back = removed.get(id)
      if (back === undefined) throw new Refused('It cannot be brought back any more.')
      return add(back)
    },
    'combos:test': async ({ id }): Promise<ComboTest> => {
      await new Promise((resolve) => setTimeout(resolve, 900))
      const steps = find(id).steps.map(({ model, combo }, place) => {
        const ok = model?.startsWith('anthropic/') !== true
        const message = ok ? 'It answered.' : 'The key was refused (401). Enter a new one.'
        const name = model ?? combo ?? ''
        const told = { connectionId: 'c1', connectionName: 'work', requestId: null }
        return {
          step: place,
          name,
          ok,
          message,
          targets: [{ target: name, ok, status: ok ? 200 : 401, ms: 420, message, ...told }],
        }
      })
      const answered = steps.filter(({ ok }) => ok).length
      return { ok: answered > 0, message: `${answered} of ${steps.length} steps answered.`, steps }
    },
    'combos:explain': ({ id = '', draft }) => {
      if (draft !== undefined) return explanation(changed(ALL, draft))
      return explanation(id.startsWith('auto') ? ALL : find(id))
    },
    'combos:auto': () =>
      ['auto', 'auto/fast', 'auto/coding', 'auto/coding:cheap'].map((name) => ({
        ...{ name, help: 'The best of all models.', strategy: 'auto', config: {} },
      })),
  }
}
