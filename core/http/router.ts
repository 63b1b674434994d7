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
  readonly method: 'GET' | 'POST' | 'HEAD' | 'DELETE' | 'PUT' | 'PATCH'
  /** May end in "/*"; under /api a segment may be a `{parameter}`. */
  readonly path: string
  /** `open` endpoints answer without a key; `manage` ones only to a key with that scope, in a header. */
  readonly access: 'open' | 'key' | 'manage'
  readonly dialect: DialectModule
  readonly handle: (call: Call) => void | Promise<void>
}

/** Claude Code's base has no /v1, other tools' has; some end up with it twice, or with one before Gemini's. */
export function canonicalPath(path: string): string {
  let rest = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
  while (rest.startsWith('/v1/v1/') || rest.startsWith('/v1/v1beta/')) rest = rest.slice(3)
  if (rest.startsWith('/api/v1/')) return rest.slice(4)
  if (rest.startsWith('/v1alpha/')) return `/v1beta${rest.slice(8)}`
  // Vercel's AI SDK leaves the collection out for names with a slash.
  if (rest.startsWith('/v1beta/') && !rest.startsWith('/v1beta/models') && rest.includes(':'))
    return `/v1beta/models/${rest.slice('/v1beta/'.length)}`
  return BARE.test(rest) ? `/v1${rest}` : rest
}

const BARE =
  /^\/(?:chat\/completions|completions|embeddings|messages|messages\/count_tokens|responses|models)(?:$|(?<=responses|models)\/)/

export class Router {
  private readonly exact = new Map<string, EndpointRoute[]>()
  /** Paths that end in "/*", longest first. */
  private readonly prefixes: { readonly prefix: string; readonly routes: EndpointRoute[] }[]
  /** Paths with parameters, cut at the slashes. */
  private readonly patterns: { readonly segments: readonly string[]; readonly routes: EndpointRoute[] }[]

  constructor(routes: readonly EndpointRoute[]) {
    for (const route of routes) this.exact.set(route.path, [...(this.exact.get(route.path) ?? []), route])
    this.prefixes = [...this.exact]
      .filter(([path]) => path.endsWith('/*'))
      .map(([path, routes]) => ({ prefix: path.slice(0, -1), routes }))
      .sort((a, b) => b.prefix.length - a.prefix.length)
    this.patterns = [...this.exact]
      .filter(([path]) => path.includes('{'))
      .map(([path, routes]) => ({ segments: path.split('/'), routes }))
  }

  find(method: string, path: string): EndpointRoute | 'wrong-method' | null {
    const routes = this.routesOf(path)
    if (routes === undefined) return null
    return routes.find((route) => route.method === method) ?? 'wrong-method'
  }

  /** What a path takes, for the `Allow` header. */
  methods(path: string): string[] {
    return this.routesOf(path)?.map(({ method }) => method) ?? []
  }

  private routesOf(path: string): EndpointRoute[] | undefined {
    const exact = this.exact.get(path)
    if (exact !== undefined) return exact
    if (path.startsWith('/api/')) return this.byPattern(path)
    return this.prefixes.find(({ prefix }) => path.startsWith(prefix))?.routes
  }

  private byPattern(path: string): EndpointRoute[] | undefined {
    const parts = path.split('/')
    return this.patterns.find(
      ({ segments }) =>
        segments.length === parts.length &&
        segments.every((segment, i) => (segment.startsWith('{') ? parts[i] !== '' : segment === parts[i])),
    )?.routes
  }
}

/** The values of a pattern's parameters, decoded; one that cannot be decoded is given as it stands. */
export function pathParams(pattern: string, path: string): Record<string, string> {
  const parts = path.split('/')
  const named = pattern.split('/').map((segment, i) => [segment, parts[i] ?? ''] as const)
  return Object.fromEntries(
    named
      .filter(([segment]) => segment.startsWith('{'))
      .map(([segment, value]) => [segment.slice(1, -1), decoded(value)]),
  )
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The dialect in which an error is told when no endpoint says so. */
export function guessDialect(path: string, request: IncomingMessage): DialectModule {
  if (path.startsWith('/v1beta/') || request.headers['x-goog-api-key'] !== undefined) return dialectModules.gemini
  if (path.includes('/messages') || request.headers['anthropic-version'] !== undefined) return dialectModules.anthropic
  return path.startsWith('/v1/responses') ? dialectModules['openai-responses'] : dialectModules['openai-chat']
}
