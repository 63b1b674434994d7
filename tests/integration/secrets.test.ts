// KE-06: what anyone may paste into a public issue holds no key, no prompt and no answer.
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { error, html, json, parts, stream, text } from '../support/fake-answers'
import type { Script } from '../support/fake-script'
import { type FakeUpstream, startFakeUpstream } from '../support/fake-upstream'
import { forget } from '../support/forget'
import { DIALECTS, question, ROUTES } from '../support/gateway-pair'
import {
  CLIENT_KEY,
  type GatewayProcess,
  MANAGE_KEY,
  runGateway,
  startGateway,
  temporaryFolder,
} from '../support/gateway-process'
import { type Answer, type SendOptions, send } from '../support/http-client'

/** No pattern knows this one; only its value does. */
const PLAIN_KEY = 'plainlookingcredential0042'
const ODD_KEY = 'odd"key\\with%2Fsigns+and=more'
const URL_KEY = 'AIzaSyExampleExampleExample000000001'
const COOKIE = 'session-cookie-value-0815'
const PROMPT = 'the prompt of a lifetime'
const ANSWER = 'the answer to everything'
/** As they are, and as JSON and URLs would write them. */
const formsOf = (secret: string): string[] => [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)]
const KEYS = [PLAIN_KEY, ODD_KEY].flatMap(formsOf)
const NOWHERE = 'http://127.0.0.1:1/v1'

let upstream: FakeUpstream
let gateway: GatewayProcess
const dataDir = temporaryFolder()
const answers: string[] = []

beforeAll(async () => {
  upstream = await startFakeUpstream()
  const { baseUrl } = upstream
  const providers = DIALECTS.flatMap((dialect) =>
    [ROUTES[dialect].provider, `gone-${dialect}`].map((id) => ({
      id,
      label: id,
      class: 'apikey',
      dialect,
      baseUrl: id.startsWith('gone') ? NOWHERE : baseUrl,
    })),
  )
  const connections = providers.flatMap(({ id }) => [
    { provider: id, name: 'plain', apiKey: PLAIN_KEY, priority: 1 },
    { provider: id, name: 'odd', apiKey: ODD_KEY, priority: 2 },
  ])
  gateway = await startGateway({
    dataDir,
    args: ['--log-level', 'debug'],
    config: {
      version: 1,
      clientKeys: [
        { name: 'main', key: CLIENT_KEY },
        { name: 'manager', key: MANAGE_KEY, scopes: ['manage'] },
      ],
      ...{ providers, connections },
    },
  })
})
afterAll(async () => {
  await gateway.stop()
  await upstream.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

async function call(path: string, options: SendOptions): Promise<Answer> {
  const answer = await send(gateway.url + path, {
    method: 'POST',
    ...options,
    headers: { authorization: `Bearer ${CLIENT_KEY}`, cookie: `s=${COOKIE}`, ...options.headers },
  })
  answers.push(`${JSON.stringify(answer.rawHeaders)}\n${answer.text}`)
  return answer
}

const holdsNone = (where: string, content: string, secrets: readonly string[]): void => {
  for (const secret of secrets) expect(content.includes(secret), `${secret} in ${where}`).toBe(false)
}

describe.each(DIALECTS)('%s: an upstream that repeats the key it was called with', (dialect) => {
  beforeEach(() => forget(gateway.url))

  const { path, provider } = ROUTES[dialect]
  const ask = (model: string, streamed: boolean) =>
    call(path, {
      body: JSON.stringify(
        question(`${provider}/${model}`, { stream: streamed, messages: [{ role: 'user', content: PROMPT }] }),
      ),
    })
  const echo = `Incorrect API key provided: ${PLAIN_KEY} or ${ODD_KEY}.`
  const fault = { type: 'error', error: { type: 'authentication_error', message: echo } }

  test.each<[string, Script]>([
    ['in a 400', error(400, fault)],
    ['in a 401', error(401, fault)],
    ['in a 500', error(500, fault)],
    ['in a page of HTML', { ...html(403), steps: [text(`<html><body>${echo}</body></html>`)] }],
    ['in a stream before any content', stream(text(`event: error\ndata: ${JSON.stringify(fault)}\n\n`))],
    ['in a header of an error', error(429, fault, { 'x-debug': PLAIN_KEY })],
  ])('%s does not reach the client with it', async (what, script) => {
    const model = `echo ${what}`
    await upstream.answer('*', model, script)
    for (const streamed of [false, true]) {
      const answer = await ask(model, streamed)
      expect(answer.status).toBeGreaterThanOrEqual(400)
      holdsNone(`the answer ${what}`, answers.at(-1) as string, KEYS)
    }
  })

  test('in a stream after content does not reach the client with it', async () => {
    const { preamble, content } = parts[dialect]
    const late = `event: error\ndata: ${JSON.stringify(fault)}\n\n`
    await upstream.answer('*', 'echo late', stream(text(preamble + content('said')), text(late)))
    const answer = await ask('echo late', true)
    expect(answer.text).toContain('said')
    expect(answer.text).toContain('Incorrect API key provided')
    holdsNone('the stream', answer.text, KEYS)
  })

  test('connections that lead nowhere are named without key and address', async () => {
    const body = JSON.stringify(question(`gone-${dialect}/m`))
    const answer = await call(path, { body })
    expect(answer.status).toBe(502)
    holdsNone('the answer', answer.text, KEYS)
  })
})

test('a good answer, a broken body and a key in the address leave nothing behind either', async () => {
  await forget(gateway.url)
  await upstream.answer('*', 'fine', json({ choices: [{ message: { role: 'assistant', content: ANSWER } }] }))
  const { path, provider } = ROUTES['openai-chat']
  const messages = [{ role: 'user', content: PROMPT }]
  const fine = await call(path, { body: JSON.stringify(question(`${provider}/fine`, { messages })) })
  expect(fine.text).toContain(ANSWER)
  const broken = await call(path, { body: `{"model":"${provider}/fine","messages":[{"content":"${PROMPT}",}]` })
  expect(broken.status).toBe(400)
  holdsNone('the answer', broken.text, [PROMPT])
  const wrong = await call(`/v1beta/models/m:generateContent?key=${URL_KEY}`, { body: '{}' })
  expect(wrong.status).toBe(400)
  const unknown = await call(path, { headers: { authorization: `Bearer ${URL_KEY}` }, body: '{}' })
  expect(unknown.status).toBe(401)
  holdsNone('the answers', wrong.text + unknown.text, [URL_KEY])
})

test('nothing on disk, in the log or in any answer holds a secret, a prompt or an answer', async () => {
  expect(await gateway.end()).toBe(0)
  const never = [...KEYS, CLIENT_KEY, MANAGE_KEY, URL_KEY, COOKIE]
  holdsNone('the answers', answers.join('\n'), [...KEYS, CLIENT_KEY, COOKIE])
  holdsNone('stderr', gateway.stderrText(), [...never, PROMPT, ANSWER])
  holdsNone('stdout', gateway.stdoutText(), [...never, PROMPT, ANSWER])
  const files = readdirSync(dataDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'import.json')
    .map((entry) => join(entry.parentPath, entry.name))
  expect(files.map((file) => file.slice(dataDir.length + 1))).toEqual(
    expect.arrayContaining(['breakwater.db', 'history.db', 'vault.key']),
  )
  for (const file of files) holdsNone(file, readFileSync(file, 'latin1'), [...never, PROMPT, ANSWER])
  // The log has the requests, so that the search was not in vain.
  expect(readFileSync(join(dataDir, 'history.db'), 'latin1')).toContain('echo in a 400')
})

test('an export holds no secret, and can be imported again', async () => {
  const file = join(dataDir, 'export.json')
  const run = await runGateway({ dataDir, args: ['--export', file] })
  expect(run.code).toBe(0)
  const exported = readFileSync(file, 'utf8')
  holdsNone('the export', exported, [...KEYS, CLIENT_KEY, MANAGE_KEY])
  expect(JSON.parse(exported).connections).toContainEqual({ provider: 'fake', name: 'plain', priority: 1 })
  gateway = await startGateway({ dataDir, args: ['--import', file] })
  await forget(gateway.url)
  const again = await call(ROUTES['openai-chat'].path, { body: JSON.stringify(question('fake/after')) })
  expect(again.status).toBe(200)
  expect((await upstream.seen('after'))[0]?.key).toBe(PLAIN_KEY)
})
