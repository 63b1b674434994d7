import { describe, expect, it } from 'vitest'
import { DIALECTS } from '../../core/contract/kinds'
import type { ProviderView } from '../../core/contract/views'
import { CATALOGUE, PRACTICE_ID } from '../../core/providers/catalogue'
import { customOf } from '../../renderer/features/connections/draft'
import { groupProviders, searchProviders } from '../../renderer/features/connections/find-providers'
import { aConnection, aProvider } from '../electron/samples'

/** The whole catalogue as the window gets it, as far as the list looks at it. */
const whole: readonly ProviderView[] = CATALOGUE.map(({ id, aliases, label, group, freeTier, note, oauth }) =>
  aProvider({ id, aliases: [...aliases], label, group, freeTier, note, signIn: oauth }),
)
const withUsed = (used: readonly string[]): readonly ProviderView[] =>
  whole.map((provider) => (used.includes(provider.id) ? { ...provider, connections: [aConnection()] } : provider))
const idsOf = (choices: readonly { readonly id: string }[]): string[] => choices.map(({ id }) => id)
const find = (search: string, used: readonly string[] = []): string[] =>
  idsOf(searchProviders(groupProviders(withUsed(used)), search))

describe('the list to choose a provider from', () => {
  it('has every provider once, and an endpoint of one’s own in each format; the practice one is there already', () => {
    const ids = groupProviders(withUsed(['groq'])).flatMap(({ choices }) => idsOf(choices))
    const wanted = [...idsOf(whole).filter((id) => id !== PRACTICE_ID), ...DIALECTS.map(customOf)]
    expect(ids.sort()).toEqual(wanted.sort())
  })
  it('begins with what is in use, and keeps subscriptions together', () => {
    const groups = groupProviders(withUsed(['groq', 'openai']))
    expect(groups[0]).toMatchObject({ title: 'In use', choices: [{ id: 'openai' }, { id: 'groq' }] })
    const accounts = groups.find(({ title }) => title === 'Subscriptions and accounts')
    expect(idsOf(accounts?.choices ?? [])).toContain('github-copilot')
    expect(groupProviders(whole)[0]?.title).not.toBe('In use')
  })
  it('says in a sentence what is free', () => {
    const [group] = groupProviders([aProvider({ freeTier: 'Some models.' })])
    expect(group?.choices[0]).toMatchObject({ about: 'Free: some models.', free: true })
  })
})

describe('a search in it', () => {
  it.each([
    ['openai', 'openai'],
    ['OPENAI', 'openai'],
    ['claude-code', 'claude'],
    ['zhipu', 'glm-cn'],
    ['kimi', 'moonshot'],
    ['grok', 'xai'],
    ['ollama', 'ollama'],
    ['azure openai', 'azure'],
    ['custom gemini', customOf('gemini')],
  ])('finds %s', (search, id) => {
    const found = find(search)
    expect(found.slice(0, 3)).toContain(id)
  })
  it('finds each provider by its id and by each of its other names', () => {
    for (const { id, aliases } of whole) {
      if (id === PRACTICE_ID) continue
      for (const name of [id, ...aliases]) expect(find(name), name).toContain(id)
    }
  })
  it('prefers, of two that are found alike, the one in use', () => {
    const [first, second] = find('azure')
    expect(find('azure', [second ?? ''])[0]).toBe(first)
    const alike = find('ali', ['dashscope-cn'])
    expect(alike.indexOf('dashscope-cn')).toBeLessThan(alike.indexOf('dashscope'))
  })
  it('finds nothing where a part of it is nowhere', () => expect(find('openai nowhere')).toEqual([]))
})
