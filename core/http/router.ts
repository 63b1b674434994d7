// Path and method → endpoint. Aliases that tools are known to use lead to the same place.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { DialectModule } from '../dialects/dialect'
import { dialectModules } from '../dialects/dialects'
import type { ClientKey } from './client-keys'

export interface Call {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly requestId: string
  readonly echoedId: string
  readonly path: string
  /** null where the endpoint is open and the caller gave no key, or a wrong one. */
  readonly key: ClientKey | null
}

export interface EndpointRoute {
  readonly method: 'GET' | 'POST' | 'HEAD'
  readonly path: string
  /** `open` endpoints answer without a key. */
  readonly access: 'open' | 'key'
  readonly dialect: DialectModule
  readonly handle: (call: Call) => void | Promise<void>
}

/** Claude Code's base has no /v1, other tools' has; some end up with it twice. */
export function canonicalPath(path: string): string {
  let rest = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
  while (rest.startsWith('/v1/v1/')) rest = rest.slice(3)
  if (rest.startsWith('/api/v1/')) return rest.slice(4)
  return BARE.has(rest) ? `/v1${rest}` : rest
}

const BARE = new Set(['/chat/completions', '/messages', '/models'])

export class Router {
  private readonly byPath = new Map<string, EndpointRoute[]>()

  constructor(routes: readonly EndpointRoute[]) {
    for (const route of routes) this.byPath.set(route.path, [...(this.byPath.get(route.path) ?? []), route])
  }

  find(method: string, path: string): EndpointRoute | 'wrong-method' | null {
    const routes = this.byPath.get(path) ?? this.byPath.get(parentOf(path))
    if (routes === undefined) return null
    return routes.find((route) => route.method === method) ?? 'wrong-method'
  }
}

/** `/v1/models/openai/gpt-5` is served by the route `/v1/models/*`. */
const parentOf = (path: string): string => (path.startsWith('/v1/models/') ? '/v1/models/*' : '')

/** The dialect in which an error is told when no endpoint says so. */
export const guessDialect = (path: string, request: IncomingMessage): DialectModule =>
  path.includes('/messages') || request.headers['anthropic-version'] !== undefined
    ? dialectModules.anthropic
    : dialectModules['openai-chat']
