// A model name as a client writes it → the provider and the bare upstream model.
import { GatewayError } from '../errors'
import type { Provider, Registry } from '../providers/registry'

export interface Target {
  readonly provider: Provider
  readonly model: string
}

const MAX_NAME = 256

/** @throws GatewayError 400 for a name that cannot be one, 404 for one nobody has */
export function resolveModel(name: string, registry: Registry): Target {
  if (name.length === 0 || name.length > MAX_NAME) {
    throw new GatewayError('bad_request', 400, `model: must have 1 to ${MAX_NAME} characters.`, { field: 'model' })
  }
  for (let i = 0; i < name.length; i++) {
    const code = name.charCodeAt(i)
    if (code < 0x20 || code === 0x7f) {
      throw new GatewayError('bad_request', 400, 'model: must not contain control characters.', { field: 'model' })
    }
  }
  const slash = name.indexOf('/')
  if (slash < 0) {
    throw new GatewayError(
      'model_not_found',
      404,
      `No model is named "${name}". Write it as provider/model, for example ${example(registry)}.`,
      { field: 'model' },
    )
  }
  const provider = registry.get(name.slice(0, slash))
  const model = name.slice(slash + 1)
  if (provider !== undefined && model === '') {
    throw new GatewayError(
      'model_not_found',
      404,
      `"${name}" names no model. Write one behind the slash, as ${provider.row.label} calls it.`,
      { field: 'model' },
    )
  }
  if (provider === undefined) {
    const known = [...registry.keys()].join(', ')
    throw new GatewayError(
      'model_not_found',
      404,
      `No provider is named "${name.slice(0, slash)}". Providers: ${known}.`,
      { field: 'model' },
    )
  }
  return { provider, model }
}

function example(registry: Registry): string {
  for (const [id, provider] of registry) {
    if (provider.row.class !== 'local' && provider.connections.length > 0) return `${id}/<model>`
  }
  return 'practice/echo'
}
