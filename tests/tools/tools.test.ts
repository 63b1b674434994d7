// Real command-line tools, without a person, through the gateway to a strict fake upstream of each dialect.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DIALECT_UPSTREAMS, dialectConfig, upstreamId } from '../support/dialect-upstreams'
import { type FakeUpstream, startFakeUpstream } from '../support/fake-upstream'
import { CLIENT_KEY, type GatewayProcess, startGateway } from '../support/gateway-process'
import { type CommandLineTool, runTool, type ToolOutput } from './tool'
import { TOOLS } from './tools'

type Installed = Readonly<
  Record<string, { readonly spec: string; readonly folder?: string; readonly missing?: string }>
>
const installed = JSON.parse(process.env.BREAKWATER_TOOLS ?? '{}') as Installed

const SECRET = 'The tide turns at 11:42 – 潮'
let fake: FakeUpstream
let gateway: GatewayProcess
let work: string
let file: string

beforeAll(async () => {
  fake = await startFakeUpstream()
  gateway = await startGateway({ config: dialectConfig(fake.origin) })
  work = join(gateway.dataDir, 'work')
  file = join(work, 'tide.txt')
  mkdirSync(work)
  writeFileSync(file, `${SECRET}\n`)
})
afterAll(async () => {
  await gateway.stop()
  await fake.stop()
})

async function ask(tool: CommandLineTool, folder: string, model: string, prompt: string): Promise<ToolOutput> {
  const before = (await fake.refusals()).length
  const output = await runTool(tool, folder, { url: gateway.url, key: CLIENT_KEY, model }, prompt, work)
  expect((await fake.refusals()).slice(before), 'what the strict upstream found wrong').toEqual([])
  return output
}

describe.each(TOOLS)('$name', (tool) => {
  const { folder, missing = 'run `npm run test:tools`' } = installed[tool.name] ?? {}

  test('is installed', () => {
    expect(folder, missing).toBeDefined()
  })
  if (folder === undefined) return

  describe.each(DIALECT_UPSTREAMS)('with $title', ({ upstream, model }) => {
    const name = (what: string): string => `${model}-strict-agent.${tool.name}-${upstream}-${what}`

    test('prints the answer', async () => {
      const output = await ask(tool, folder, `${upstreamId(upstream)}/${name('hi')}`, 'Say hi')
      expect(output).toMatchObject({ code: 0, stdout: expect.stringContaining('Hello from the fake model') })
    })

    test('reads a file when the model calls its tool, and sends what it holds', async () => {
      const prompt = `Read the file ${file} and say what it holds.`
      const output = await ask(tool, folder, `${upstreamId(upstream)}/${name('read')}`, prompt)
      expect(output).toMatchObject({ code: 0, stdout: expect.stringContaining(SECRET) })
      const bodies = (await fake.seen(name('read'))).map(({ body }) => Buffer.from(body).toString('utf8'))
      expect(bodies.filter((body) => body.includes(SECRET))).toHaveLength(1)
    })
  })
})
