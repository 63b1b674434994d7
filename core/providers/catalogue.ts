// The providers Breakwater knows. One row each; code never asks which provider it has, only what its row says.
import type { Dialect, ProviderClass } from '../contract/kinds'

export interface ProviderRow {
  readonly id: string
  readonly label: string
  readonly class: ProviderClass
  /** Base URL per dialect the provider speaks; the first is the one shown. Empty: only the user knows it. */
  readonly endpoints: Readonly<Partial<Record<Dialect, string>>>
  readonly needsKey: boolean
  /** What a key looks like, for the form. */
  readonly keyHint: string
  readonly docsUrl: string | null
  /** Streams report token counts when asked with `stream_options.include_usage`, and refuse nothing else for it. */
  readonly reportsUsageOnRequest: boolean
  /** Limits are kept per model, so that a refusal locks the model and not the key (docs/resilience.md). */
  readonly perModelQuota: boolean
  readonly builtIn: boolean
}

export const PRACTICE_ID = 'practice'

const row = (fields: Partial<ProviderRow> & Pick<ProviderRow, 'id' | 'label' | 'endpoints'>): ProviderRow => ({
  class: 'apikey',
  needsKey: true,
  keyHint: '',
  docsUrl: null,
  reportsUsageOnRequest: false,
  perModelQuota: false,
  builtIn: true,
  ...fields,
})

export const CATALOGUE: readonly ProviderRow[] = [
  row({
    id: 'openai',
    label: 'OpenAI',
    endpoints: { 'openai-chat': 'https://api.openai.com/v1' },
    keyHint: 'sk-…',
    docsUrl: 'https://platform.openai.com/api-keys',
    reportsUsageOnRequest: true,
  }),
  row({
    id: 'anthropic',
    label: 'Anthropic',
    endpoints: { anthropic: 'https://api.anthropic.com/v1' },
    keyHint: 'sk-ant-…',
    docsUrl: 'https://console.anthropic.com/settings/keys',
  }),
  row({
    id: 'openrouter',
    label: 'OpenRouter',
    endpoints: { 'openai-chat': 'https://openrouter.ai/api/v1', anthropic: 'https://openrouter.ai/api/v1' },
    keyHint: 'sk-or-…',
    docsUrl: 'https://openrouter.ai/settings/keys',
    reportsUsageOnRequest: true,
    perModelQuota: true,
  }),
  row({
    id: 'ollama',
    label: 'Ollama',
    class: 'local',
    endpoints: { 'openai-chat': 'http://127.0.0.1:11434/v1', anthropic: 'http://127.0.0.1:11434/v1' },
    needsKey: false,
    keyHint: 'not needed on this machine',
    docsUrl: 'https://docs.ollama.com',
    reportsUsageOnRequest: true,
  }),
  row({
    id: PRACTICE_ID,
    label: 'Practice',
    class: 'local',
    endpoints: { 'openai-chat': '', anthropic: '' },
    needsKey: false,
    perModelQuota: true,
  }),
]

export interface CustomProvider {
  readonly id: string
  readonly label: string
  readonly class: ProviderClass
  readonly dialect: Dialect
  readonly baseUrl: string
  readonly perModelQuota: boolean
}

/** A provider the user named is used like a built-in one. */
export const customRow = (custom: CustomProvider): ProviderRow =>
  row({
    id: custom.id,
    label: custom.label,
    class: custom.class,
    endpoints: { [custom.dialect]: custom.baseUrl },
    needsKey: false,
    perModelQuota: custom.perModelQuota,
    builtIn: false,
  })

export const builtInIds: ReadonlySet<string> = new Set(CATALOGUE.map((provider) => provider.id))
