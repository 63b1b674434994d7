import type { Dialect } from '../../../core/contract/kinds'
import type { ProviderView } from '../../../core/contract/views'

/** A provider's models as clients write them: "openrouter/openai/gpt-x". */
export const clientNames = (provider: string, models: readonly string[]): string[] =>
  models.map((model) => `${provider}/${model}`)

/** The format the model's provider speaks, so that a request to it needs no translation. */
export function dialectFor(model: string, providers: readonly ProviderView[]): Dialect {
  const provider = providers.find(({ id }) => model.startsWith(`${id}/`))
  return provider?.dialect ?? 'openai-chat'
}
