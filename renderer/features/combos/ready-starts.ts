// Two combos to begin with, made of what the user has: drafts that are looked at before they are saved. Pure.
import type { ModelView } from '../../../core/contract/model-views'
import type { ProviderView } from '../../../core/contract/views'
import type { ComboDraft } from './combo-draft'
import { EMPTY_COMBO } from './combo-draft'
import { newStep, pinnedTo } from './step-draft'

const PRACTICE = 'practice'

export interface ReadyStart {
  readonly title: string
  /** What it does, with the names of what it is made of. */
  readonly about: string
  readonly draft: ComboDraft
}

/** A provider that answers, and the model of it that is most useful. */
interface Usable {
  readonly provider: ProviderView
  readonly model: string
}

const RANK: Readonly<Record<ProviderView['state'], number>> = {
  healthy: 0,
  strained: 1,
  off: 2,
  resting: 3,
  'needs-you': 4,
}

const enabledOf = ({ connections }: ProviderView) => connections.filter(({ enabled }) => enabled)

function usableOf(providers: readonly ProviderView[], models: readonly ModelView[]): readonly Usable[] {
  return providers
    .filter((provider) => provider.id !== PRACTICE && enabledOf(provider).length > 0)
    .sort((a, b) => RANK[a.state] - RANK[b.state])
    .flatMap((provider) => {
      const model = bestModel(models.filter((each) => each.provider === provider.id))
      return model === null ? [] : [{ provider, model: model.id }]
    })
}

/** The one that uses tools and holds most; one without facts only where there is no other. */
function bestModel(models: readonly ModelView[]): ModelView | null {
  const worth = ({ facts }: ModelView): number =>
    (facts.tools?.value === true ? 1e10 : 0) + (facts.contextWindow?.value ?? 0)
  return models
    .filter(({ hidden, embeds }) => !hidden && !embeds)
    .reduce<ModelView | null>((best, each) => (best === null || worth(each) > worth(best) ? each : best), null)
}

const freeName = (wanted: string, taken: ReadonlySet<string>): string => {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? wanted : `${wanted}-${number}`
    if (!taken.has(name)) return name
  }
}

export interface Starts {
  readonly failOver: ReadyStart
  readonly share: ReadyStart
  /** Made of practice models, for want of the user's own. */
  readonly practice: boolean
}

/** @param taken names that combos have already */
export function readyStarts(
  providers: readonly ProviderView[],
  models: readonly ModelView[],
  taken: ReadonlySet<string> = new Set(),
): Starts {
  const usable = usableOf(providers, models)
  const [first, second] = usable
  const failOver =
    first !== undefined && second !== undefined
      ? failOverOf(first.model, second.model, `${first.provider.label} first; ${second.provider.label} when it cannot.`)
      : failOverOf(
          'practice/outage',
          'practice/echo',
          'A practice model that always fails first; then one that answers.',
        )
  const several = usable.find(({ provider }) => enabledOf(provider).length > 1)
  const share = several !== undefined ? shareOfConnections(several) : shareOf(first, second)
  const named = (start: ReadyStart, name: string): ReadyStart => ({
    ...start,
    draft: { ...start.draft, name: freeName(name, taken) },
  })
  return {
    failOver: named(failOver, 'failover'),
    share: named(share, 'shared'),
    practice: second === undefined,
  }
}

const failOverOf = (first: string, second: string, about: string): ReadyStart => ({
  title: 'Fail over between two providers',
  about,
  draft: { ...EMPTY_COMBO, strategy: 'priority', steps: [newStep('model', first), newStep('model', second)] },
})

const SHARE = 'Share the load'

/** One model, by each of the first connections in turn. */
function shareOfConnections({ provider, model }: Usable): ReadyStart {
  const connections = enabledOf(provider)
  const names = connections.map(({ name }) => name)
  return {
    title: SHARE,
    about: `${names.slice(0, -1).join(', ')} and ${names.at(-1)} of ${provider.label} take turns.`,
    draft: {
      ...EMPTY_COMBO,
      strategy: 'round-robin',
      steps: connections.map(({ id }) => pinnedTo(newStep('model', model), id)),
    },
  }
}

function shareOf(first: Usable | undefined, second: Usable | undefined): ReadyStart {
  const both = first !== undefined && second !== undefined
  const models = both ? [first.model, second.model] : ['practice/echo', 'practice/slow']
  return {
    title: SHARE,
    about: both
      ? `${first.provider.label} and ${second.provider.label} take turns.`
      : 'Two practice models take turns.',
    draft: { ...EMPTY_COMBO, strategy: 'round-robin', steps: models.map((model) => newStep('model', model)) },
  }
}
