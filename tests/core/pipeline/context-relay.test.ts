import { describe, expect, it } from 'vitest'
import type { SetConfig } from '../../../core/contract/combo-config'
import type { RequestView } from '../../../core/contract/views'
import { openAiResponses } from '../../../core/dialects/openai-responses/openai-responses'
import { GatewayError } from '../../../core/errors'
import type { Meant } from '../../../core/pipeline/handle-request'
import type { ResolvedCombo } from '../../../core/routing/combo'
import { chatAnswer, comboOf, openScene, settled } from '../../support/whole-scene'

const relay = (config: SetConfig = {}): ResolvedCombo =>
  comboOf('context-relay', ['p1/a', 'p2/b'], { handoffModel: 'p3/small', handoffProviders: ['p1'], ...config })
const user = (content: unknown) => ({ role: 'user', content })
const assistant = (content: string) => ({ role: 'assistant', content })
const talk = { messages: [user('Build a boat'), assistant('Of wood?'), user('Of steel')] }
const longer = { messages: [...talk.messages, assistant('So be it'), user('And the sail?')] }
/** What an account tells that has used this share of its five hours. */
const used = (share: number) => ({
  'anthropic-ratelimit-unified-status': 'allowed',
  'anthropic-ratelimit-unified-5h-utilization': String(share),
})

function open() {
  const scene = openScene({
    settings: { comboCooldownWait: { enabled: false }, waitForCooldown: { enabled: false } },
  })
  const { registry } = scene.deps.world()
  const logged: RequestView[] = []
  const resolve = (name: string): Meant => {
    const [id = '', model = ''] = name.split('/')
    const provider = registry.get(id)
    if (provider === undefined) throw new GatewayError('model_not_found', 404, `There is no model "${name}".`)
    return { kind: 'model', target: { provider, model } }
  }
  Object.assign(scene.deps, { resolve, finished: (_: unknown, record: RequestView) => void logged.push(record) })
  const models = (): string[] => scene.calls.map(({ model }) => model)
  return {
    ...{ ...scene, logged, models },
    /** p1 answers, and has used so much by then. */
    async answeredByFirst(combo: ResolvedCombo, share: number, body: object = talk): Promise<void> {
      const asked = await scene.ask(combo, body)
      await scene.call('a').reply(200, chatAnswer('Fine'), used(share))
      expect(await asked.ended).toBe('done')
      await settled()
    },
    /** p1 fails, p2 answers. */
    async takenOver(combo: ResolvedCombo, body: object = longer) {
      const asked = await scene.ask(combo, body)
      await scene.call('a').fails(500)
      const call = scene.call('b')
      await call.says('From b')
      expect(await asked.ended).toBe('done')
      scene.health.clearCooldowns(['p1-key'])
      return { ...asked, sent: call.body }
    },
  }
}

describe('when an account has used most of its quota', () => {
  it('a summary of the conversation is asked for behind the answer, within its limits', async () => {
    const { answeredByFirst, models, call, logged } = open()
    await answeredByFirst(relay(), 0.9)
    expect(models()).toEqual(['a', 'small'])
    const { body, says } = call('small')
    expect(body).toMatchObject({ max_tokens: 800 })
    expect(body.stream ?? false).toBe(false)
    const [system, question] = body.messages
    expect(system?.content).toContain('hand a conversation')
    expect(question?.content).toBe(
      '<conversation>\nuser: Build a boat\n\nassistant: Of wood?\n\nuser: Of steel\n</conversation>',
    )
    await says('A steel boat.')
    expect(logged).toMatchObject([
      { model: 'p3/small', endpoint: 'summary for my-context-relay', tool: 'breakwater', outcome: 'ok', status: 200 },
    ])
  })

  it('it goes along to the account that takes over, and the log says so', async () => {
    const scene = open()
    await scene.answeredByFirst(relay(), 0.9)
    await scene.call('small').says('A steel boat.')
    const { sent, entry } = await scene.takenOver(relay())
    expect(sent.messages[0]?.role).toBe('system')
    expect(sent.messages[0]?.content).toContain('<summary>\nA steel boat.\n</summary>')
    expect(sent.messages.slice(1)).toEqual(longer.messages)
    expect(entry().attempts.map(({ next }) => next)).toEqual([
      'the next connection is tried',
      'answered, told the summary of the conversation',
    ])
  })

  it('every request on another account is told it, and none on the same', async () => {
    const scene = open()
    await scene.answeredByFirst(relay(), 0.9)
    await scene.call('small').says('A steel boat.')
    await scene.answeredByFirst(relay(), 0.9, longer)
    expect(scene.calls.at(-1)?.body.messages).toEqual(longer.messages)
    for (let i = 0; i < 2; i++) expect((await scene.takenOver(relay())).sent.messages).toHaveLength(6)
    scene.clock.advance(5 * 3_600_000)
    expect((await scene.takenOver(relay())).sent.messages).toEqual(longer.messages)
  })

  it('other conversations know nothing of it, though they begin alike', async () => {
    const scene = open()
    await scene.answeredByFirst(relay(), 0.9)
    await scene.call('small').says('A steel boat.')
    const other = { messages: [user('Build a boat'), assistant('How large?'), user('Large')] }
    expect((await scene.takenOver(relay(), other)).sent.messages).toEqual(other.messages)
  })

  it('what is made of a beginning is told until there is one of more', async () => {
    const scene = open()
    await scene.answeredByFirst(relay(), 0.9, { messages: [user('Build a boat')] })
    await scene.call('small').says('A boat.')
    expect(JSON.stringify((await scene.takenOver(relay(), talk)).sent.messages)).toContain('A boat.')
    await scene.answeredByFirst(relay(), 0.9, talk)
    await scene.call('small').says('A steel boat.')
    expect(JSON.stringify((await scene.takenOver(relay(), longer)).sent.messages)).toContain('A steel boat.')
  })

  it.each<[string, number, SetConfig, object]>([
    ['too little is used', 0.84, {}, talk],
    ['too much is used', 0.95, {}, talk],
    ['the provider is none of those that hand over', 0.9, { handoffProviders: ['codex'] }, talk],
    ['no model is named', 0.9, { handoffModel: null }, talk],
    ['nobody says anything', 0.9, {}, { messages: [{ role: 'system', content: 'Be brief' }] }],
  ])('none is made where %s', async (_why, share, config, body) => {
    const { answeredByFirst, models } = open()
    await answeredByFirst(relay(config), share, body)
    expect(models()).toEqual(['a'])
  })

  it('none is made twice, nor a second one at the same time', async () => {
    const scene = open()
    await scene.answeredByFirst(relay(), 0.9)
    await scene.answeredByFirst(relay(), 0.9, longer)
    expect(scene.models()).toEqual(['a', 'small', 'a'])
    await scene.call('small').says('A steel boat.')
    await scene.answeredByFirst(relay(), 0.91, longer)
    expect(scene.models()).toEqual(['a', 'small', 'a', 'a'])
  })

  it('it is made of the last messages, tools and pictures told in words', async () => {
    const { answeredByFirst, call } = open()
    const looked = {
      ...{ role: 'assistant', content: null },
      tool_calls: [{ id: 't1', type: 'function', function: { name: 'look', arguments: '{"at":"hull"}' } }],
    }
    const picture = [{ type: 'image_url', image_url: { url: 'https://example.com/hull.png' } }]
    const seen = { role: 'tool', tool_call_id: 't1', content: 'A hole' }
    const body = { messages: [...longer.messages, looked, seen, user(picture)] }
    await answeredByFirst(relay({ maxMessagesForSummary: 5 }), 0.9, body)
    expect(call('small').body.messages.at(-1)?.content).toBe(
      [
        '<conversation>\nuser: Of steel',
        'assistant: So be it',
        'user: And the sail?',
        'assistant: [called look: {"at":"hull"}]',
        'user: [result of look: A hole]\n[image]\n</conversation>',
      ].join('\n\n'),
    )
  })

  it('of a message that is too long it gets the end', async () => {
    const { answeredByFirst, call } = open()
    const body = { messages: [...talk.messages.slice(0, 2), user(`${'x'.repeat(100_000)} the end`)] }
    await answeredByFirst(relay(), 0.9, body)
    const told = String(call('small').body.messages.at(-1)?.content)
    expect(told).toMatch(/^<conversation>\nx+ the end\n<\/conversation>$/)
    expect(told.length).toBeLessThan(32_100)
  })

  it('an answer that repeats its request repeats the client’s own words', async () => {
    const scene = open()
    const body = { instructions: 'Be brief', input: talk.messages }
    const first = await scene.ask(relay(), body, openAiResponses)
    await scene.call('a').reply(200, chatAnswer('Fine'), used(0.9))
    await first.ended
    await scene.call('small').says('A steel boat.')
    const second = await scene.ask(relay(), body, openAiResponses)
    await scene.call('a').fails(500)
    const { body: sent, says } = scene.call('b')
    expect(sent.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user'])
    expect(JSON.stringify(sent.messages[0]?.content)).toMatch(/Be brief.*A steel boat/)
    await says('From b')
    await second.ended
    expect(JSON.parse(second.response.text)).toMatchObject({ instructions: 'Be brief' })
  })
})

describe('at every change of account, where the combo wants that', () => {
  it('who only begins alike has not come from another account', async () => {
    const scene = open()
    const combo = relay({ universalHandoff: true, handoffProviders: [] })
    const begun = { messages: [user('Build a boat')] }
    await scene.answeredByFirst(combo, 0.5, begun)
    await scene.takenOver(combo, begun)
    await settled()
    expect(scene.models()).toEqual(['a', 'a', 'b'])
  })

  it('a summary of what came before is made behind the first answer of the new one, and goes along from then on', async () => {
    const combo = relay({ universalHandoff: true, handoffProviders: [] })
    const scene = open()
    await scene.answeredByFirst(combo, 0.1)
    expect(scene.models()).toEqual(['a'])
    expect((await scene.takenOver(combo)).sent.messages).toEqual(longer.messages)
    await scene.call('small').says('A steel boat.')
    expect((await scene.takenOver(combo)).sent.messages[0]?.content).toContain('A steel boat.')
    expect(scene.models().filter((model) => model === 'small')).toHaveLength(1)
  })
})

describe('what goes wrong with a summary', () => {
  it('does not touch the client’s requests, and is not tried again for ten minutes', async () => {
    const scene = open()
    await scene.answeredByFirst(relay(), 0.9)
    await scene.call('small').fails(500)
    expect(scene.logged).toMatchObject([{ outcome: 'failed', status: 500 }])
    expect(scene.health.connection('p3-key', scene.clock.now())).toMatchObject({
      lastError: { reason: 'server_error' },
    })
    await scene.answeredByFirst(relay(), 0.9)
    expect((await scene.takenOver(relay())).sent.messages).toEqual(longer.messages)
    expect(scene.models().filter((model) => model === 'small')).toHaveLength(1)
    scene.clock.advance(10 * 60_000)
    await scene.answeredByFirst(relay(), 0.9)
    expect(scene.models().filter((model) => model === 'small')).toHaveLength(2)
  })

  it('is in the log where nobody knows its model', async () => {
    const scene = open()
    await scene.answeredByFirst(relay({ handoffModel: 'nobody/x' }), 0.9)
    expect(scene.logged).toMatchObject([{ model: 'nobody/x', outcome: 'failed', status: 404, code: 'model_not_found' }])
  })

  it('is no summary where the answer has no words', async () => {
    const scene = open()
    await scene.answeredByFirst(relay(), 0.9)
    await scene.call('small').says('  ')
    expect((await scene.takenOver(relay())).sent.messages).toEqual(longer.messages)
  })

  it('is not that summaries are summed up', async () => {
    const scene = open()
    const combo = relay({ handoffModel: 'itself', universalHandoff: true })
    Object.assign(scene.deps, { resolve: () => ({ kind: 'combo', combo }) })
    await scene.answeredByFirst(combo, 0.9)
    await scene.call('a').reply(200, chatAnswer('A steel boat.'), used(0.9))
    expect(scene.models()).toEqual(['a', 'a'])
    expect((await scene.takenOver(combo)).sent.messages[0]?.content).toContain('A steel boat.')
  })
})
