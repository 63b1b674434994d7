// GET /health and the probes tools send before they speak. Open to anyone on the machine; with a key they say more.
import { dialectModules } from '../../dialects/dialects'
import type { Call, EndpointRoute } from '../router'

export interface HealthFacts {
  readonly status: string
  readonly instanceId: string
  readonly version: string
  readonly startedAt: number
  readonly port: number
  readonly now: number
}

export function healthRoutes(facts: () => HealthFacts): EndpointRoute[] {
  const open = { access: 'open', dialect: dialectModules['openai-chat'] } as const
  const health = (call: Call): void => {
    const { status, instanceId, version, startedAt, port, now } = facts()
    const base = { status, instanceId, version }
    const uptimeS = Math.floor((now - startedAt) / 1000)
    send(
      call,
      JSON.stringify(
        call.key === null ? base : { ...base, port, uptimeS, startedAt: new Date(startedAt).toISOString() },
      ),
    )
  }
  const hello = (call: Call): void => send(call, '{"status":"ok"}')
  return [
    { ...open, method: 'GET', path: '/health', handle: health },
    { ...open, method: 'GET', path: '/status', handle: health },
    { ...open, method: 'HEAD', path: '/', handle: hello },
    { ...open, method: 'GET', path: '/', handle: hello },
    { ...open, method: 'HEAD', path: '/api/hello', handle: hello },
    { ...open, method: 'GET', path: '/api/hello', handle: hello },
  ]
}

function send({ request, response, echoedId }: Call, body: string): void {
  response.writeHead(200, [
    'content-type',
    'application/json',
    'content-length',
    String(body.length),
    'x-request-id',
    echoedId,
  ])
  response.end(request.method === 'HEAD' ? undefined : body)
}
