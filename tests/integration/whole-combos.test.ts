// Combos that are carried out as a whole, over real sockets: fusions and pipelines of two or three providers on one
// upstream, told apart by their models.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { RequestView } from '../../core/contract/views'
import { error, gate, hang, json, parts, stream, text } from '../support/fake-answers'
import type { Script, SeenRequest } from '../support/fake-script'
import { CLIENT_KEY } from '../support/gateway-process'
import { begin, openStream } from '../support/http-client'
import { byKey, keyOf, type Pools, startPools } from '../support/pools'

const step = (model: string, prompt: string | null = null): object => ({
  model,
  ...(prompt === null ? {} : { prompt }),
})

/** Each test has a combo of its own, and models named after it. */
const three = (name: string): object[] =>
  [`one/${name}-1`, `two/${name}-2`, `three/${name}-3`].map((model) => step(model))
const fusion = (name: string, config: object = {}, steps = three(name)): object => ({
  ...{ name, strategy: 'fusion', steps },
  config: { stragglerGraceMs: 50, maxRetries: 0, ...config },
})
const pipeline = (name: string, config: object = {}, steps = three(name)): object => ({
  ...{ name, strategy: 'pipeline', steps },
  config: { maxRetries: 0, retryDelayMs: 0, ...config },
})

let pools: Pools
beforeAll(async () => {
  pools = await startPools({
    pools: [byKey('one', 1), byKey('two', 2), byKey('three', 1), byKey('lonely', 1)],
    resilience: { comboCooldownWait: { enabled: false } },
    combos: [
      fusion('judged', {}, [step('one/judged-1'), step('two/judged-2'), step('claudish/judged-3')]),
      fusion('slow'),
      fusion('single'),
      fusion('single-slow', { panelHardTimeoutMs: 1_000 }, [step('one/single-slow-1'), step('two/single-slow-2')]),
      fusion('silent'),
      fusion('second-judge'),
      fusion('named-judge', { judgeModel: 'three/the-judge' }, [step('one/named-judge-1'), step('two/named-judge-2')]),
      fusion('tooled'),
      fusion('large', { maxPanel: 2 }),
      fusion('left'),
      fusion('tongues', {}, [step('one/tongues-1'), step('two/tongues-2')]),
      pipeline('steps-in-tongues', {}, [step('one/tongues-3', 'Plan.'), step('two/tongues-4', 'Do.')]),
      fusion('outer', {}, [{ combo: 'inner' }, step('three/outer-2')]),
      {
        name: 'inner',
        strategy: 'priority',
        steps: [step('one/inner-1'), step('two/inner-2')],
        config: { maxRetries: 0 },
      },
      {
        ...{ name: 'with-plan-b', strategy: 'priority', config: { maxRetries: 0 } },
        steps: [{ combo: 'dead' }, step('three/plan-b')],
      },
      fusion('dead', {}, [step('one/dead-1'), step('two/dead-2')]),
      pipeline('steps', {}, [
        step('one/steps-1', 'Say what is meant.'),
        step('claudish/steps-2'),
        step('three/steps-3', 'Write it out.'),
      ]),
      pipeline('mended', {}, [step('one/mended-1'), step('two/mended-2')]),
      pipeline('again', { maxRetries: 1, retryDelayMs: 400 }, [step('lonely/again-1'), step('two/again-2')]),
      pipeline('rests', { maxRetries: 1 }, [step('one/rests-1'), step('lonely/rests-2')]),
      pipeline('broken'),
      pipeline('blocked', {}, [step('one/blocked-1'), step('three/blocked-2')]),
      pipeline('given-up', {}, [step('one/given-up-1'), step('two/given-up-2')]),
      pipeline('agents', { agentic: true, maxToolRounds: 2 }, [step('one/agents-1'), step('two/agents-2')]),
    ],
  })
})
afterAll(() => pools.stop())
beforeEach(() => pools.forget())

const says = (content: string): Script =>
  json({
    ...{ id: 'c1', object: 'chat.completion', created: 1, model: 'm' },
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 10, completion_tokens: 3, total_tokens: 13 },
  })
const streams = (words: string): Script => {
  const { preamble, content, ending } = parts['openai-chat']
  return stream(text(preamble), text(content(words)), text(ending))
}
const claudeSays = (words: string): Script =>
  json({
    ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'm', stop_reason: 'end_turn', stop_sequence: null },
    content: [{ type: 'text', text: words }],
    usage: { input_tokens: 1, output_tokens: 1 },
  })

const set = (model: string, ...scripts: Script[]): Promise<void> => pools.upstream.answer('*', model, ...scripts)
const bodies = async (model: string) => (await pools.upstream.seen(model)).map(bodyOf)
interface SentBody {
  readonly model: string
  readonly stream?: boolean
  readonly tools?: readonly object[]
  readonly system?: string
  readonly messages: readonly { readonly role: string; readonly content: string }[]
}
const bodyOf = ({ body }: SeenRequest): SentBody => JSON.parse(Buffer.from(body).toString('utf8')) as SentBody
const answerOf = (answer: string): string =>
  (JSON.parse(answer) as { choices: { message: { content: string } }[] }).choices[0]?.message.content ?? ''
const told = ({ attempts }: RequestView): string[] =>
  attempts.map(({ model, outcome, next }) => `${model} ${outcome}: ${next}`).sort()
const TOOLS = [{ type: 'function', function: { name: 'look', parameters: { type: 'object', properties: {} } } }]
/** Asks, and gives what hangs up again before there is an answer. */
function askAndLeave(model: string): () => void {
  const request = begin(`${pools.gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${CLIENT_KEY}` },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hi' }] }),
  })
  request.on('error', () => {})
  return () => void request.destroy()
}
const chatStream = (model: string, body: object = {}) =>
  openStream(`${pools.gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${CLIENT_KEY}` },
    body: JSON.stringify({ model, stream: true, messages: [{ role: 'user', content: 'Hi' }], ...body }),
  })

describe('a fusion', () => {
  test('asks all members whole and without stream, and streams what the judge makes of their answers', async () => {
    await set('judged-1', says('First opinion'), streams('The verdict'))
    await set('judged-2', says('Second opinion'))
    await set('judged-3', claudeSays('Third opinion'))
    const answer = await chatStream('judged')
    expect(await answer.rest()).toContain('The verdict')
    expect(answer.headers['x-breakwater-target']).toBe('one/judged-1')
    const [asked, judged] = await bodies('judged-1')
    expect(asked?.stream ?? false).toBe(false)
    expect(judged?.stream).toBe(true)
    expect(judged?.messages[0]).toEqual({ role: 'user', content: 'Hi' })
    const prompt = judged?.messages.at(-1)?.content ?? ''
    expect(prompt).toMatch(/<source number="1">\nFirst opinion.*number="2">\nSecond opinion.*number="3">\nThird/s)
    expect(prompt).not.toContain('judged-')
    expect((await bodies('judged-3'))[0]?.messages).toHaveLength(1)
    const entry = await pools.logged('judged')
    expect(entry).toMatchObject({ outcome: 'ok', status: 200, target: 'one/judged-1', stream: true })
    expect(told(entry)).toEqual([
      'judged-1 ok: answered',
      'judged-1 ok: answered, for the judge',
      'judged-2 ok: answered, for the judge',
      'judged-3 ok: answered, for the judge',
    ])
  })

  test('gives up a slow member when the others had enough, ends its call, and holds nothing against it', async () => {
    await set('slow-1', says('Quick'), says('From two'))
    await set('slow-2', says('Quick too'))
    await set('slow-3', { steps: [hang] })
    const answer = await pools.chat('slow')
    expect(answerOf(answer.text)).toBe('From two')
    const [late] = await pools.upstream.seen('slow-3')
    expect(await pools.upstream.closed(late?.id as number)).toMatchObject({ aborted: true })
    expect((await bodies('slow-1'))[1]?.messages.at(-1)?.content).not.toContain('number="3"')
    expect(told(await pools.logged('slow'))).toContain(
      'slow-3 aborted: not waited for any longer: enough others had answered',
    )
    expect(await pools.rest('three')).toMatchObject({ status: 'healthy', gate: null })
    expect((await pools.breaker('three'))?.failureCount ?? 0).toBe(0)
  })

  test.each([false, true])('passes on the one answer it got as it is (stream: %s)', async (isStream) => {
    await set('single-1', error(500))
    await set('single-2', says('All there is'))
    await set('single-3', error(503))
    const before = (await bodies('single-2')).length
    const answer = isStream ? await (await chatStream('single')).rest() : (await pools.chat('single')).text
    if (isStream) expect(answer).toMatch(/"content":"All there is".*"finish_reason":"stop".*data: \[DONE\]/s)
    else expect(JSON.parse(answer)).toMatchObject({ id: 'c1', usage: { completion_tokens: 3 } })
    expect((await bodies('single-2')).length - before).toBe(1)
  })

  test('has no answer to wait for behind the time for all: the one that came is the answer', async () => {
    await set('single-slow-1', { steps: [hang] })
    await set('single-slow-2', says('In time'))
    const answer = await pools.chat('single-slow')
    expect(answerOf(answer.text)).toBe('In time')
    expect(answer.headers).toMatchObject({ 'x-breakwater-attempts': '2', 'x-breakwater-target': 'two/single-slow-2' })
    const entry = await pools.logged('single-slow')
    expect(entry).toMatchObject({ outcome: 'ok', status: 200, target: 'two/single-slow-2', outputTokens: 3 })
  })

  test('says who failed and why when nobody answered', async () => {
    for (const n of [1, 2, 3]) await set(`silent-${n}`, error(500, { error: { message: `no ${n}` } }))
    const answer = await pools.chat('silent')
    expect(answer.status).toBe(503)
    expect(answer.json().error.message).toMatch(/No member of the fusion "silent" answered: one\/silent-1: .*no 1; two/)
    const byOne = { reason: 'server_error', message: expect.stringContaining('no 1') }
    const attemptOrder = expect.arrayContaining([expect.objectContaining(byOne)])
    expect(answer.json()).toMatchObject({
      error: { diagnostics: { poolSize: 3, attemptOrder, terminalReason: 'no_answer' } },
    })
    expect(await pools.logged('silent')).toMatchObject({ outcome: 'failed', status: 503, code: 'service_unavailable' })
  })

  test('lets the next member judge where the judge fails', async () => {
    await set('second-judge-1', says('First'), error(500))
    await set('second-judge-2', says('Second'), says('Judged by two'))
    await set('second-judge-3', says('Third'))
    const answer = await pools.chat('second-judge')
    expect(answerOf(answer.text)).toBe('Judged by two')
    expect(answer.headers['x-breakwater-target']).toBe('two/second-judge-2')
  })

  test('has the judge it names, who is not one of the panel', async () => {
    await set('named-judge-1', says('First'))
    await set('named-judge-2', says('Second'))
    await set('the-judge', says('Judged'))
    expect(answerOf((await pools.chat('named-judge')).text)).toBe('Judged')
    expect(await bodies('the-judge')).toHaveLength(1)
  })

  test('sends a request with tools to the judge alone, byte for byte', async () => {
    await set('tooled-1', says('With a tool'))
    const answer = await pools.chat('tooled', { tools: TOOLS, service_tier: 'flex' })
    expect(answerOf(answer.text)).toBe('With a tool')
    expect(await bodies('tooled-1')).toEqual([expect.objectContaining({ tools: TOOLS, service_tier: 'flex' })])
    expect(await bodies('tooled-2')).toEqual([])
    const panel = await pools.chat('tooled', { tools: TOOLS, tool_choice: 'none' })
    expect(panel.status).toBe(200)
    expect((await bodies('tooled-2'))[0]).not.toHaveProperty('tools')
  })

  test('refuses more members than a panel may have', async () => {
    const answer = await pools.chat('large')
    expect([answer.status, answer.json().error.message]).toEqual([400, expect.stringContaining('3 members; at most 2')])
  })

  test('ends all its calls when the client goes away', async () => {
    for (const n of [1, 2, 3]) await set(`left-${n}`, { steps: [gate('never')] })
    const leave = askAndLeave('left')
    const seen = await Promise.all([1, 2, 3].map((n) => pools.upstream.arrival(`left-${n}`)))
    leave()
    for (const { id } of seen) expect(await pools.upstream.closed(id)).toMatchObject({ aborted: true })
    const entry = await pools.logged('left')
    expect(entry).toMatchObject({ outcome: 'aborted', code: 'client_disconnected', status: 499 })
    expect(told(entry)).toEqual([1, 2, 3].map((n) => `left-${n} aborted: the client closed the connection`))
    await pools.running(0)
  })

  test('counts a combo among its members as one voice, and fails over inside it', async () => {
    await set('inner-1', error(500))
    await set('inner-2', says('The inner voice'))
    await set('outer-2', says('The other voice'))
    const answer = await pools.chat('outer')
    expect(answer.status).toBe(200)
    const judged = (await bodies('inner-2'))[1] ?? (await bodies('inner-1'))[1]
    expect(judged?.messages.at(-1)?.content).toMatch(/The inner voice.*The other voice/s)
  })

  test('is one failed target of a combo around it', async () => {
    for (const n of [1, 2]) await set(`dead-${n}`, error(500))
    await set('plan-b', says('Plan B'))
    expect(answerOf((await pools.chat('with-plan-b')).text)).toBe('Plan B')
  })
})

describe('a pipeline', () => {
  test('gives each step what the one before has written, across dialects, and streams the last one', async () => {
    await set('steps-1', says('It is meant so'))
    await set('steps-2', claudeSays('It should be so'))
    await set('steps-3', streams('Written out'))
    const answer = await chatStream('steps', { tools: TOOLS, response_format: { type: 'json_object' }, max_tokens: 9 })
    expect(await answer.rest()).toMatch(/Written out.*\[DONE\]/s)
    const [first] = await bodies('steps-1')
    expect(first?.messages).toEqual([
      { role: 'system', content: 'Say what is meant.' },
      { role: 'user', content: 'Hi' },
    ])
    expect(first).toMatchObject({ max_tokens: 9 })
    for (const name of ['tools', 'response_format', 'stream_options']) expect(first).not.toHaveProperty(name)
    const [second] = await bodies('steps-2')
    expect(JSON.stringify(second?.messages)).toMatch(/Hi.*It is meant so/)
    expect(JSON.stringify(second)).not.toContain('Say what is meant')
    const [third] = await bodies('steps-3')
    expect(third?.messages).toEqual([
      { role: 'system', content: 'Write it out.' },
      { role: 'user', content: 'Hi' },
      { role: 'user', content: 'It should be so' },
    ])
    expect(third).toMatchObject({ tools: TOOLS, response_format: { type: 'json_object' }, stream: true })
    expect(told(await pools.logged('steps'))).toEqual([
      'steps-1 ok: answered, for the next step',
      'steps-2 ok: answered, for the next step',
      'steps-3 ok: answered',
    ])
  })

  test('tells the client of the last step only: its usage, its target', async () => {
    await set('mended-1', says('A draft'))
    await set('mended-2', says('The answer'))
    const answer = await pools.chat('mended')
    expect(answer.json()).toMatchObject({ usage: { total_tokens: 13 } })
    expect(answer.headers).toMatchObject({ 'x-breakwater-target': 'two/mended-2', 'x-breakwater-attempts': '2' })
  })

  test('goes on by another connection where one fails in its second step', async () => {
    await set('mended-1', says('A draft'))
    await set('mended-2', says('nobody gets this'))
    await pools.upstream.answer(keyOf('two', 1), 'mended-2', error(500))
    await pools.upstream.answer(keyOf('two', 2), 'mended-2', says('Mended'))
    const first = (await bodies('mended-1')).length
    expect(answerOf((await pools.chat('mended')).text)).toBe('Mended')
    expect((await bodies('mended-1')).length - first).toBe(1)
  })

  test('asks a step again after a failure that may pass, and none that was done before', async () => {
    await set('again-1', error(429, { error: { message: 'Slow down' } }, { 'retry-after-ms': '50' }), says('A draft'))
    await set('again-2', says('The answer'))
    expect(answerOf((await pools.chat('again')).text)).toBe('The answer')
    expect(await bodies('again-1')).toHaveLength(2)
  })

  test('whose last step rests for longer than the pause before a retry ends with what that one said', async () => {
    await set('rests-1', says('A draft'))
    await set('rests-2', error(503))
    const answer = await pools.chat('rests')
    expect(answer.json(), answer.text).toMatchObject({
      error: {
        code: 'all_targets_cooling_down',
        diagnostics: { attempted: 1, attemptOrder: [{ reason: 'server_error' }] },
      },
    })
    expect(answer.headers).toMatchObject({ 'x-breakwater-attempts': '2', 'x-omniroute-combo-attempted': '1' })
  })

  test('ends with the error of the step that failed, and asks none behind it', async () => {
    await set('broken-1', says('A draft'))
    await set('broken-2', error(400, { error: { message: 'not like this', code: 'bad' } }))
    const answer = await pools.chat('broken')
    expect([answer.status, answer.json().error.message]).toEqual([400, 'not like this'])
    expect(await bodies('broken-3')).toEqual([])
    expect(await pools.logged('broken')).toMatchObject({ outcome: 'failed', status: 400 })
  })

  test('asks nobody while one of its steps has nobody, and says when that one returns', async () => {
    await set('resting', error(429, { error: { message: 'Slow down' } }, { 'retry-after': '40' }))
    expect((await pools.chat('three/resting')).status).toBe(429)
    const answer = await pools.chat('blocked')
    expect(answer.status).toBe(429)
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(30)
    expect(await bodies('blocked-1')).toEqual([])
  })

  test('ends the call under way when the client goes away, and asks no further step', async () => {
    await set('given-up-1', { steps: [gate('never')] })
    const leave = askAndLeave('given-up')
    const { id } = await pools.upstream.arrival('given-up-1')
    leave()
    expect(await pools.upstream.closed(id)).toMatchObject({ aborted: true })
    expect(await pools.logged('given-up')).toMatchObject({ outcome: 'aborted', code: 'client_disconnected' })
    await pools.running(0)
    expect(await bodies('given-up-2')).toEqual([])
  })

  test('of two agents: a plan is made and carried out, with tools only so often', async () => {
    await set('agents-1', says('The plan'))
    await set('agents-2', says('Done'))
    const call = (id: string) => [
      {
        ...{ role: 'assistant', content: null },
        tool_calls: [{ id, type: 'function', function: { name: 'look', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: id, content: `seen ${id}` },
    ]
    const ask = (...rounds: readonly string[]) =>
      pools.chat('agents', {
        messages: [{ role: 'user', content: 'Hi' }, ...rounds.flatMap(call)],
        tools: TOOLS,
      })
    expect((await ask('a')).status).toBe(200)
    expect((await ask('a', 'b')).status).toBe(200)
    const [planner] = await bodies('agents-1')
    expect(planner?.messages[0]).toEqual({ role: 'system', content: expect.stringMatching(/^Plan/) })
    expect(JSON.stringify(planner?.messages)).not.toContain('tool_calls')
    const [once, twice] = await bodies('agents-2')
    expect(once).toMatchObject({ tools: TOOLS })
    expect(once?.messages.at(-1)).toEqual({ role: 'user', content: 'The plan' })
    expect(twice).not.toHaveProperty('tools')
    expect(JSON.stringify(twice?.messages)).toContain('seen b')
  })
})

describe.each<[string, string, (model: string) => string, object]>([
  ['Chat', 'openai-chat', () => '/v1/chat/completions', { messages: [{ role: 'user', content: 'Hi' }] }],
  ['Messages', 'anthropic', () => '/v1/messages', { max_tokens: 99, messages: [{ role: 'user', content: 'Hi' }] }],
  ['Responses', 'openai-responses', () => '/v1/responses', { input: 'Hi' }],
  [
    'Gemini',
    'gemini',
    (model) => `/v1beta/models/${model}:generateContent`,
    { contents: [{ parts: [{ text: 'Hi' }] }] },
  ],
])('asked in %s', (_name, dialect, path, body) => {
  const ask = async (model: string, stream: boolean): Promise<string> => {
    const url = stream ? path(model).replace(':generate', ':streamGenerate') : path(model)
    const streamed = dialect === 'gemini' ? {} : { stream }
    const { status, text } = await pools.send(url, {
      method: 'POST',
      body: JSON.stringify({ ...(dialect === 'gemini' ? {} : { model }), ...streamed, ...body }),
    })
    expect([status, text]).toEqual([200, expect.any(String)])
    return text
  }

  test.each([false, true])('a fusion answers in the client’s words (stream: %s)', async (isStream) => {
    const verdict = isStream ? streams('The verdict') : says('The verdict')
    await set('tongues-1', says('One'), verdict)
    await set('tongues-2', says('Two'))
    expect(await ask('tongues', isStream)).toContain('The verdict')
    const judged = (await bodies('tongues-1')).at(-1)
    expect(judged?.messages.at(-1)?.content).toMatch(/One.*Two/s)
  })

  test.each([false, true])('an only answer is told in the client’s words (stream: %s)', async (isStream) => {
    await set('tongues-1', error(500))
    await set('tongues-2', says('Only this'))
    const text = await ask('tongues', isStream)
    expect(text).toContain('Only this')
    if (dialect === 'gemini' && isStream) expect(JSON.parse(text)).toBeInstanceOf(Array)
  })

  test('a pipeline goes through all its steps', async () => {
    await set('tongues-3', says('A plan'))
    await set('tongues-4', says('Done'))
    expect(await ask('steps-in-tongues', false)).toContain('Done')
    expect((await bodies('tongues-4')).at(-1)?.messages).toEqual([
      { role: 'system', content: 'Do.' },
      { role: 'user', content: 'Hi' },
      { role: 'user', content: 'A plan' },
    ])
  })
})
