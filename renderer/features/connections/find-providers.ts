// The list to choose a provider from: in groups, what is in use first; and what a search finds in it. Pure.
import { DIALECTS } from '../../../core/contract/kinds'
import type { ProviderGroup, ProviderView } from '../../../core/contract/views'
import { dialectWords } from '../../app/request-words'
import { sentence } from '../../app/sentence'
import { customOf } from './draft'

export interface ProviderChoice {
  /** A provider's id, or one that stands for an endpoint to be added. */
  readonly id: string
  readonly label: string
  /** What clients write before the model; empty for an endpoint that is not there yet. */
  readonly name: string
  /** One sentence: what is free, what to know, else where it is. */
  readonly about: string
  readonly free: boolean
  /** How many connections it has. */
  readonly used: number
  /** All that it is found by. */
  readonly words: readonly string[]
}

export interface ChoiceGroup {
  readonly title: string
  readonly choices: readonly ProviderChoice[]
}

const PRACTICE = 'practice'
const IN_USE = 'In use'

/** In the order of the list. */
const GROUP_TITLES: Readonly<Record<ProviderGroup, string>> = {
  own: 'Your own endpoints',
  lab: 'Makers of models',
  cloud: 'Clouds',
  inference: 'Hosts of open models',
  aggregator: 'Gateways to many providers',
  china: 'Providers at home in China',
  local: 'On this machine',
}
const ORDER = Object.keys(GROUP_TITLES) as ProviderGroup[]
const SUBSCRIPTIONS = 'Subscriptions and accounts'
const ANOTHER = 'Another endpoint'

const free = (text: string): string => sentence(`Free: ${text.charAt(0).toLowerCase()}${text.slice(1)}`)

const hostOf = (baseUrl: string): string => baseUrl.replace(/^https?:\/\//, '').replace(/\/.*$/, '')

function choiceOf({ id, aliases, label, baseUrl, freeTier, note, connections }: ProviderView): ProviderChoice {
  return {
    ...{ id, label },
    name: id,
    about: freeTier !== null ? free(freeTier) : (note ?? hostOf(baseUrl)),
    free: freeTier !== null,
    used: connections.length,
    words: [id, label, ...aliases],
  }
}

/** For servers that are not in the list: one for each format. */
export const CUSTOM_CHOICES: readonly ProviderChoice[] = DIALECTS.map((dialect) => ({
  id: customOf(dialect),
  label: `Custom endpoint, ${dialectWords(dialect)}`,
  name: '',
  about: `Any server that speaks ${dialectWords(dialect)}, by its address.`,
  free: false,
  used: 0,
  words: ['custom endpoint', 'own', 'other', 'compatible', dialect, dialectWords(dialect)],
}))

/** Every provider once: what is in use first, then by group. */
export function groupProviders(providers: readonly ProviderView[]): readonly ChoiceGroup[] {
  const all = providers.filter(({ id }) => id !== PRACTICE)
  const inUse = all.filter(({ connections }) => connections.length > 0)
  const rest = all.filter(({ connections }) => connections.length === 0)
  const ofGroup = (group: ProviderGroup) => rest.filter((each) => each.group === group && each.signIn === null)
  return [
    { title: IN_USE, members: inUse },
    ...ORDER.map((group) => ({ title: GROUP_TITLES[group], members: ofGroup(group) })),
    { title: SUBSCRIPTIONS, members: rest.filter(({ signIn }) => signIn !== null) },
  ]
    .map(({ title, members }) => ({ title, choices: members.map(choiceOf) }))
    .concat({ title: ANOTHER, choices: [...CUSTOM_CHOICES] })
    .filter(({ choices }) => choices.length > 0)
}

/** 0: not found; the larger, the nearer. */
function nearness({ words, used }: ProviderChoice, wanted: readonly string[]): number {
  const texts = words.map((word) => word.toLowerCase())
  let least = Number.POSITIVE_INFINITY
  for (const part of wanted) {
    const found = Math.max(...texts.map((text) => nearnessOf(text, part)))
    least = Math.min(least, found)
  }
  // Of two that are found alike, the one in use is meant.
  return least === 0 ? 0 : least + (used > 0 ? 0.5 : 0)
}

function nearnessOf(text: string, part: string): number {
  if (text === part) return 4
  if (text.startsWith(part)) return 3
  if (text.split(/[\s\-(.]+/).some((word) => word.startsWith(part))) return 2
  return text.includes(part) ? 1 : 0
}

/** By label, id or alias; the nearest first. All parts of the search must be found. */
export function searchProviders(groups: readonly ChoiceGroup[], search: string): readonly ProviderChoice[] {
  const wanted = search.toLowerCase().split(/\s+/).filter(Boolean)
  return groups
    .flatMap(({ choices }) => choices)
    .map((choice) => ({ choice, near: nearness(choice, wanted) }))
    .filter(({ near }) => near > 0)
    .sort((a, b) => b.near - a.near)
    .map(({ choice }) => choice)
}
