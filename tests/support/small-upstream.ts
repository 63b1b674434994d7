// A provider in the test's own process: enough to be tested, to answer, to refuse a key and to be mended.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface SmallUpstream {
  readonly baseUrl: string
  /** Keys that are refused from now on. */
  readonly refused: Set<string>
  /** Headers of the answers to a key: what is left of its allowances. */
  readonly told: Map<string, Readonly<Record<string, string>>>
  /** What a page about an account says, by the end of its path. */
  readonly pages: Map<string, object>
  stop(): Promise<void>
}

export async function startSmallUpstream(models: readonly string[] = ['small-1']): Promise<SmallUpstream> {
  const refused = new Set<string>()
  const told: SmallUpstream['told'] = new Map()
  const pages: SmallUpstream['pages'] = new Map()
  const server = createServer((request, response) => {
    const key = (request.headers.authorization ?? '').replace(/^Bearer /, '')
    const answer = (status: number, body: object): void => {
      response.writeHead(status, { 'content-type': 'application/json', ...told.get(key) }).end(JSON.stringify(body))
    }
    request.resume().on('end', () => {
      if (refused.has(key))
        return answer(401, { error: { message: 'Incorrect API key', type: 'invalid_request_error' } })
      for (const [path, page] of pages) if (request.url?.endsWith(path) === true) return answer(200, page)
      if (request.url?.endsWith('/models') === true)
        return answer(200, { object: 'list', data: models.map((id) => ({ id, object: 'model' })) })
      answer(200, {
        id: 'chatcmpl-1',
        object: 'chat.completion',
        created: 1,
        model: 'small-1',
        choices: [{ index: 0, message: { role: 'assistant', content: `answered for ${key}` }, finish_reason: 'stop' }],
        usage: { prompt_tokens: 1, completion_tokens: 3, total_tokens: 4 },
      })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    refused,
    told,
    pages,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
