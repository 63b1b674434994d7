// A model server as people run them: on one of the ports where such servers are looked for, whichever is free.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { CATALOGUE } from '../../core/providers/catalogue'
import { localPlaces } from '../../core/providers/discover-local'

export interface LocalServer {
  readonly baseUrl: string
  /** Its address as people write it. */
  readonly place: string
  stop(): Promise<void>
}

/** Says that it is Ollama. A machine may run the real one too: that one keeps its port. */
export async function startLocalServer(models: readonly string[]): Promise<LocalServer> {
  const server = createServer((request, response) => {
    const answer = (body: object): void => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    }
    request.resume().on('end', () => {
      if (request.url === '/') return void response.end('Ollama is running')
      if (request.url === '/v1/models')
        return answer({ object: 'list', data: models.map((id) => ({ id, object: 'model', owned_by: 'library' })) })
      const message = { role: 'assistant', content: 'from this machine' }
      answer({
        ...{ id: 'chatcmpl-1', object: 'chat.completion', created: 1, model: models[0] },
        choices: [{ index: 0, message, finish_reason: 'stop' }],
        usage: { prompt_tokens: 1, completion_tokens: 3, total_tokens: 4 },
      })
    })
  })
  for (const { port } of localPlaces(CATALOGUE)) {
    const failed = once(server, 'error').then(() => false)
    server.listen(port, '127.0.0.1')
    if (!(await Promise.race([failed, once(server, 'listening').then(() => true)]))) continue
    return {
      baseUrl: `http://127.0.0.1:${port}/v1`,
      place: `127.0.0.1:${port}`,
      stop: () =>
        new Promise((resolve) => {
          server.close(() => resolve())
          server.closeAllConnections()
        }),
    }
  }
  throw new Error('Every port where model servers are looked for is in use on this machine.')
}
