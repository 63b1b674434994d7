// Providers, lists and names for tests that resolve.

import { type ProviderRow, providerRow } from '../../../core/providers/provider-row'
import type { Provider, Registry } from '../../../core/providers/registry'
import { buildConnection } from '../../../core/providers/registry'
import { type Alias, indexAliases, indexNames, type ModelWorld } from '../../../core/routing/model-world'

export const ROWS: readonly ProviderRow[] = [
  providerRow({ id: 'openai', label: 'OpenAI', endpoints: { 'openai-chat': 'https://api.openai.com/v1' } }),
  providerRow({ id: 'anthropic', label: 'Anthropic', endpoints: { anthropic: 'https://api.anthropic.com/v1' } }),
  providerRow({
    id: 'glm',
    label: 'GLM',
    aliases: ['zhipu'],
    endpoints: { 'openai-chat': 'https://open.bigmodel.cn/api/paas/v4' },
  }),
  providerRow({ id: 'openrouter', label: 'OpenRouter', endpoints: { 'openai-chat': 'https://openrouter.ai/api/v1' } }),
  providerRow({
    id: 'strict',
    label: 'Strict',
    endpoints: { 'openai-chat': 'https://strict.example/v1' },
    passthroughModels: false,
  }),
  providerRow({
    id: 'ollama',
    label: 'Ollama',
    class: 'local',
    needsKey: false,
    endpoints: { 'openai-chat': 'http://127.0.0.1:11434/v1' },
  }),
]

export function registryOf(connected: readonly string[] = [], rows: readonly ProviderRow[] = ROWS): Registry {
  return new Map<string, Provider>(
    rows.map((row) => {
      const stored = { id: `con_${row.id}`, name: row.id, priority: 1, enabled: true, baseUrl: null }
      const connections = connected.includes(row.id) ? [buildConnection(row, stored, 'sk-test', false, null)] : []
      return [row.id, { row, connections }]
    }),
  )
}

let made = 0
export const alias = (pattern: string, target: string, clientKeyId: string | null = null): Alias => ({
  id: `alias_${++made}`,
  pattern,
  target,
  clientKeyId,
})

export interface WorldParts {
  readonly connected?: readonly string[]
  /** "provider/model" each. */
  readonly listed?: readonly string[]
  readonly aliases?: readonly Alias[]
}

export function worldOf({ connected = [], listed = [], aliases = [] }: WorldParts = {}): ModelWorld {
  const names = listed.map((name) => {
    const slash = name.indexOf('/')
    return { provider: name.slice(0, slash), model: name.slice(slash + 1) }
  })
  const registry = registryOf([...new Set([...connected, ...names.map(({ provider }) => provider)])])
  return { registry, names: indexNames(names), aliases: indexAliases(aliases) }
}
