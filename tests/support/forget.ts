// Tests that share a gateway begin anew: nothing is held against any provider, connection or model.
import { MANAGE_KEY } from './gateway-process'
import { type Answer, type SendOptions, send } from './http-client'

export const manage = (url: string, path: string, given: SendOptions = {}): Promise<Answer> =>
  send(url + path, { ...given, headers: { authorization: `Bearer ${MANAGE_KEY}`, ...given.headers } })

export async function forget(url: string): Promise<void> {
  const { connections } = (await manage(url, '/api/resilience/cooldowns')).json<{
    connections: { id: string; status: string }[]
  }>()
  const held = connections.filter(({ status }) => status !== 'healthy')
  await Promise.all(held.map(({ id }) => manage(url, `/api/providers/${id}/reset`, { method: 'POST' })))
  await manage(url, '/api/resilience/reset', { method: 'POST' })
}
