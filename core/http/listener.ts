// The loopback listener: accepts, guards, identifies the caller, routes, and answers what cannot be routed. It knows
// nothing of models or providers.
import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Settings } from '../contract/settings'
import { GatewayError } from '../errors'
import type { Logger } from '../host'
import { discardRest } from '../pipeline/client-answer'
import { type ClientKey, findKey, presentedKey } from './client-keys'
import { checkCaller, preflightHeaders } from './guard'
import { managementErrorBody } from './management/error-body'
import { type Access, accessOf, checkScope, isManagementPath, missingManageKey } from './management-auth'
import { canonicalPath, guessDialect, type Router } from './router'

const KEEP_ALIVE_MS = 75_000
const LOOPBACK = '127.0.0.1'

export interface ListenerDeps {
  readonly router: Router
  readonly settings: () => Settings
  readonly clientKeys: () => readonly ClientKey[]
  readonly keyUsed: (id: string) => void
  readonly log: Logger
}

export interface Listener {
  readonly port: number
  /** Stops accepting and lets running answers finish; resolves when the last connection is gone. */
  close(): Promise<void>
  /** Ends what is still open. */
  destroy(): void
}

/** Listens on 127.0.0.1 and, where the system has it, on ::1. @throws the error of `listen` (EADDRINUSE, EACCES …) */
export async function listen(port: number, deps: ListenerDeps): Promise<Listener> {
  const handler = createHandler(deps)
  const main = prepare(createServer(SERVER_OPTIONS, handler))
  await opened(main, port, LOOPBACK)
  const chosen = (main.address() as AddressInfo).port
  const second = prepare(createServer(SERVER_OPTIONS, handler))
  const servers = [main]
  try {
    await opened(second, chosen, '::1')
    servers.push(second)
  } catch (error) {
    deps.log.debug({ error: String(error) }, 'no listener on [::1]; 127.0.0.1 suffices')
  }
  return {
    port: chosen,
    async close() {
      await Promise.all(
        servers.map(
          (server) =>
            new Promise<void>((resolve) => {
              server.close(() => resolve())
              server.closeIdleConnections()
            }),
        ),
      )
    },
    destroy() {
      for (const server of servers) server.closeAllConnections()
    },
  }
}

const SERVER_OPTIONS = { keepAliveTimeout: KEEP_ALIVE_MS, requestTimeout: 0, headersTimeout: 60_000, noDelay: true }

function prepare(server: Server): Server {
  // A socket that breaks is not worth a word: the request on it ends by itself.
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return socket.destroy()
    const status = error.code === 'HPE_HEADER_OVERFLOW' ? '431 Request Header Fields Too Large' : '400 Bad Request'
    const body = JSON.stringify({
      error: { message: 'The request is not valid HTTP.', type: 'invalid_request_error', code: 'bad_request' },
    })
    socket.end(
      `HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    )
    return undefined
  })
  return server
}

const opened = (server: Server, port: number, host: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host, ipv6Only: host === '::1' }, () => {
      server.off('error', reject)
      resolve()
    })
  })

/** Ids are unique per run by their counter and across runs by their prefix. */
function idSource(): () => string {
  const prefix = randomBytes(5).toString('hex')
  let count = 0
  return () => `req_${prefix}${(++count).toString(36).padStart(4, '0')}`
}

function createHandler(deps: ListenerDeps) {
  const nextId = idSource()
  return (request: IncomingMessage, response: ServerResponse): void => {
    const requestId = nextId()
    const given = request.headers['x-request-id']
    const echoedId = typeof given === 'string' && /^[\w.:-]{1,128}$/.test(given) ? given : requestId
    const path = canonicalPath(pathOf(request.url ?? '/'))
    try {
      route(request, response, path, requestId, echoedId, deps)
    } catch (error) {
      refuse(request, response, path, echoedId, asGatewayError(error, deps.log, requestId))
    }
  }
}

function route(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  requestId: string,
  echoedId: string,
  { router, settings, clientKeys, keyUsed, log }: ListenerDeps,
): void {
  checkCaller(request.headers, settings())
  const { origin } = request.headers
  if (origin !== undefined) {
    if (request.method === 'OPTIONS') {
      response.writeHead(204, preflightHeaders(origin)).end()
      return
    }
    response.setHeader('access-control-allow-origin', origin)
    response.setHeader('vary', 'origin')
  }
  const found = router.find(request.method ?? 'GET', path)
  const access = accessOf(found, path)
  // A key in the address ends up in logs and histories: nobody manages with it.
  const key = identify(request, isManagementPath(path) ? '' : request.url, clientKeys(), access)
  if (key !== null) keyUsed(key.id)
  if (access === 'manage') checkScope(key)
  if (found === null) {
    throw new GatewayError(
      'unknown_path',
      404,
      `The gateway has no ${printable(path)}. See GET /v1/models for what it serves.`,
    )
  }
  if (found === 'wrong-method') {
    response.setHeader('allow', router.methods(path).join(', '))
    throw new GatewayError('method_not_allowed', 405, `${printable(path)} does not take ${request.method}.`)
  }
  const handled = found.handle({ request, response, requestId, echoedId, path, key })
  handled?.catch((error: unknown) => refuse(request, response, path, echoedId, asGatewayError(error, log, requestId)))
}

interface Recognised {
  readonly presented: string
  /** The list it was found in: a key added or removed makes a new one. */
  readonly among: readonly ClientKey[]
  readonly key: ClientKey
}

/**
 * The key a socket last proved to have. Comparing with it is no risk: who uses the socket has said it before, and
 * hashing it anew with every request would be a good part of the gateway's own work.
 */
const recognised = new WeakMap<Socket, Recognised>()

/** @throws GatewayError 401 */
function identify(
  request: IncomingMessage,
  url: string | undefined,
  keys: readonly ClientKey[],
  access: Access,
): ClientKey | null {
  const presented = presentedKey(request.headers, url)
  const known = recognised.get(request.socket)
  if (known !== undefined && known.presented === presented && known.among === keys) return known.key
  const key = presented === null ? null : findKey(presented, keys)
  if (key !== null) recognised.set(request.socket, { presented: presented as string, among: keys, key })
  if (key !== null || access === 'open') return key
  if (presented === null && access === 'manage') throw missingManageKey()
  throw presented === null
    ? new GatewayError(
        'missing_api_key',
        401,
        'No client key was sent. Use a key of this gateway, not one of a provider.',
      )
    : new GatewayError('invalid_api_key', 401, 'This client key is not known. Make one in the window under Keys.')
}

function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  echoedId: string,
  error: GatewayError,
): void {
  if (response.headersSent) {
    response.destroy()
    return
  }
  const body = isManagementPath(path)
    ? managementErrorBody(error)
    : guessDialect(path, request).errorBody(error, echoedId)
  const headers = [
    'content-type',
    'application/json',
    'content-length',
    String(Buffer.byteLength(body)),
    'x-request-id',
    echoedId,
  ]
  discardRest(response)
  response.writeHead(error.httpStatus, headers)
  response.end(request.method === 'HEAD' ? undefined : body)
}

function asGatewayError(error: unknown, log: Logger, requestId: string): GatewayError {
  if (error instanceof GatewayError) return error
  log.error(
    { requestId, error: error instanceof Error ? error.stack : String(error) },
    'a request failed inside the gateway',
  )
  return new GatewayError('internal_server_error', 500, 'The gateway failed on this request; its log says why.')
}

const pathOf = (url: string): string => {
  const mark = url.indexOf('?')
  return mark < 0 ? url : url.slice(0, mark)
}

const printable = (text: string): string => text.replace(/[^\x20-\x7e]/g, '?').slice(0, 100)
