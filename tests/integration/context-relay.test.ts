// Conversations that are handed from one account to another, over real sockets: when a summary is made, who is told it,
// and that the client never notices when none can be made.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { error, gate, json, parts, stream, text } from '../support/fake-answers'
import type { Script } from '../support/fake-script'
import { byKey, type Pools, startPools } from '../support/pools'

const relay = (name: string, config: object = {}): object => ({
  ...{ name, strategy: 'context-relay', steps: [{ model: `one/${name}` }, { model: `two/${name}` }] },
  config: { handoffModel: `three/${name}-summary`, handoffProviders: ['one'], maxRetries: 0, ...config },
})

let pools: Pools
beforeAll(async () => {
  pools = await startPools({
    pools: [byKey('one', 1), byKey('two', 1), byKey('three', 1)],
    resilience: { comboCooldownWait: { enabled: false } },
    combos: [
      ...['handed', 'streamed', 'failing', 'slow', 'opened'].map((name) => relay(name)),
      relay('tongues', { handoffModel: 'claudish/tongues-summary' }),
      relay('any', { universalHandoff: true, handoffProviders: [] }),
      relay('nameless', { handoffModel: null }),
    ],
  })
})
afterAll(() => pools.stop())
beforeEach(() => pools.forget())

const says = (content: string, headers: object = {}): Script => {
  const plain = json({
    ...{ id: 'c1', object: 'chat.completion', created: 1, model: 'm' },
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 10, completion_tokens: 3, total_tokens: 13 },
  })
  return { ...plain, headers: { ...plain.headers, ...headers } }
}
/** What an account tells that has used most of its five hours. */
const MOST_USED = {
  'anthropic-ratelimit-unified-status': 'allowed',
  'anthropic-ratelimit-unified-5h-utilization': '0.9',
}
const TALK = [
  { role: 'user', content: 'Build a boat' },
  { role: 'assistant', content: 'Of wood?' },
  { role: 'user', content: 'Of steel' },
]
const onFirst = (model: string, ...scripts: Script[]) => pools.upstream.answer('sk-one-1-fake', model, ...scripts)
const talk = (model: string, more: object = {}) => pools.chat(model, { messages: TALK, ...more })
const bodies = async (model: string) =>
  (await pools.upstream.seen(model)).map(
    ({ body, key }) => ({ key, ...JSON.parse(Buffer.from(body).toString('utf8')) }) as Sent,
  )
interface Sent {
  readonly key: string
  readonly max_tokens?: number
  readonly system?: string
  readonly messages: readonly { readonly role: string; readonly content: string }[]
}
/** As soon as it is known to the gateway. */
const summaryOf = (model: string) => pools.logged(model)

describe('when an account has used most of its quota', () => {
  test('a summary is made behind the answer, and told to the account that takes over', async () => {
    await onFirst('handed', says('Fine', MOST_USED), error(500))
    await pools.upstream.answer('*', 'handed-summary', says('A boat of steel.'))
    expect((await talk('handed')).status).toBe(200)
    const entry = await summaryOf('three/handed-summary')
    expect(entry).toMatchObject({
      ...{ outcome: 'ok', target: 'three/handed-summary', clientKey: 'main', tool: 'breakwater', outputTokens: 3 },
      endpoint: 'summary for handed',
    })
    const [asked] = await bodies('handed-summary')
    expect(asked).toMatchObject({ max_tokens: 800 })
    expect(asked?.messages.at(-1)?.content).toContain('assistant: Of wood?')
    const answer = await talk('handed')
    expect(answer.headers['x-breakwater-target']).toBe('two/handed')
    const [first, failed, second] = await bodies('handed')
    expect(first?.messages).toEqual(TALK)
    expect(failed?.messages).toEqual(TALK)
    expect(second?.messages.slice(1)).toEqual(TALK)
    expect(second?.messages[0]).toMatchObject({ role: 'system', content: expect.stringContaining('A boat of steel.') })
    expect(await bodies('handed-summary')).toHaveLength(1)
  })

  test('so it is after the first answer of a conversation, and it is told as long as nothing newer is known', async () => {
    await onFirst('opened', says('Of wood?', MOST_USED), error(500))
    await pools.upstream.answer('*', 'opened-summary', says('A boat.'))
    await talk('opened', { messages: TALK.slice(0, 1) })
    await summaryOf('three/opened-summary')
    expect((await talk('opened')).headers['x-breakwater-target']).toBe('two/opened')
    const [system, ...rest] = (await bodies('opened')).at(-1)?.messages ?? []
    expect(system).toMatchObject({ role: 'system', content: expect.stringContaining('A boat.') })
    expect(rest).toEqual(TALK)
    const [, ...others] = TALK
    await talk('opened', { messages: [{ role: 'user', content: 'Build a house' }, ...others] })
    expect((await bodies('opened')).at(-1)?.messages).toHaveLength(3)
  })

  test('a stream ends before, and its client does not wait for the summary', async () => {
    const { preamble, content, ending } = parts['openai-chat']
    await onFirst('streamed', {
      ...stream(text(preamble + content('Fine') + ending)),
      headers: { 'content-type': 'text/event-stream', ...MOST_USED },
    })
    await pools.upstream.answer('*', 'streamed-summary', { ...says('x'), steps: [gate('never')] })
    expect((await talk('streamed', { stream: true })).text).toContain('[DONE]')
    await pools.upstream.arrival('streamed-summary')
    expect(await pools.logged('streamed')).toMatchObject({ outcome: 'ok', status: 200 })
  })

  test('never two are made at once for one conversation', async () => {
    await onFirst('slow', says('Fine', MOST_USED))
    await pools.upstream.answer('*', 'slow-summary', { ...says('x'), steps: [gate('slow'), ...says('Boat').steps] })
    await Promise.all([talk('slow'), talk('slow'), talk('slow')])
    await pools.upstream.arrival('slow-summary')
    await talk('slow')
    pools.upstream.open('slow')
    await summaryOf('three/slow-summary')
    await talk('slow')
    expect(await bodies('slow-summary')).toHaveLength(1)
  })

  test('a model of another dialect may write it', async () => {
    await onFirst('tongues', says('Fine', MOST_USED), error(500))
    await pools.upstream.answer(
      '*',
      'tongues-summary',
      json({
        ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'm', stop_reason: 'end_turn' },
        content: [{ type: 'text', text: 'Told by Claude.' }],
        usage: { input_tokens: 1, output_tokens: 1 },
      }),
    )
    await talk('tongues')
    await summaryOf('claudish/tongues-summary')
    expect((await bodies('tongues-summary'))[0]?.system).toContain('hand a conversation')
    await talk('tongues')
    expect((await bodies('tongues')).at(-1)?.messages[0]?.content).toContain('Told by Claude.')
  })
})

test('at every change of account, where the combo wants that, the next answers of the new one know what came before', async () => {
  await onFirst('any', says('Fine'), error(500))
  await pools.upstream.answer('*', 'any-summary', says('A boat of steel.'))
  await talk('any')
  await talk('any')
  await summaryOf('three/any-summary')
  await talk('any')
  const told = (await bodies('any')).map(({ messages }) => messages.length)
  expect(told).toEqual([3, 3, 3, 4])
})

test('without a model for it, nothing is made', async () => {
  await onFirst('nameless', says('Fine', MOST_USED), error(500))
  await talk('nameless')
  await talk('nameless')
  expect((await bodies('nameless')).map(({ messages }) => messages.length)).toEqual([3, 3, 3])
})

test('a summary that cannot be made is in the log, and the client’s requests are as ever', async () => {
  await onFirst('failing', says('Fine', MOST_USED), error(500))
  await pools.upstream.answer('*', 'failing-summary', error(503))
  expect((await talk('failing')).status).toBe(200)
  expect(await summaryOf('three/failing-summary')).toMatchObject({ outcome: 'failed', status: 503 })
  expect(await pools.rest('three')).toMatchObject({ gate: { reason: 'server_error' } })
  expect((await talk('failing')).status).toBe(200)
  expect((await bodies('failing')).every(({ messages }) => messages.length === 3)).toBe(true)
})
