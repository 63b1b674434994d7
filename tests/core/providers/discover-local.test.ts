// Small servers on free ports stand for the model servers people run; what they say of themselves is what is recognised.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import type { Clock } from '../../../core/clock'
import { systemClock } from '../../../core/clock'
import { createTransport } from '../../../core/pipeline/transport'
import { CATALOGUE } from '../../../core/providers/catalogue'
import { discoverLocal, type LocalPlace, localPlaces } from '../../../core/providers/discover-local'
import type { ProviderRow } from '../../../core/providers/provider-row'
import { ManualClock } from '../../support/manual-clock'
import { quietLogger } from '../management/open-config'

const closing: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

type Answers = Readonly<Record<string, string>>
const list = (ownedBy: string, ...ids: string[]): string =>
  JSON.stringify({ object: 'list', data: ids.map((id) => ({ id, object: 'model', owned_by: ownedBy })) })

async function serve(handle: (request: IncomingMessage, response: ServerResponse) => void): Promise<number> {
  const server: Server = createServer(handle)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

const answering = (answers: Answers, otherwise = 404): Promise<number> =>
  serve((request, response) => {
    const answer = answers[request.url ?? '']
    response.writeHead(answer === undefined ? otherwise : 200).end(answer ?? 'not here')
  })

const rowOf = (id: string): ProviderRow => CATALOGUE.find((row) => row.id === id) as ProviderRow
const at = (port: number, id = 'gpt4all'): LocalPlace => ({ port, row: rowOf(id) })

function discover(places: readonly LocalPlace[], clock: Clock = systemClock) {
  const transport = createTransport({ connectTimeoutMs: 5_000, extraCaFile: '' }, {}, quietLogger())
  closing.push(() => transport.close())
  return discoverLocal(CATALOGUE, transport, clock, places)
}

const SERVERS: readonly (readonly [string, Answers, string, readonly string[]])[] = [
  ['ollama', { '/': 'Ollama is running', '/v1/models': list('library', 'llama3.2:1b') }, '/v1', ['llama3.2:1b']],
  ['lmstudio', { '/v1/models': list('organization_owner', 'qwen3') }, '/v1', ['qwen3']],
  [
    'lmstudio',
    { '/v1/models': list('', 'qwen3'), '/api/v0/models': '{"data":[{"id":"qwen3","publisher":"qwen"}]}' },
    '/v1',
    ['qwen3'],
  ],
  ['llamacpp', { '/v1/models': list('llamacpp', 'gemma.gguf') }, '/v1', ['gemma.gguf']],
  ['vllm', { '/v1/models': list('vllm', 'a/b') }, '/v1', ['a/b']],
  ['sglang', { '/v1/models': list('sglang', 'c') }, '/v1', ['c']],
  ['localai', { '/v1/models': list('', 'd'), '/system': '{"backends":["llama-cpp"]}' }, '/v1', ['d']],
  // It answers for Ollama, too.
  [
    'koboldcpp',
    {
      '/': '<html>KoboldAI Lite</html>',
      '/api/version': '{"version":"0.7.0"}',
      '/api/extra/version': '{"result":"KoboldCpp","version":"1.90"}',
      '/v1/models': list('koboldcpp', 'koboldcpp/e'),
    },
    '/v1',
    ['koboldcpp/e'],
  ],
  ['docker-model-runner', { '/engines/v1/models': list('docker', 'ai/smollm2') }, '/engines/v1', ['ai/smollm2']],
  ['litellm', { '/health/liveliness': '"I\'m alive!"' }, '/v1', []],
]

describe('a model server on this machine', () => {
  it.each(SERVERS)('is recognised as %s by %j, at whatever port', async (provider, answers, base, models) => {
    const port = await answering(answers)
    expect(await discover([at(port)])).toEqual([{ provider, baseUrl: `http://127.0.0.1:${port}${base}`, models }])
  })

  it('that says nothing of itself is taken for the one that usually listens there', async () => {
    const port = await answering({ '/v1/models': list('', 'f') })
    expect(await discover([at(port, 'jan')])).toMatchObject([{ provider: 'jan', models: ['f'] }])
  })

  it('that is none of those that tell is not taken for one of them by its port', async () => {
    const port = await answering({ '/v1/models': list('', 'g') })
    expect(await discover([at(port, 'vllm')])).toEqual([
      { provider: 'local-server', baseUrl: `http://127.0.0.1:${port}/v1`, models: ['g'] },
    ])
  })

  it('is told from other servers', async () => {
    const web = await answering({ '/': '<html>' })
    const says200 = await answering({}, 200)
    const tasks = await answering({ '/v1/models': '{"error":"no such page"}' })
    expect(await discover([at(web), at(says200, 'jan'), at(tasks, 'ollama')])).toEqual([])
  })

  it('is not there where nothing listens, or something else than HTTP', async () => {
    const port = await answering({})
    for (const close of closing.splice(0)) await close()
    expect(await discover([at(port)])).toEqual([])
  })

  it('is found beside others, each once, in the order of the places', async () => {
    const first = await answering({ '/v1/models': list('vllm', 'a') })
    const second = await answering({ '/v1/models': list('llamacpp', 'b') })
    const found = await discover([at(first, 'localai'), at(second), at(first, 'llamacpp')])
    expect(found.map(({ provider }) => provider)).toEqual(['vllm', 'llamacpp'])
  })

  it('gets no key and no body', async () => {
    const seen: string[] = []
    const port = await serve((request, response) => {
      seen.push(...Object.keys(request.headers), request.method ?? '')
      response.end()
    })
    await discover([at(port)])
    expect([...new Set(seen)].sort()).toEqual(['GET', 'accept', 'connection', 'host'])
  })

  it('that is silent is given up after half a second', async () => {
    const asked = Promise.withResolvers<void>()
    const port = await serve(() => asked.resolve())
    const clock = new ManualClock()
    const finding = discover([at(port)], clock)
    await asked.promise
    clock.advance(499)
    expect(clock.waiting).toBe(1)
    clock.advance(1)
    expect(await finding).toEqual([])
    expect(clock.waiting).toBe(0)
  })
})

describe('the places that are looked at', () => {
  it('are the usual ports of the local providers', () => {
    const ports = localPlaces(CATALOGUE).map(({ port, row }) => `${row.id}:${port}`)
    expect(ports).toEqual(expect.arrayContaining(['ollama:11434', 'lmstudio:1234', 'llamacpp:8080', 'vllm:8000']))
  })

  it('are never the gateway’s own', () => {
    expect(localPlaces(CATALOGUE).map(({ port }) => port)).not.toContain(4517)
  })
})
