// The management surface on a real port, over operations that only note that they were asked.
import { onTestFinished } from 'vitest'
import type { OperationName, Operations } from '../../../../core/contract/operations'
import { SETTINGS, type Settings } from '../../../../core/contract/settings'
import { type ClientKey, hashKey } from '../../../../core/http/client-keys'
import { healthRoutes } from '../../../../core/http/endpoints/health'
import { listen } from '../../../../core/http/listener'
import { MANAGEMENT, managementRoutes } from '../../../../core/http/management/routes'
import { Router } from '../../../../core/http/router'
import { type Answer, type SendOptions, send } from '../../../support/http-client'
import { ManualClock } from '../../../support/manual-clock'
import { quietLogger } from '../../management/open-config'

export const MANAGE_KEY = 'bw-manage-0000000000000000000001'
export const PLAIN_KEY = 'bw-plain-00000000000000000000001'

export const ROWS = MANAGEMENT.flatMap(({ routes }) => routes)
/** A path that leads to a row. */
export const pathTo = (pattern: string): string => pattern.replace(/\{\w+\}/g, 'some-id')

export interface Surface {
  readonly asked: { readonly name: OperationName; readonly input: unknown }[]
  readonly used: string[]
  send(method: string, path: string, options?: SendOptions): Promise<Answer>
  /** With the key that may manage; a body that is no text is sent as JSON. */
  manage(method: string, path: string, body?: unknown): Promise<Answer>
}

type Answers = Partial<{ readonly [N in OperationName]: (input: never) => unknown }>

export async function openSurface(answers: Answers = {}, allowedOrigins: readonly string[] = []): Promise<Surface> {
  const asked: { name: OperationName; input: unknown }[] = []
  const used: string[] = []
  const clock = new ManualClock()
  const operations = new Proxy({} as Operations, {
    get: (_, name: OperationName) => async (input: unknown) => {
      asked.push({ name, input })
      return (answers[name] as ((input: unknown) => unknown) | undefined)?.(input) ?? null
    },
  })
  const key = (name: string, plain: string, scopes: ClientKey['scopes']): ClientKey => ({
    ...{ id: `key-${name}`, name, hash: hashKey(plain), scopes },
  })
  const keys = [key('manage', MANAGE_KEY, ['manage']), key('plain', PLAIN_KEY, [])]
  const facts = { status: 'healthy', instanceId: 'i', version: '1', startedAt: 0, port: 0, now: 0 }
  const settings = {
    ...Object.fromEntries(Object.entries(SETTINGS).map(([name, { fallback }]) => [name, fallback])),
    allowedOrigins,
  } as unknown as Settings
  const listener = await listen(0, {
    router: new Router([
      ...healthRoutes(() => facts),
      ...managementRoutes({
        ...{ operations, clock },
        plainKey: () => 'bw-made-now',
        exportConfig: () => '{"version":1}',
        importConfig: async (text) => void asked.push({ name: 'import' as OperationName, input: text }),
        redact: (text) => text.replaceAll('sk-secret', '•••'),
      }),
    ]),
    settings: () => settings,
    clientKeys: () => keys,
    keyUsed: (id) => void used.push(id),
    log: quietLogger(),
  })
  onTestFinished(async () => {
    listener.destroy()
    await listener.close()
  })
  const url = `http://127.0.0.1:${listener.port}`
  const sent = (method: string, path: string, options: SendOptions = {}) => send(url + path, { ...options, method })
  return {
    asked,
    used,
    send: sent,
    manage: (method, path, body) =>
      sent(method, path, {
        headers: { authorization: `Bearer ${MANAGE_KEY}` },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      }),
  }
}
