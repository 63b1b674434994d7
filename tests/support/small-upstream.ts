// A provider in the test's own process: enough to be tested, to answer, to refuse a key and to be mended.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface SmallUpstream {
  readonly baseUrl: string
  /** Keys that are refused from now on. */
  readonly refused: Set<string>
  stop(): Promise<void>
}

export async function startSmallUpstream(models: readonly string[] = ['small-1']): Promise<SmallUpstream> {
  const refused = new Set<string>()
  const server = createServer((request, response) => {
    const key = (request.headers.authorization ?? '').replace(/^Bearer /, '')
    const answer = (status: number, body: object): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    }
    request.resume().on('end', () => {
      if (refused.has(key))
        return answer(401, { error: { message: 'Incorrect API key', type: 'invalid_request_error' } })
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
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
