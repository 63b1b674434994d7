// Combos and a world for tests that resolve them.
import { Combo, type ComboInput } from '../../../core/contract/combos'
import type { Member, ResolvedCombo } from '../../../core/routing/combo'
import type { ComboWorld } from '../../../core/routing/resolve-combo'

/** Steps are models, or combos with "combo:" before their name. */
export const combo = (
  name: string,
  steps: readonly string[],
  more: Omit<Partial<ComboInput>, 'name' | 'steps'> = {},
): Combo =>
  Combo.parse({
    name,
    steps: steps.map((step) => (step.startsWith('combo:') ? { combo: step.slice(6) } : { model: step })),
    ...more,
  })

const MODELS = ['openai/gpt-5', 'openai/gpt-5-mini', 'anthropic/claude-opus', 'ollama/llama3']

export function worldOf(combos: readonly Combo[], more: Partial<ComboWorld> = {}): ComboWorld {
  return {
    combos: new Map(combos.map((one) => [one.name, one])),
    models: MODELS.map(split),
    resolveModel: (name) => (name.includes('/') && !name.startsWith('nobody/') ? split(name) : null),
    inherited: {},
    ...more,
  }
}

const split = (name: string) => {
  const slash = name.indexOf('/')
  return { provider: name.slice(0, slash), model: name.slice(slash + 1) }
}

/** "a/m1 [inner: a/m2]" */
export const drawing = ({ members }: Pick<ResolvedCombo, 'members'>): string => members.map(drawn).join(' ')

const drawn = (member: Member): string =>
  member.kind === 'combo' ? `[${member.combo.name}: ${drawing(member.combo)}]` : member.target.executionKey
